// Commands that interrupt any question: help, an agent, stop, start over, or a different wish altogether.

import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js';
import { type AppId, isAppId } from '../../src/contract/index.ts';
import { toAgent } from '../agents/escalation.ts';
import { isPlainRequest } from '../agents/for-bot.ts';
import { awaitsAgent } from '../agents/live-agent.ts';
import { forgetCaller } from '../apps/lookup.ts';
import type { AppEnding, AppOptions } from '../asking/app-dialog.ts';
import { parsePhoneNumber } from '../asking/caller.ts';
import { againQuestion, confirmQuestion, troubleQuestion } from '../asking/offer.ts';
import { isHardship } from '../language/hardship.ts';
import { bareCommandIn, commandIn, type Remark, remarkIn, type Wish, wishesIn } from '../language/recogniser.ts';
import { clausesOf, comparable, phrasesOf } from '../language/words.ts';
import type { DialogContext } from '../sdk.ts';
import { type Extras, say } from '../turn/activities.ts';
import { formTitle } from '../turn/catalogue.ts';
import { languageAskedFor, languagesSpoken } from '../turn/language.ts';
import { lastInWords } from '../turn/memory.ts';
import type { FlowWish } from '../turn/offered-flows.ts';
import { pickedAmong } from '../turn/question-state.ts';
import { innermost, type Turn, turnOf } from '../turn/turn.ts';
import { endProofs, ownVerification, verificationOf } from '../turn/verified.ts';

export type Interruption =
  | { readonly kind: 'handled' }
  | { readonly kind: 'ending'; readonly ending: AppEnding }
  /** The number was wrong; the right one, if it was given. */
  | { readonly kind: 'number'; readonly phoneNumber?: string };

/** Questions that follow the end of an app; naming the app begins it again. */
const afterwards: ReadonlySet<string> = new Set([againQuestion.id, troubleQuestion.id]);

/**
 * The interruption in the typed words, if any; `current` is the app or flow that asks. A wait has its own commands, and
 * a question's choices always win.
 */
export const interruption = async (dc: DialogContext, current: string): Promise<Interruption | undefined> => {
  const turn = turnOf(dc.context);
  const open = innermost(dc);
  if (turn.input.kind !== 'text' || !open) return undefined;
  const { text } = turn.input;
  // Politeness, like everything else that means nothing to the wait, is answered with its progress.
  if (open.id === 'wait') return (await remarkedOn(turn, ['no', 'greeting', 'thanks'])) ? { kind: 'handled' } : undefined;
  if (pickedAmong(turn, text, open.state)) return undefined;
  // If the question takes free text, or a person will read it, only words that are nothing but a command count as one.
  const command = open.state.wordy || awaitsAgent(turn) ? bareCommandIn(text, turn.t) : commandIn(text, turn.t);
  switch (command) {
    case 'help':
      await say(turn, turn.t('help.question'), { answer: 'later' });
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'agent': {
      const escalation = { ...(isAppId(current) && { app: current }), reason: 'asked' } as const;
      // Who cannot pay is not asked on for a payment.
      if (isHardship(text, turn.t)) return { kind: 'ending', ending: { kind: 'agent', escalation } };
      await toAgent(turn, escalation);
      if (!turn.offered) await dc.repromptDialog();
      return { kind: 'handled' };
    }
    case 'status':
    case 'resend':
      await say(turn, sentSoFar(turn, open.id), { answer: 'later' });
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'cancel':
      // If something has been sent, the bot cannot say that nothing was.
      return { kind: 'ending', ending: { kind: 'left', why: open.id === againQuestion.id ? 'menu' : 'cancel' } };
    case 'restart':
      return { kind: 'ending', ending: { kind: 'left', why: 'restart' } };
    case 'number':
      return anotherNumber(turn, text);
    case undefined: {
      if (open.state.wordy) return undefined;
      const another = anotherNumber(turn, text);
      const namesCustomer = open.id === confirmQuestion.id || open.state.options?.choosing !== undefined;
      if (namesCustomer && another.phoneNumber !== undefined) return another;
      // “No” may be the answer to the question.
      if (await remarkedOn(turn, ['no'], 'later')) {
        await dc.repromptDialog();
        return { kind: 'handled' };
      }
      // Other sentences may be meant for the person who is awaited.
      if (awaitsAgent(turn) && !isPlainRequest(turn, text)) return undefined;
      // Nothing has been sent yet, so the new wish is simply followed.
      const flow = turn.services.flows?.wishIn(turn, text);
      if (flow && flow.flow !== current) return { kind: 'ending', ending: { kind: 'flow', wish: flow } };
      const wishes = allowedWishesIn(text, turn);
      if (wishes.every(({ app }) => app === current) && !(wishes.length > 0 && afterwards.has(open.id))) return undefined;
      const wish = await inTurn(turn, wishes);
      return wish && { kind: 'ending', ending: { kind: 'switch', app: wish.app, options: optionsFor(turn, wish) } };
    }
    default:
      return command satisfies never;
  }
};

