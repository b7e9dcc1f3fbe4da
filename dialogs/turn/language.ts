// Chooses the language: the channel's, until the customer writes in another one or asks for it by name.
import type { Texts } from '../../cards/index.ts';
import { localeIn } from '../language/channel-text.ts';
import { appIn, commandIn, remarkIn } from '../language/recogniser.ts';
import { chatLanguages } from '../language/texts.ts';
import { comparable, readOnce, wordsSaid } from '../language/words.ts';
import type { Activity, DialogState } from '../sdk.ts';
import type { ChannelMemory } from './memory.ts';
import { openIn } from './turn.ts';

/** Follows the channel's language when it changes. The same language as before, or none, changes nothing. */
export const followChannel = (memory: ChannelMemory, activity: Partial<Activity>): void => {
  const locale = localeIn(activity);
  if (!locale || locale === memory.channelLocale) return;
  memory.channelLocale = locale;
  memory.locale = locale;
};

const understood = (typed: string, t: Texts, typos: boolean) =>
  appIn(typed, t, { typos }) ?? commandIn(typed, t, { typos }) ?? remarkIn(typed, t);

/** The other language in which the words make a wish, command or remark, if they make none in the chat's language. */
const spokenInstead = (typed: string, own: Texts, others: readonly Texts[]): Texts | undefined =>
  understood(typed, own, true) ? undefined : others.find((other) => understood(typed, other, false));

/** Languages that people may ask for, ISO 639: the supported ones, and others that are widely spoken. */
const asked: readonly string[] = [
  ...new Set([
    ...chatLanguages,
    ...['ar', 'bg', 'bn', 'ca', 'cs', 'da', 'de', 'el', 'et', 'eu', 'fa', 'fi', 'fr', 'gl', 'he', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'ko'],
    ...['lt', 'lv', 'ms', 'nl', 'no', 'pa', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'so', 'sr', 'sv', 'sw', 'ta', 'th', 'tl', 'tr', 'uk', 'ur'],
    ...['vi', 'zh'],
  ]),
];

const namesIn = (language: string) => new Intl.DisplayNames([language], { type: 'language' });

/**
 * Maps the languages' names, in themselves and in each supported language; the first wins if two share a name. Made
 * when the first customer writes.
 */
let named: ReadonlyMap<string, string> | undefined;
const languagesByName = (): ReadonlyMap<string, string> => {
  if (named) return named;
  const ours = chatLanguages.map(namesIn);
  const names = asked.flatMap((each) => [namesIn(each), ...ours].map((names) => [comparable(names.of(each) ?? each), each] as const));
  named = new Map(names.toReversed());
  return named;
};

/** The language a customer asks for by name, in any supported language or in itself: “español”, “auf Deutsch”. */
export const languageAskedFor = (typed: string, textsFor: TextsFor): string | undefined => askedIn(typed, textsFor('en'), {}, textsFor);

type TextsFor = (locale: string) => Texts;

/** The texts of one language stand for all those of the same bot. */
const askedIn = readOnce((typed, _t, _typos, textsFor: TextsFor): string | undefined => {
  const said = new Set(chatLanguages.flatMap((language) => wordsSaid(typed, textsFor(language), ['phrases.inLanguage'])));
  const byName = languagesByName();
  const found = [...said].flatMap((words) => byName.get(words) ?? []);
  return found.length > 1 ? asked.find((language) => found.includes(language)) : found[0];
});

/** The supported languages, named in the customer's language, as the end of a sentence. */
export const languagesSpoken = ({ locale }: Texts): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(chatLanguages.map((language) => namesIn(locale).of(language) ?? language));

/** Whether the customer is expected to say a wish, rather than to answer a particular question. */
const isWish = (dialogs: DialogState | undefined) => (dialogs?.dialogStack ?? []).every(({ id }) => id === 'menu');

/** The language the customer switches to, by asking for it or by writing a wish in it. */
export const changedTo = (typed: string, dialogs: DialogState | undefined, own: Texts, textsFor: TextsFor): Texts | undefined => {
  // Figures name no language.
  if (!/\p{L}/u.test(typed) || openIn(dialogs).at(-1)?.state?.wordy) return undefined;
  const asked = languageAskedFor(typed, textsFor);
  if (asked === undefined && !isWish(dialogs)) return undefined;
  const others = chatLanguages.map(textsFor).filter(({ language }) => language !== own.language);
  return asked === undefined ? spokenInstead(typed, own, others) : others.find(({ language }) => language === asked);
};
