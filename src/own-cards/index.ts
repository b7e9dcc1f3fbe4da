// The room's doorway: an operator's own cards in place of ours.
import type { Capability } from '../compose/bot/capability.ts';

export const ownCards: Capability<{
  /** A folder of card templates that replace our cards (docs/operations.md). Unset: none. */
  readonly cards?: string | undefined;
}> = {
  name: 'own cards',
  open: async ({ log }, { cards }) => {
    if (cards === undefined) return undefined;
    const { readOwnCards } = await import('./own-cards.ts');
    return { dialogs: { redraw: readOwnCards(cards, log) } };
  },
};
