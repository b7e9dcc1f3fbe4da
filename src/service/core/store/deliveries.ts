// Messages to be delivered to customers: stored with the request, removed once delivered.
import type { Database } from '../../../platform/database.ts';
import type { Schema } from './schema.ts';

/**
 * A message to hand over, sealed, with its claim: other replicas do not get it before the instant `claim`. Writes to it
 * take effect only while no other replica has claimed it.
 */
export interface DueDelivery {
  readonly id: string;
  readonly claim: number;
  readonly requestId: string;
  readonly sealed: string;
  readonly attempts: number;
  readonly createdAt: number;
  /** Whether it is the request's own message rather than one requested on its page. */
  readonly announced: boolean;
  /** Whether an attempt was begun whose outcome is unknown. */
  readonly begun: boolean;
}

export interface Deliveries {
  /** Messages that are due, claimed until `until`. */
  claimDue(now: number, until: number, limit: number): Promise<DueDelivery[]>;
  nextDue(): Promise<number | undefined>;
  /** Records that an attempt begins. Its answer may get lost. */
  begin(due: DueDelivery): Promise<void>;
  /** Postpones a message that could not be handed over. `begun`: it is unknown whether it was handed over. */
  postpone(due: DueDelivery, attempts: number, dueAt: number, begun: boolean): Promise<void>;
  drop(due: DueDelivery): Promise<void>;
}

export const makeDeliveries = ({ db, kind }: Database<Schema>): Deliveries => ({
  claimDue: async (now, until, limit) => {
    const due = db.selectFrom('deliveries').where('due_at', '<=', now).orderBy('due_at').limit(limit);
    // A claim postpones the due time, so one query finds unclaimed messages and those of dead replicas, and no two
    // claims are equal. A single replica postpones nothing, so a restart immediately finds the messages that were being
    // handed over.
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
