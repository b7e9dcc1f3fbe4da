// This process as one of the replicas that share the database. Its claims hold while its lease is renewed.
import { type Kysely, sql } from 'kysely';
import type { Database, EmbeddedDatabase } from '../platform/database/database.ts';
import { type Clock, systemClock } from '../platform/time/clock.ts';
import type { Schema } from './schema.ts';

export interface Replica {
  /** New at each start of the process. */
  readonly id: string;
  /** The time that all replicas share. */
  readonly clock: Clock;
  /** How long (ms) a request of another replica may still be under way. */
  readonly sendGrace: number;
  /**
   * Listens until the returned function is called. `lost`: the lease is, so other replicas may have claimed this one's
   * interactions. `free`: there may be unclaimed interactions.
   */
  follow(listener: { lost(): void; free(): void }): () => void;
  /** Whether this replica has its lease, as far as it knows. */
  hasLease(): boolean;
  /** Releases the lease and all claims. */
  leave(): Promise<void>;
}

/** The owner of unclaimed interactions. */
export const nobody = '';

/**
 * Resolves when the replica can work: the database accepts a write (a full disk does not), and the lease holds.
 * @throws when it cannot.
 */
export const proveAble = async ({ db, now }: Database<Schema>, id: string): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('replica')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('lease_until', '>=', now)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Error('the lease is lost');
};

/** Whether an interaction belongs to nobody, or to a replica whose lease has ended. */
export const ownedByTheDead = ({ db, kind, now }: Pick<Database<Schema>, 'db' | 'kind' | 'now'>) => {
  const dead = db.selectFrom('replica').select('replica.id').where('lease_until', '<', now);
  // As an array, evaluated first: otherwise Postgres might look up the owner of every waiting row.
  return kind === 'postgres' ? sql<boolean>`owner = any(array(${dead}))` : sql<boolean>`owner in (${dead})`;
};

/** Releases all claims of the replica. */
export const releaseAll = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db.updateTable('interaction').set({ owner: nobody }).where('owner', '=', id).where('told', '=', 0).execute();
};

/**
 * A single replica: the embedded database's file lock keeps others out, and proves that earlier claimants are dead. Its
 * lease never ends.
 */
export const makeSoleReplica = async ({ db }: EmbeddedDatabase<Schema>, id: string): Promise<Replica> => {
  await db.deleteFrom('replica').where('id', '<>', nobody).execute();
  await db.updateTable('interaction').set({ owner: nobody }).where('owner', '<>', nobody).where('told', '=', 0).execute();
  await db.insertInto('replica').values({ id, lease_until: Number.MAX_SAFE_INTEGER, lock_key: 0 }).execute();
  return {
    id,
    clock: systemClock,
    sendGrace: 0,
    follow: (listener) => {
      listener.free();
      return () => {};
    },
    hasLease: () => true,
    leave: () => releaseAll(db, id),
  };
};
