// Removes rows past their retention, in small batches, so that other work need not wait.
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { nobody } from './replica.ts';
import type { Schema } from './schema.ts';

/** How many rows were removed, by table. */
export type Removed = Readonly<Record<string, number>>;

export type Retention = ReturnType<typeof makeRetention>;

const hour = 3_600_000;
const day = 24 * hour;

/** The rows of a table to remove: those whose `age` is older than `after` milliseconds. */
interface Rule {
  readonly table: string;
  readonly id: string;
  readonly age: string;
  readonly after: number;
  readonly only?: string;
  /** A chat is removed with everything said in it, so few are removed at once. */
  readonly batch: number;
}

const rules = (days: number, kind: Database<Schema>['kind']): readonly Rule[] => [
  { table: 'interaction', id: 'id', age: 'created_at', after: days * day, only: 'told = 1', batch: 500 },
  // Listed ones have a separate index.
  { table: 'bot_state', id: 'key', age: 'saved_at', after: days * day, only: 'running is null', batch: 500 },
  { table: 'bot_state', id: 'key', age: 'saved_at', after: days * day, only: 'running is not null', batch: 500 },
  // Conversations in a version of a flow finish in it.
  {
    table: 'flow_version',
    id: 'version',
    age: 'begun_at',
    after: days * day,
    only: `not exists (select 1 from bot_state where value like '%' || flow_version.version || '%')`,
    batch: 50,
  },
  { table: 'chat', id: 'id', age: 'active_at', after: days * day, batch: 20 },
  // Removed with all its events.
  { table: 'handoff', id: 'id', age: 'ended_at', after: days * day, batch: 100 },
  // Nobody came back to end it: neither side has said anything for so long that the bot has forgotten the chat.
  {
    table: 'handoff',
    id: 'id',
    age: 'created_at',
    after: days * day,
    only: 'ended_at is null and not exists (select 1 from bot_state where key = handoff.conversation)',
    batch: 100,
  },
  { table: 'desk_accesses', id: 'id', age: 'created_at', after: days * day, batch: 500 },
  { table: 'desk_sessions', id: 'token_hash', age: 'expires_at', after: hour, batch: 500 },
  { table: 'desk_sign_ins', id: 'state_hash', age: 'expires_at', after: hour, batch: 500 },
  // Channels repeat an activity within minutes or not at all.
  { table: 'answer', id: 'delivery', age: 'created_at', after: hour, batch: 500 },
  // A replica that still owns an interaction stays, or the interaction could never be claimed.
  {
    table: 'replica',
    id: 'id',
    age: 'lease_until',
    after: day,
    only: `id <> '${nobody}' and not exists (select 1 from interaction where owner = replica.id and told = 0)`,
    batch: 500,
  },
  ...(kind === 'postgres' ? [{ table: 'turn_lease', id: 'key', age: 'lease_until', after: hour, batch: 500 } as const] : []),
];

export const makeRetention = ({ db, kind, now }: Database<Schema>) => ({
  /**
   * Removes delivered interactions, chats with their files, handoffs, and the bot's state of chats once they are `days`
   * old; short-lived rows after an hour or a day. In batches, until nothing is left to remove or `signal` aborts.
   */
  purge: async (days: number, signal: AbortSignal): Promise<Removed> => {
    const removed: Record<string, number> = {};
    for (const { table, id, age, after, only = '1 = 1', batch } of rules(days, kind)) {
      const key = sql.ref(id);
      let gone = 0;
      do {
        if (signal.aborted) return removed;
        const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${key} in (
            select ${key} from ${sql.table(table)} where ${sql.ref(age)} < ${now} - cast(${after} as bigint) and ${sql.raw(only)} limit ${batch}
          )`.execute(db);
        gone = Number(numAffectedRows ?? 0);
        removed[table] = (removed[table] ?? 0) + gone;
      } while (gone === batch);
    }
    return removed;
  },
});
