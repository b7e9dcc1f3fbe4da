// Messages on their way to customers: stored with the request, gone when they have arrived.
import type { Database } from '../../../platform/database.ts';
import type { Schema } from './schema.ts';

/**
 * A message that still has to be handed over, sealed, and the claim on it: no other replica gets it before the instant
 * `claim`. Writes about it count only while nobody else has claimed it.
 */
export interface DueDelivery {
  readonly id: string;
  readonly claim: number;
  readonly requestId: string;
  readonly sealed: string;
  readonly attempts: number;
  readonly createdAt: number;
  /** Whether it is the request's own message, and not one that its page asked for. */
  readonly announced: boolean;
  /** Whether an attempt was begun whose result is unknown. */
  readonly begun: boolean;
}

export interface Deliveries {
  /** Messages whose time has come, to be handed over until then. */
  claimDue(now: number, until: number, limit: number): Promise<DueDelivery[]>;
  nextDue(): Promise<number | undefined>;
  /** Records that an attempt begins whose answer may get lost. */
  begin(due: DueDelivery): Promise<void>;
  /** Puts off a message that could not be handed over. `begun`: nobody knows whether it could. */
  postpone(due: DueDelivery, attempts: number, dueAt: number, begun: boolean): Promise<void>;
  drop(due: DueDelivery): Promise<void>;
}

export const makeDeliveries = ({ db, kind }: Database<Schema>): Deliveries => ({
  claimDue: async (now, until, limit) => {
    const due = db.selectFrom('deliveries').where('due_at', '<=', now).orderBy('due_at').limit(limit);
    // A claim postpones the due time, so unclaimed messages and those of dead replicas are found alike, and no two
    // claims are equal. A sole replica postpones nothing, so that a restart finds at once what was on its way.
    const rows =
      kind === 'sqlite'
        ? await due.selectAll().execute()
        : await db
            .with('free', () => due.select('id').forUpdate().skipLocked())
            .updateTable('deliveries')
            .set({ due_at: until })
            .where('id', 'in', (free) => free.selectFrom('free').select('free.id'))
            .returningAll()
            .execute();
    return rows.map(({ id, request_id, sealed, attempts, due_at, created_at, announced, begun }) => ({
      id,
      claim: due_at,
      requestId: request_id,
      sealed,
      attempts,
      createdAt: created_at,
      announced: announced === 1,
      begun: begun === 1,
    }));
  },
  nextDue: async () => (await db.selectFrom('deliveries').select('due_at').orderBy('due_at').limit(1).executeTakeFirst())?.due_at,
  begin: async ({ id, claim }) => {
    await db.updateTable('deliveries').set({ begun: 1 }).where('id', '=', id).where('due_at', '=', claim).execute();
  },
  postpone: async ({ id, claim }, attempts, dueAt, begun) => {
    const later = { attempts, due_at: dueAt, begun: begun ? 1 : 0 };
    await db.updateTable('deliveries').set(later).where('id', '=', id).where('due_at', '=', claim).execute();
  },
  drop: async ({ id, claim }) => {
    await db.deleteFrom('deliveries').where('id', '=', id).where('due_at', '=', claim).execute();
  },
});
