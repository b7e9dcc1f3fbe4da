// Wishes in words: the app that is begun with what was said about it, and the wishes that come after it.
import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js';
import type { AppId } from '../src/contract/index.ts';
import type { AppOptions } from './app-dialog.ts';
import { parsePhoneNumber } from './caller.ts';
import { formTitle } from './catalogue.ts';
import { plain } from './input.ts';
import { phrasesOf, type Wish } from './recogniser.ts';
import { say } from './say.ts';
import type { Turn } from './turn.ts';

/** What an app is called where it is offered: in the operator's words, or in ours. */
export const titleOf = ({ services, t }: Pick<Turn, 'services' | 't'>, app: AppId): string => {
  const title = services.titles?.[app];
  return title ? formTitle({ title }, t.locale) : t(`menu.titles.${app}`);
};

/** What an app is begun with: the phone number that was said, if any, and the other words, which may name what it is about. */
export const optionsFor = ({ services, t }: Turn, { words }: Wish): AppOptions => {
  const said = findPhoneNumbersInText(words, services.defaultRegion as CountryCode).find(
    // The number of an invoice may look like one of a phone.
    ({ startsAt }) => !phrasesOf(t, 'phrases.reference').some((word) => ` ${plain(words.slice(0, startsAt))}`.endsWith(` ${word}`)),
  );
  const phoneNumber = said && parsePhoneNumber(words.slice(said.startsAt, said.endsAt), services.defaultRegion);
  if (!said || phoneNumber === undefined) return { named: words };
  return { phoneNumber, named: words.slice(0, said.startsAt) + words.slice(said.endsAt) };
};

/** Takes several wishes: answers the first, keeps the others for when it is done, and says so. Wishes from before are forgotten. */
export const inTurn = async (turn: Turn, wishes: readonly Wish[]): Promise<Wish | undefined> => {
  const [first, ...others] = wishes;
  delete turn.memory.wishes;
  if (first && others.length > 0) {
    turn.memory.wishes = others;
    const titles = others.map(({ app }) => titleOf(turn, app));
    await say(turn, turn.t('wishes.order', { first: titleOf(turn, first.app), rest: titles.join(', ') }));
  }
  return first;
};

/** The next of the wishes that were kept, told as such. */
export const nextWish = async (turn: Turn): Promise<Wish | undefined> => {
  const [next, ...others] = turn.memory.wishes ?? [];
  if (!next) return undefined;
  turn.memory.wishes = others;
  await say(turn, turn.t('wishes.next', { next: titleOf(turn, next.app) }));
  return next;
};
