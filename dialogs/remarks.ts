// What the bot says to a greeting, to thanks, to a question about the chat itself, and to a wish for another language.
import { TurnContext } from 'botbuilder';
import { standing } from '../src/handoff/index.ts';
import { languageAskedFor, languagesSpoken } from './language.ts';
import { type Remark, remarkIn } from './recogniser.ts';
import type { Turn } from './turn.ts';

/** The answer to what was typed, where it is a remark or the name of a language. The chat speaks that language by then, if it can. */
export const remarkOn = (turn: Turn, typed: string): string | undefined => {
  const remark = remarkIn(typed, turn.t);
  if (remark) return answers[remark](turn);
  const language = languageAskedFor(typed, turn.services.textsFor);
  if (language === undefined) return undefined;
  return language === turn.t.language ? turn.t('remarks.language') : turn.t('remarks.languages', { languages: languagesSpoken(turn.t) });
};

const answers: Readonly<Record<Remark, (turn: Turn) => string>> = {
  greeting: ({ t }) => t('remarks.greeting'),
  thanks: ({ t }) => t('remarks.thanks'),
  no: ({ t }) => t('remarks.no'),
  scam: ({ t }) => t('remarks.scam'),
  // Whoever says goodbye leaves nobody verified behind: the next one at this device may be somebody else.
  goodbye: (turn) => {
    const text = turn.t(newest(turn) ? 'remarks.signedOut' : 'remarks.goodbye');
    delete turn.memory.verified;
    return text;
  },
  verified: (turn) => {
    const verification = newest(turn);
    if (!verification) return turn.t('remarks.unverified');
    return turn.t('remarks.verified', { until: turn.t.time(verification.until), method: verification.method });
  },
};

/** The verification of this chat that holds longest. */
const newest = ({ context, memory, services }: Turn) =>
  standing(memory.verified, TurnContext.getConversationReference(context.activity), services.clock.now())
    .toSorted((a, b) => a.until - b.until)
    .at(-1);
