// What customers wish for: the apps that a sentence asks for, one after the other, and what it says about them.

import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js';
import type { AppId } from '../../src/contract/index.ts';
import { parsePhoneNumber } from '../language/phone-number.ts';
import { type Wish, wishesIn } from '../language/recogniser.ts';
import { clausesOf, comparable, phrasesOf } from '../language/words.ts';
import { say } from '../turn/activities.ts';
import { formTitle } from '../turn/catalogue.ts';
import type { FlowWish } from '../turn/offered-flows.ts';
import type { Turn } from '../turn/turn.ts';
import type { AppOptions } from './app-dialog.ts';

/** The wishes in a sentence that customers may have. */
export const allowedWishesIn = (typed: string, { services, t }: Pick<Turn, 'services' | 't'>): readonly Wish[] =>
  wishesIn(typed, t).filter(({ app }) => services.apps.includes(app));

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
