// Transitions as statements.
import { type Kysely, type Selectable, sql } from 'kysely';
import { type Claim, next, type State, statesBefore, type Transition } from '../interactions/index.ts';
import { columnsOf, counts } from './interaction-rows.ts';
import type { InteractionTable, Schema } from './schema.ts';

/** Applies a transition under a claim of this replica; `undefined`: nothing changed. */
export type MoveInteraction = (
  to: Kysely<Schema>,
  claim: Claim,
  transition: Transition,
) => Promise<Selectable<InteractionTable> | undefined>;

/** The state in the WHERE clause also decides between two writers: only the first finds its row. */
export const makeMoves =
  (replicaId: string): MoveInteraction =>
  async (to, { id, epoch }, transition) => {
    const counted = counts(transition) ? { mistyped: sql<number>`mistyped + 1` } : {};
    for (const before of statesBefore(transition.kind)) {
      const state = next(before, transition) as State;
      const row = await to
        .updateTable('interaction')
        .set({ ...columnsOf(transition, before), state, ...counted })
        .where('id', '=', id)
        .where('owner', '=', replicaId)
        .where('epoch', '=', epoch)
        .where('state', '=', before)
        .where('told', '=', 0)
        .returningAll()
        .executeTakeFirst();
      if (row) return row;
    }
    return undefined;
  };