/** The wishes in a sentence that customers may have. */
export const allowedWishesIn = (typed: string, { services, t }: Pick<Turn, 'services' | 't'>): readonly Wish[] =>
  wishesIn(typed, t).filter(({ app }) => services.apps.includes(app));

const anotherNumber = ({ services }: Turn, text: string): Extract<Interruption, { kind: 'number' }> => {
  const phoneNumber = parsePhoneNumber(text, services.defaultRegion);
  return { kind: 'number', ...(phoneNumber !== undefined && { phoneNumber }) };
};

/** The state of the current request while a question is open: not sent, unless the question follows its end. */
const sentSoFar = (turn: Turn, question: string): string => {
  const last = lastInWords(turn);
  if (last === undefined) return turn.t('help.nothingSent');
  return question === againQuestion.id ? last : turn.t('help.notThis', { last });
};

/** Answers a remark, except those in `but`; returns whether it did. */
const remarkedOn = async (turn: Turn, but: readonly Remark[], answers: NonNullable<Extras['answer']> = 'welcome'): Promise<boolean> => {
  if (turn.input.kind !== 'text') return false;
  const remark = remarkIn(turn.input.text, turn.t);
  const answer = remark && but.includes(remark) ? undefined : remarkOn(turn, turn.input.text);
  if (answer !== undefined) await say(turn, answer, { answer: answers });
  return answer !== undefined;
};

/** An app's title where it is offered: the operator's, or the built-in one. */
export const titleOf = ({ services, t }: Pick<Turn, 'services' | 't'>, app: AppId): string => {
  const title = services.titles?.[app];
  return title ? formTitle({ title }, t.locale) : t(`menu.titles.${app}`);
};

/**
 * The options for a wish: the phone number in it, if any, and its other words, which may name a product or document.
 */
export const optionsFor = ({ services, t }: Turn, { words, phoneNumber: elsewhere }: Pick<Wish, 'words' | 'phoneNumber'>): AppOptions => {
  const numbers = /\p{Nd}/u.test(words) ? findPhoneNumbersInText(words, services.defaultRegion as CountryCode) : [];
  const said = numbers.find(
    // The number of an invoice may look like a phone number.
    ({ startsAt }) => !phrasesOf(t, 'phrases.reference').some((word) => ` ${comparable(words.slice(0, startsAt))}`.endsWith(` ${word}`)),
  );
  const phoneNumber = said && parsePhoneNumber(words.slice(said.startsAt, said.endsAt), services.defaultRegion);
  if (!said || phoneNumber === undefined) return { named: words, ...(elsewhere !== undefined && { phoneNumber: elsewhere }) };
  return { phoneNumber, named: words.slice(0, said.startsAt) + words.slice(said.endsAt) };
};

/** Returns the first of several wishes, stores the others for later and says so. Earlier wishes are forgotten. */
export const inTurn = async (turn: Turn, wishes: readonly Wish[]): Promise<Wish | undefined> => {
  const phoneNumber = wishes.map((wish) => optionsFor(turn, wish).phoneNumber).find(Boolean);
  const [first, ...others] = wishes.map((wish): Wish => ({ ...wish, ...(phoneNumber !== undefined && { phoneNumber }) }));
  delete turn.memory.wishes;
  if (first) await keepForLater(turn, titleOf(turn, first.app), others);
  return first;
};

const keepForLater = async (turn: Turn, first: string, others: readonly Wish[]): Promise<void> => {
  if (others.length === 0) return;
  turn.memory.wishes = others;
  await say(turn, turn.t('wishes.order', { first, rest: wishesLeft(turn) ?? '' }), { answer: 'later' });
};

/** Stores the apps that a sentence asks for beside a flow, which comes first, and says so. */
export const afterFlow = async (turn: Turn, { flow, words }: FlowWish): Promise<void> => {
  const { services, t } = turn;
  const clauses = clausesOf(words, t);
  const others = clauses.filter((clause) => services.flows?.wishIn(turn, clause)?.flow !== flow);
  // Where no clause alone means the flow, its phrase may consist of all of them.
  if (others.length === clauses.length) return;
  const title = services.flows?.described(t).find((one) => one.flow === flow)?.title ?? '';
  await keepForLater(turn, title, allowedWishesIn(others.join(', '), turn));
};

/** The titles of the stored wishes; `undefined` if there are none. */
export const wishesLeft = (turn: Turn): string | undefined =>
  turn.memory.wishes?.map(({ app }) => titleOf(turn, app)).join(', ') || undefined;

/** The next of the stored wishes; says which one it is. */
export const nextWish = async (turn: Turn): Promise<Wish | undefined> => {
  const [next, ...others] = turn.memory.wishes ?? [];
  if (!next) return undefined;
  turn.memory.wishes = others;
  await say(turn, turn.t('wishes.next', { next: titleOf(turn, next.app) }), { answer: 'later' });
  return next;
};

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
