// What is said to the bot and asks for nothing: greetings, thanks, questions about the chat itself, and goodbye.

import { bareCommandIn, type Remark, remarkIn } from '../language/recogniser.ts';
import type { DialogContext } from '../sdk.ts';
import { type Extras, say } from '../turn/activities.ts';
import { languageAskedFor, languagesSpoken } from '../turn/language.ts';
import type { Turn } from '../turn/turn.ts';
import { endProofs, ownVerification, verificationOf } from '../turn/verified.ts';
import { forgetCaller } from './caller.ts';

/** The answer to a remark or to the name of a language. By now the chat speaks that language, if it can. */
export const remarkOn = (turn: Turn, typed: string): string | undefined => {
  // Where nobody asks for a number, one that is wrong is the bot's.
  const misdialled = turn.channel.segments && bareCommandIn(typed, turn.t) === 'number';
  const remark = misdialled ? 'sender' : remarkIn(typed, turn.t);
  if (remark && remark !== 'goodbye') return answers[remark](turn);
  const language = languageAskedFor(typed, turn.services.textsFor);
  if (language === undefined) return undefined;
  return language === turn.t.language ? turn.t('remarks.language') : turn.t('remarks.languages', { languages: languagesSpoken(turn.t) });
};

/** The customer's verification in this chat, in words. */
const verificationInWords = (turn: Turn): string => {
  const verification = ownVerification(turn);
  switch (verification.state) {
    case 'verified':
      return turn.t('remarks.verified', { until: turn.t.time(verification.until), method: verification.method });
    case 'expired':
      return turn.t('remarks.expired', { until: turn.t.time(verification.until) });
    case 'failed':
      return turn.t('remarks.failed', { count: verification.tries });
    case 'none':
      return turn.t('remarks.unverified');
    default:
      return verification satisfies never;
  }
};

const answers: Readonly<Record<Exclude<Remark, 'goodbye'>, (turn: Turn) => string>> = {
  greeting: ({ t }) => t('remarks.greeting'),
  thanks: ({ t }) => t('remarks.thanks'),
  no: ({ t }) => t('remarks.no'),
  scam: ({ t }) => t('remarks.scam'),
  verified: verificationInWords,
  identity: (turn) => (ownVerification(turn).state === 'none' ? turn.t('remarks.identity') : verificationInWords(turn)),
  account: ({ t }) => t('remarks.account'),
  sender: ({ services: { sender }, t }) => t('remarks.sender', { sender: sender ?? '', named: sender === undefined ? 'no' : 'yes' }),
};

/**
 * Goodbye ends the verification and forgets the number: the next person at this device may be another. The open
 * question ends with it; the outcome of an open request is still delivered.
 */
export const signOut = async (dc: DialogContext, turn: Turn): Promise<void> => {
  const { context, memory, services, t } = turn;
  const text = t(verificationOf(turn).state === 'verified' ? 'remarks.signedOut' : 'remarks.goodbye');
  endProofs(turn);
  forgetCaller(memory);
  delete memory.wishes;
  const waiting = await services.interactions.waitingIn(services.chatOf(context.activity).conversation);
  // The menu's question is for anybody.
  if (waiting.length === 0 && dc.activeDialog?.id !== 'menu') await dc.cancelAllDialogs();
  const over = turn.channel.voice && waiting.length === 0;
  await say(turn, text, { quick: [t('cards.buttons.menu')], ...(over && { answer: 'later' }) });
  // Nobody is left to say more, unless an outcome is still awaited.
  if (over) await context.sendActivity({ type: 'endOfConversation', code: 'completedSuccessfully' });
};

/** Answers a remark, except those in `but`; returns whether it did. */
export const remarkedOn = async (
  turn: Turn,
  but: readonly Remark[],
  answers: NonNullable<Extras['answer']> = 'welcome',
): Promise<boolean> => {
  if (turn.input.kind !== 'text') return false;
  const remark = remarkIn(turn.input.text, turn.t);
  const answer = remark && but.includes(remark) ? undefined : remarkOn(turn, turn.input.text);
  if (answer !== undefined) await say(turn, answer, { answer: answers });
  return answer !== undefined;
};
