// Transitions as statements that are compiled once: every outcome runs two of them.
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { type Claim, next, type State, statesBefore, type Transition } from '../../interactions/index.ts';
import { prepareStatement } from '../../platform/database/prepared-statement.ts';
import type { InteractionTable, Schema } from '../schema.ts';
import { columnsOf, counts } from './interaction-rows.ts';

/** The columns that a transition writes under a claim, and the state that it requires. */
type Move = Claim & Partial<Omit<InteractionTable, 'epoch' | 'id'>> & { readonly before: State };

/** Applies a transition under a claim of this replica; `undefined`: nothing changed. */
export type MoveInteraction = (
  to: Kysely<Schema>,
  claim: Claim,
  transition: Transition,
) => Promise<Selectable<InteractionTable> | undefined>;

/** The state in the WHERE clause also decides between two writers: only the first finds its row. */
export const makeMoves = (db: Kysely<Schema>, replicaId: string): MoveInteraction => {
  const moving = (counted: { mistyped?: RawBuilder<number> }) =>
    prepareStatement(db, (to, { id, epoch, before, ...columns }: Move) =>
      to
        .updateTable('interaction')
        .set({ ...columns, ...counted })
        .where('id', '=', id)
        .where('owner', '=', replicaId)
        .where('epoch', '=', epoch)
        .where('state', '=', before)
        .where('told', '=', 0)
        .returningAll(),
    );
  const plainly = moving({});
  const counting = moving({ mistyped: sql<number>`mistyped + 1` });

  return async (to, { id, epoch }, transition) => {
    const write = counts(transition) ? counting : plainly;
    for (const before of statesBefore(transition.kind)) {
      const state = next(before, transition) as State;
      const [row] = (await write(to, { ...columnsOf(transition, before), state, id, epoch, before })).rows;
      if (row) return row;
    }
    return undefined;
  };
};
