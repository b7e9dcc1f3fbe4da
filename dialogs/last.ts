// What became of the last request, for those who ask afterwards.
import { isDeclined } from '../cards/index.ts';
import type { Interaction } from '../src/interactions/interaction.ts';
import type { Memory } from './memory.ts';
import type { Turn } from './turn.ts';

/** What a chat remembers of an interaction that is over. */
export const lastOf = ({ app, outcome, state }: Interaction): NonNullable<Memory['last']> => ({
  app,
  ending: outcome ? (isDeclined(outcome) ? 'declined' : outcome.status) : endingOf(state),
});

const endingOf = (state: Interaction['state']) =>
  state === 'expired' || state === 'unresolved' ? 'expired' : state === 'unknown' ? 'unknown' : 'refused';

/** How the last request of this chat ended, in words; `undefined` where there was none. */
export const lastInWords = ({ memory: { last }, t }: Turn): string | undefined =>
  last && t(`last.${last.ending}`, { app: t(`apps.${last.app}.name`) });
