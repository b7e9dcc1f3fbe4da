// This process as one of those that share the database: alive while its lease is renewed, and what it held is free when it is not.
import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database, EmbeddedDatabase } from '../platform/database.ts';
import type { Schema } from './schema.ts';

/** What a replica tells those who work under its lease. */
export interface ReplicaListener {
  /** The lease is gone: what was held here may be held elsewhere by now. */
  lost(): void;
  /** There may be interactions that nobody holds. */
  free(): void;
}

export interface Replica {
  /** A new one for each start of the process. */
  readonly id: string;
  /** The time as all replicas tell it. */
  readonly clock: Clock;
  /** For how long (ms) a request that another replica was sending may still be on its way. */
  readonly sendGrace: number;
  /** Listens until the returned function is called. */
  follow(listener: ReplicaListener): () => void;
  /** Whether the lease is held, as far as is known here. */
  held(): boolean;
  /** Gives back the lease and whatever is held. */
  leave(): Promise<void>;
}

/** What nobody works on belongs to the replica of this name. */
export const nobody = '';

/**
 * Resolves when the replica can work: the database takes its word (which a full disk does not), and its lease is not over.
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

/** Gives back whatever the replica still holds. */
export const releaseAll = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db.updateTable('interaction').set({ owner: nobody }).where('owner', '=', id).where('told', '=', 0).execute();
};

/**
 * The only replica there is: the embedded database's file lock keeps others out, and proves that whoever held anything before is dead. Its lease
 * never ends.
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
    held: () => true,
    leave: () => releaseAll(db, id),
  };
};
