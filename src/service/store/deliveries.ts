// Messages on their way to customers: stored with the request, gone when they have arrived.
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** A message that still has to be handed over, sealed. */
export interface DueDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly sealed: string;
  readonly attempts: number;
  readonly createdAt: number;
  /** Whether it is the request's own message, and not one that its page asked for. */
  readonly announced: boolean;
  /** Whether an attempt was begun and nobody knows how it ended. */
  readonly begun: boolean;
}

export interface Deliveries {
  /** Messages whose time has come, the oldest first. */
  due(now: number, limit: number): Promise<DueDelivery[]>;
  nextDue(): Promise<number | undefined>;
  /** Records that an attempt begins whose answer may get lost. */
  begin(id: string): Promise<void>;
  /** Puts off a message that could not be handed over. `begun`: nobody knows whether it could. */
  postpone(id: string, attempts: number, dueAt: number, begun: boolean): Promise<void>;
  drop(id: string): Promise<void>;
}

export const makeDeliveries = (db: Kysely<Schema>): Deliveries => ({
  due: async (now, limit) => {
    const rows = await db.selectFrom('deliveries').selectAll().where('due_at', '<=', now).orderBy('due_at').limit(limit).execute();
    return rows.map(({ id, request_id, sealed, attempts, created_at, announced, begun }) => ({
      id,
      requestId: request_id,
      sealed,
      attempts,
      createdAt: created_at,
      announced: announced === 1,
      begun: begun === 1,
    }));
  },
  nextDue: async () => (await db.selectFrom('deliveries').select('due_at').orderBy('due_at').limit(1).executeTakeFirst())?.due_at,
  begin: async (id) => {
    await db.updateTable('deliveries').set({ begun: 1 }).where('id', '=', id).execute();
  },
  postpone: async (id, attempts, dueAt, begun) => {
    const later = { attempts, due_at: dueAt, begun: begun ? 1 : 0 };
    await db.updateTable('deliveries').set(later).where('id', '=', id).execute();
  },
  drop: async (id) => {
    await db.deleteFrom('deliveries').where('id', '=', id).execute();
  },
});
