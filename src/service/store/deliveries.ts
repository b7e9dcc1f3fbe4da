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
}

export interface Deliveries {
  /** Messages whose time has come, the oldest first. */
  due(now: number, limit: number): Promise<DueDelivery[]>;
  nextDue(): Promise<number | undefined>;
  /** Puts off a message that could not be handed over. */
  postpone(id: string, attempts: number, dueAt: number): Promise<void>;
  drop(id: string): Promise<void>;
}

export const makeDeliveries = (db: Kysely<Schema>): Deliveries => ({
  due: async (now, limit) => {
    const rows = await db.selectFrom('deliveries').selectAll().where('due_at', '<=', now).orderBy('due_at').limit(limit).execute();
    return rows.map(({ id, request_id, sealed, attempts, created_at }) => ({
      id,
      requestId: request_id,
      sealed,
      attempts,
      createdAt: created_at,
    }));
  },
  nextDue: async () => (await db.selectFrom('deliveries').select('due_at').orderBy('due_at').limit(1).executeTakeFirst())?.due_at,
  postpone: async (id, attempts, dueAt) => {
    await db.updateTable('deliveries').set({ attempts, due_at: dueAt }).where('id', '=', id).execute();
  },
  drop: async (id) => {
    await db.deleteFrom('deliveries').where('id', '=', id).execute();
  },
});
