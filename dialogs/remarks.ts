// What the bot says to a greeting, to thanks, to a question about the chat itself, to a wish for another language, and to goodbye.
import { TurnContext } from 'botbuilder';
import type { DialogContext } from 'botbuilder-dialogs';
import { endVerification, standing } from '../src/handoff/index.ts';
import { forgetCaller } from './finding.ts';
import { languageAskedFor, languagesSpoken } from './language.ts';
import { type Remark, remarkIn } from './recogniser.ts';
import { say } from './say.ts';
import type { Turn } from './turn.ts';

/** The answer to what was typed, where it is a remark or the name of a language. The chat speaks that language by then, if it can. */
export const remarkOn = (turn: Turn, typed: string): string | undefined => {
  const remark = remarkIn(typed, turn.t);
  if (remark && remark !== 'goodbye') return answers[remark](turn);
  const language = languageAskedFor(typed, turn.services.textsFor);
  if (language === undefined) return undefined;
  return language === turn.t.language ? turn.t('remarks.language') : turn.t('remarks.languages', { languages: languagesSpoken(turn.t) });
};

const answers: Readonly<Record<Exclude<Remark, 'goodbye'>, (turn: Turn) => string>> = {
  greeting: ({ t }) => t('remarks.greeting'),
  thanks: ({ t }) => t('remarks.thanks'),
  no: ({ t }) => t('remarks.no'),
  scam: ({ t }) => t('remarks.scam'),
  verified: (turn) => {
    const verification = newest(turn);
    if (!verification) return turn.t('remarks.unverified');
    return turn.t('remarks.verified', { until: turn.t.time(verification.until), method: verification.method });
  },
};

/**
 * Whoever says goodbye leaves nobody verified behind, and no number: the next one at this device may be somebody else. What is being asked ends with it; what
 * has been sent is waited for and told.
 */
export const signOut = async (dc: DialogContext, turn: Turn): Promise<void> => {
  const { context, memory, services, t } = turn;
  const text = t(newest(turn) ? 'remarks.signedOut' : 'remarks.goodbye');
  endVerification(memory, services.clock.now());
  forgetCaller(memory);
  delete memory.wishes;
  const waiting = await services.interactions.waitingIn(services.chatOf(context.activity).conversation);
  // The menu asks nothing of anybody in particular.
  if (waiting.length === 0 && dc.activeDialog?.id !== 'menu') await dc.cancelAllDialogs();
  await say(turn, text, { quick: [t('cards.buttons.menu')] });
};

/** The verification of this chat that holds longest. */
const newest = ({ context, memory, services }: Turn) =>
  standing(memory, TurnContext.getConversationReference(context.activity), services.clock.now())
    .toSorted((a, b) => a.until - b.until)
    .at(-1);
