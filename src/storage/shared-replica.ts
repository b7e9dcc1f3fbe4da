// One replica among several on Postgres: renews its lease, holds an advisory lock that ends with its connection, and
// notices when another replica's lock is gone.
import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import type { Bus } from '../platform/database/bus.ts';
import type { DatabaseSession, SharedDatabase } from '../platform/database/database.ts';
import { keepSession } from '../platform/database/keep-session.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { makeDatabaseClock } from '../platform/time/clock.ts';
import { sleep, withTimeout } from '../platform/time/waits.ts';
import { ownedByTheDead, type Replica, releaseAll } from './replica.ts';
import type { Schema } from './schema.ts';

/**
 * How long a lease lasts without renewal; how often it is renewed, and free interactions are claimed; and how often the
 * other replicas' locks are checked. All in milliseconds.
 */
export type LeaseTiming = { readonly lease: number; readonly renew: number; readonly check: number };

const leaseTiming: LeaseTiming = { lease: 3_000, renew: 1_000, check: 250 };

/** A send takes at most 10 s, repeats included; after this long (ms) it is over in any case. */
const sendGrace = 15_000;
/** How long (ms) a start waits for its first lease. */
const joinTimeout = 10_000;
/** The bus topic for a replica that has left. */
const freed = 'freed';
/** The first half of our advisory locks' keys: an arbitrary number, the same in every version. */
const lockClass = 0x43_53_52_50;

/**
 * Joins the replicas on this database.
 * @param bus - announces replicas that leave
 * @throws {SettingsError} when it cannot get a lease
 */
export const joinReplicas = async (
  database: SharedDatabase<Schema>,
  bus: Bus,
  id: string,
  log: Log,
  timing: LeaseTiming = leaseTiming,
): Promise<Replica> => {
  const { now } = database;
  const clock = makeDatabaseClock();
  const stop = new AbortController();
  const events = new EventEmitter<{ lost: []; free: [] }>();

  const join = async ({ db }: DatabaseSession<Schema>) => {
    const key = await holdLock(db);
    await db.transaction().execute(async (transaction) => {
      // Claims under a lapsed lease do not pass to the new one: any replica may claim them.
      await releaseAll(transaction, id);
      const lease = { lease_until: sql<number>`${now} + ${timing.lease}`, lock_key: key };
      await transaction
        .insertInto('replica')
        .values({ id, ...lease })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(lease))
        .execute();
    });
  };

  /** Ends the leases of replicas whose lock, and therefore connection, is gone. */
  const endLeasesOfTheDead = (db: QueryCreator<Schema>) =>
    db
      .updateTable('replica')
      .set({ lease_until: 0 })
      .where('id', '<>', id)
      .where('lease_until', '>=', now)
      .where(
        sql<boolean>`not exists (select from pg_locks where locktype = 'advisory' and classid = ${sql.lit(lockClass)} and objid = replica.lock_key
          and objsubid = 2 and database = (select oid from pg_database where datname = current_database()))`,
      );

  /** Looks after the others: how many have died, and whether an interaction belongs to nobody. */
  const check = ({ db }: DatabaseSession<Schema>) =>
    db
      .with('dead', (within) => endLeasesOfTheDead(within).returning('replica.id'))
      .selectNoFrom(({ selectFrom, exists, fn }) => [
        selectFrom('dead').select(fn.countAll<number>().as('n')).$asScalar().$notNull().as('died'),
        exists(selectFrom('interaction').select('interaction.id').where('told', '=', 0).where(ownedByTheDead(database))).as('free'),
      ])
      .executeTakeFirstOrThrow();

  /** Renews the lease and looks after the others, in one statement. `undefined`: the lease is lost. */
  const renew = ({ db }: DatabaseSession<Schema>) =>
    clock.adjust(() =>
      db
        .with('dead', (within) => endLeasesOfTheDead(within).returning('replica.id'))
        .updateTable('replica')
        .set({ lease_until: sql<number>`${now} + ${timing.lease}` })
        .where('id', '=', id)
        .where('lease_until', '>=', now)
        .returning(({ selectFrom, exists, fn }) => [
          now.as('now'),
          selectFrom('replica as other')
            .select(fn.countAll<number>().as('n'))
            .where('other.id', '<>', id)
            .where('other.lease_until', '>=', now)
            .$asScalar()
            .$notNull()
            .as('others'),
          selectFrom('dead').select(fn.countAll<number>().as('n')).$asScalar().$notNull().as('died'),
          exists(selectFrom('interaction').select('interaction.id').where('told', '=', 0).where(ownedByTheDead(database))).as('free'),
        ])
        .executeTakeFirst(),
    );

  let held = false;
  const unsubscribe = bus.subscribe(freed, () => events.emit('free'));
  let joined: () => void = () => {};
  const first = new Promise<void>((resolve) => {
    joined = resolve;
  });
  const use = async (session: DatabaseSession<Schema>, signal: AbortSignal) => {
    await join(session);
    let renewal = await renew(session);
    if (!renewal) return;
    held = true;
    joined();
    events.emit('free');
    try {
      let renewed = performance.now();
      // A replica that is alone has nobody to look after: it learns of another when it renews its lease.
      while (await sleep(renewal.others > 0 ? timing.check : timing.renew, signal)) {
        let found: { readonly died: number; readonly free: SqlBool };
        if (performance.now() - renewed >= timing.renew || renewal.others === 0) {
          renewed = performance.now();
          renewal = await renew(session);
          if (!renewal) return;
          found = renewal;
        } else found = await check(session);
        if (found.died > 0) log.info({ component: 'replica', count: found.died }, 'another replica is gone');
        if (found.died > 0 || found.free) events.emit('free');
      }
    } finally {
      held = false;
      if (!stop.signal.aborted) log.warn({ component: 'replica' }, 'the lease is lost');
      events.emit('lost');
    }
  };
  const kept = keepSession(database, 'replica', use, log, stop.signal);
  const outcome = await withTimeout(first, joinTimeout, () => 'too late' as const);
  if (outcome === 'too late') {
    stop.abort();
    await kept;
    throw new SettingsError(['DATABASE_URL: the database does not let this process keep a connection of its own.']);
  }

  return {
    id,
    clock,
    sendGrace,
    follow: (listener) => {
      events.on('lost', listener.lost).on('free', listener.free);
      listener.free();
      return () => events.off('lost', listener.lost).off('free', listener.free);
    },
    hasLease: () => held,
    leave: async () => {
      unsubscribe();
      stop.abort();
      await kept;
      try {
        await releaseAll(database.db, id);
        // The row stays for a while, so that rows still written under its name are free for other replicas.
        await database.db.updateTable('replica').set({ lease_until: 0 }).where('id', '=', id).execute();
      } catch (fault) {
        log.warn({ ...faultFields(fault), component: 'replica' }, 'the lease could not be released; it expires by itself');
      }
      bus.publish(freed);
    },
  };
};

/** Acquires a session lock that nobody else has, and returns its key. */
const holdLock = async (db: Kysely<Schema>): Promise<number> => {
  for (;;) {
    const key = randomInt(2 ** 31);
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${sql.lit(lockClass)}, ${key}::int) as held`.execute(db);
    if (rows[0]?.held) return key;
  }
};
