// Retention: removes rows past their time, now and about every hour, in batches, so that other work need not wait.
import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { faultFields, type Log } from '../log.ts';
import { sleep } from '../time/waits.ts';
import { skippingLocked } from './claim-rows.ts';
import type { Database } from './database.ts';

/** Rows of a table that are removed some time after an instant. */
export interface RetentionRule {
  readonly table: string;
  /** That instant (epoch ms), in SQL: a column. */
  readonly age: string;
  /** How long (ms) they are kept after it. */
  readonly after: number;
  /** A further condition, in SQL. */
  readonly only?: string;
  /** How many are removed at once. Unset: 500. */
  readonly batch?: number;
}

/** Rows that are removed in another way than by one statement. */
export interface RetentionStep {
  readonly table: string;
  readonly batch: number;
  /** Removes up to a batch of them, and resolves to their number. */
  readonly remove: () => Promise<number>;
}

/** How many rows were removed, by table. */
export type Removed = Readonly<Record<string, number>>;

export const hour = 3_600_000;
export const day = 24 * hour;

const usualBatch = 500;

/** Removes a batch of the rows, without those that another process is removing, and resolves to their number. */
const removeBatch = async (
  { db, kind }: Pick<Database<Tables>, 'db' | 'kind'>,
  now: RawBuilder<number>,
  { table, age, after, only = '1 = 1', batch = usualBatch }: RetentionRule,
): Promise<number> => {
  const row = sql.ref(kind === 'postgres' ? 'ctid' : 'rowid');
  const old = db
    .selectFrom(table)
    .select(row.as('place'))
    .where(sql<boolean>`${sql.raw(age)} < ${now} - cast(${after} as bigint)`)
    .where(sql<boolean>`(${sql.raw(only)})`)
    .limit(batch);
  const found = skippingLocked<Tables, string, { place: unknown }>(kind, table, old);
  // As an array, evaluated first: otherwise Postgres would look for each row of the table among those.
  const within = kind === 'postgres' ? sql<boolean>`${row} = any(array${found})` : sql<boolean>`${row} in ${found}`;
  const { numDeletedRows } = await db.deleteFrom(table).where(within).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** Tables by the names in rules. */
type Tables = Record<string, Record<string, unknown>>;

/** Removes what is past its time at `now`, until there is nothing left or `stop` aborts. */
export const purge = async <Schema>(
  database: Pick<Database<Schema>, 'db' | 'kind'>,
  now: RawBuilder<number>,
  rules: readonly (RetentionRule | RetentionStep)[],
  stop: AbortSignal,
): Promise<Removed> => {
  const removed: Record<string, number> = {};
  for (const rule of rules) {
    const { table, batch = usualBatch } = rule;
    for (let gone = batch; gone >= batch; ) {
      if (stop.aborted) return removed;
      gone = 'remove' in rule ? await rule.remove() : await removeBatch(database as unknown as Database<Tables>, now, rule);
      removed[table] = (removed[table] ?? 0) + gone;
      await turn();
    }
  }
  return removed;
};

/**
 * Purges now and about every hour, at different times for two processes that started together, until `stop` aborts.
 * Never throws: the next time removes what this one could not.
 */
export const keepHouse = async (
  purging: (stop: AbortSignal) => Promise<Removed>,
  log: Log,
  random: () => number,
  stop: AbortSignal,
): Promise<void> => {
  const component = 'retention';
  do {
    try {
      for (const [where, count] of Object.entries(await purging(stop)))
        if (count > 0) log.info({ component, where, count }, 'rows past their time were removed');
    } catch (fault) {
      log.warn({ ...faultFields(fault), component }, 'rows past their time could not be removed');
    }
  } while (await sleep(hour * (0.5 + random()), stop));
};
