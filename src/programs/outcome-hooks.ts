// Hooks of programs that want to know outcomes, and the outcomes that have yet to be sent to them.
import { claimRows, laterBy } from '../platform/database/claim-rows.ts';
import type { Database } from '../platform/database/database.ts';
import type { ClaimedRow, Settlement } from '../platform/retry-queue.ts';
import { newUlid } from '../platform/secrets/new-id.ts';
import type { OwnedTables } from '../storage/index.ts';
import { outcomeHooks } from './migrations/0021-outcome-hooks.ts';

interface HookSchema {
  /** The address of a program that wants to know outcomes. */
  outcome_hook: { id: string; program: string; url: string; created_at: number };
  /** An outcome that has yet to be sent to a hook: only its subject, since the rest is read when it is sent. */
  outcome_letter: { id: string; hook_id: string; subject: string; attempts: number; due_at: number };
}

export const programTables: OwnedTables = { migrations: () => ({ '0021-outcome-hooks': outcomeHooks }) };

export interface OutcomeHook {
  readonly id: string;
  /** The program whose outcomes are sent. */
  readonly program: string;
  /** A secret: whoever knows it can post there. */
  readonly url: string;
}

/** An outcome to be posted to a hook. */
export interface OutcomeDelivery extends ClaimedRow {
  /** The same in all attempts. */
  readonly id: string;
  readonly hook: OutcomeHook;
  /** The interaction that has ended. */
  readonly subject: string;
}

export type OutcomeHooks = ReturnType<typeof makeOutcomeHooks>;

export const makeOutcomeHooks = (database: Database<HookSchema>) => {
  const { db, now } = database;
  const later = laterBy(now);
  return {
    /** Adds a hook. `false`: the program has as many as it may. */
    add: ({ id, program, url }: OutcomeHook, most: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom('outcome_hook')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('program', '=', program)
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) return false;
        await transaction.insertInto('outcome_hook').values({ id, program, url, created_at: now }).execute();
        return true;
      }),

    /** Removes a hook. `false`: the program has none of that name. */
    remove: async (id: string, program: string): Promise<boolean> => {
      const { numDeletedRows } = await db.deleteFrom('outcome_hook').where('id', '=', id).where('program', '=', program).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Records that an outcome is due at every hook of the program; recording it again before it is sent adds nothing. */
    note: async (program: string, subject: string): Promise<void> => {
      const hooks = await db.selectFrom('outcome_hook').select('id').where('program', '=', program).execute();
      if (hooks.length === 0) return;
      await db
        .insertInto('outcome_letter')
        .values(hooks.map(({ id }) => ({ id: newUlid(), hook_id: id, subject, attempts: 0, due_at: now })))
        .onConflict((conflict) => conflict.columns(['hook_id', 'subject']).doNothing())
        .execute();
    },

    /** Claims what is due for `ms`: no other process gets it in that time. */
    claim: async (ms: number, limit: number): Promise<OutcomeDelivery[]> => {
      const due = db.selectFrom('outcome_letter').select('outcome_letter.id').where('due_at', '<=', now).orderBy('due_at').limit(limit);
      const rows = await claimRows(database, 'outcome_letter', 'id', due, { due_at: later(ms) });
      if (rows.length === 0) return [];
      const named = rows.map(({ hook_id }) => hook_id);
      const hooks = await db.selectFrom('outcome_hook').select(['id', 'program', 'url']).where('id', 'in', named).execute();
      return rows.flatMap(({ id, hook_id, subject, attempts, due_at: claim }) => {
        const hook = hooks.find((one) => one.id === hook_id);
        return hook ? [{ id, hook: { ...hook }, subject, attempts, claim }] : [];
      });
    },

    /** When the next is due (epoch ms); `undefined` if none is. */
    next: async (): Promise<number | undefined> =>
      (await db.selectFrom('outcome_letter').select('due_at').orderBy('due_at').limit(1).executeTakeFirst())?.due_at,

    /** Records what becomes of a delivery. Does nothing if the claim has ended. */
    settle: async ({ id, attempts, claim: due_at }: OutcomeDelivery, fate: Settlement): Promise<void> => {
      const ours = { id, attempts, due_at };
      if ('again' in fate)
        await db
          .updateTable('outcome_letter')
          .set({ attempts: fate.attempts, due_at: later(fate.again) })
          .where(({ and }) => and(ours))
          .execute();
      else
        await db
          .deleteFrom('outcome_letter')
          .where(({ and }) => and(ours))
          .execute();
    },
  };
};
