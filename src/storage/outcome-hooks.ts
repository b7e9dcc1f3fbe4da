// Hooks of programs that want to know outcomes, and the outcomes that have yet to be sent to them.
import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { Schema } from './schema.ts';

export interface OutcomeHook {
  readonly id: string;
  /** The program whose outcomes are sent. */
  readonly program: string;
  /** A secret: whoever knows it can post there. */
  readonly url: string;
}

/** An outcome to be sent, claimed by this process. */
export interface OutcomeLetter {
  /** The same in all attempts. */
  readonly id: string;
  readonly hook: OutcomeHook;
  /** The interaction that has ended. */
  readonly subject: string;
  readonly attempts: number;
  /** When (epoch ms) the claim of this process ends. */
  readonly claim: number;
}

export interface OutcomeHooks {
  /** Adds a hook. `false`: the program has as many as it may. */
  add(hook: OutcomeHook, most: number): Promise<boolean>;
  /** Removes a hook. `false`: the program has none of that name. */
  remove(id: string, program: string): Promise<boolean>;
  /** Records that an outcome is due at every hook of the program; recording it again before it is sent adds nothing. */
  note(program: string, subject: string): Promise<void>;
  /** Claims due letters for `ms`: no other process gets them in that time. */
  claim(ms: number, limit: number): Promise<OutcomeLetter[]>;
  /** When the next is due (epoch ms); `undefined` if none is. */
  next(): Promise<number | undefined>;
  /**
   * Records that a letter was sent or is given up, or (`again`) is to be retried in that many milliseconds, or that the
   * attempt does not count (`givenBack`): it is due at once. Does
   * nothing if the claim is lost.
   */
  settle(letter: OutcomeLetter, fate?: { readonly again: number } | { readonly givenBack: true }): Promise<void>;
}

export const makeOutcomeHooks = ({ db, kind, now }: Database<Schema>, newId: () => string): OutcomeHooks => ({
  add: ({ id, program, url }, most) =>
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

  remove: async (id, program) => {
    const { numDeletedRows } = await db.deleteFrom('outcome_hook').where('id', '=', id).where('program', '=', program).executeTakeFirst();
    return numDeletedRows > 0n;
  },

  note: async (program, subject) => {
    const hooks = await db.selectFrom('outcome_hook').select('id').where('program', '=', program).execute();
    if (hooks.length === 0) return;
    await db
      .insertInto('outcome_letter')
      .values(hooks.map(({ id }) => ({ id: newId(), hook_id: id, subject, attempts: 0, due_at: now })))
      .onConflict((conflict) => conflict.columns(['hook_id', 'subject']).doNothing())
      .execute();
  },

  claim: async (ms, limit) => {
    const due = db.selectFrom('outcome_letter').select('outcome_letter.id').where('due_at', '<=', now).orderBy('due_at').limit(limit);
    const rows = await db
      .with('free', () => (kind === 'postgres' ? due.forUpdate().skipLocked() : due))
      .updateTable('outcome_letter')
      .set({ due_at: sql<number>`${now} + cast(${ms} as bigint)` })
      .where('id', 'in', (free) => free.selectFrom('free').select('free.id'))
      .returningAll()
      .execute();
    if (rows.length === 0) return [];
    const named = rows.map(({ hook_id }) => hook_id);
    const hooks = await db.selectFrom('outcome_hook').select(['id', 'program', 'url']).where('id', 'in', named).execute();
    return rows.flatMap(({ id, hook_id, subject, attempts, due_at: claim }) => {
      const hook = hooks.find((one) => one.id === hook_id);
      return hook ? [{ id, hook: { ...hook }, subject, attempts, claim }] : [];
    });
  },

  next: async () => (await db.selectFrom('outcome_letter').select('due_at').orderBy('due_at').limit(1).executeTakeFirst())?.due_at,

  settle: async ({ id, attempts, claim }, fate) => {
    const ours = { id, attempts, due_at: claim };
    if (!fate)
      await db
        .deleteFrom('outcome_letter')
        .where(({ and }) => and(ours))
        .execute();
    else
      await db
        .updateTable('outcome_letter')
        .set('again' in fate ? { attempts: attempts + 1, due_at: sql<number>`${now} + cast(${fate.again} as bigint)` } : { due_at: now })
        .where(({ and }) => and(ours))
        .execute();
  },
});
