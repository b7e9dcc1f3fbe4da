// The language to speak: the channel's, until the customer writes in another one or asks for it by name.
import type { Texts } from '../cards/index.ts';
import type { Memory } from './memory.ts';
import { appIn, commandIn, remarkIn } from './recogniser.ts';
import type { Activity, DialogState } from './sdk.ts';
import { chatLanguages } from './texts.ts';
import { openIn } from './turn.ts';
import { comparable, wholly, wordsSaid } from './words.ts';

/** Follows the channel's language when it is a new one. The same as before, or none, changes nothing. */
export const followChannel = (memory: Memory, { locale }: Partial<Activity>): void => {
  if (!locale || locale === memory.channelLocale) return;
  memory.channelLocale = locale;
  memory.locale = locale;
};

const understood = (typed: string, t: Texts, typos: boolean) =>
  appIn(typed, t, { typos }) ?? commandIn(typed, t, { typos }) ?? remarkIn(typed, t);

/** The other language in which a wish, a command or a remark makes sense, when it makes none in the chat's own. */
const spokenInstead = (typed: string, own: Texts, others: readonly Texts[]): Texts | undefined =>
  understood(typed, own, true) ? undefined : others.find((other) => understood(typed, other, false));

/** Languages that people may ask for, ISO 639: those of ours, and others that are widely spoken. */
const asked: readonly string[] = [
  ...new Set([
    ...chatLanguages,
    ...['ar', 'bg', 'bn', 'ca', 'cs', 'da', 'de', 'el', 'et', 'eu', 'fa', 'fi', 'fr', 'gl', 'he', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'ko'],
    ...['lt', 'lv', 'ms', 'nl', 'no', 'pa', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'so', 'sr', 'sv', 'sw', 'ta', 'th', 'tl', 'tr', 'uk', 'ur'],
    ...['vi', 'zh'],
  ]),
];

const namesIn = (language: string) => new Intl.DisplayNames([language], { type: 'language' });

/** The names of each language, in itself and in each of ours. Made when the first customer writes. */
let names: ReadonlyMap<string, readonly string[]> | undefined;
const namesOf = (language: string): readonly string[] => {
  const ours = names ? [] : chatLanguages.map(namesIn);
  names ??= new Map(asked.map((each) => [each, [namesIn(each), ...ours].map((named) => comparable(named.of(each) ?? each))]));
  return names.get(language) ?? [];
};

/** The language a customer asks for by name, in any of ours or in its own: “español”, “auf Deutsch”. */
export const languageAskedFor = (typed: string, textsFor: (locale: string) => Texts): string | undefined => {
  const said = chatLanguages.flatMap((language) => wordsSaid(typed, textsFor(language), ['phrases.inLanguage']));
  return wholly(said, asked, namesOf);
};

/** The languages there are, by their names in the customer's own, as the end of a sentence. */
export const languagesSpoken = ({ locale }: Texts): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(chatLanguages.map((language) => namesIn(locale).of(language) ?? language));

/** Whether the customer is expected to say a wish, rather than to answer a particular question. */
const isWish = (dialogs: DialogState | undefined) => (dialogs?.dialogStack ?? []).every(({ id }) => id === 'menu');

/** The language the customer switches to, by asking for it or by writing a wish in it. */
export const changedTo = (
  typed: string,
  dialogs: DialogState | undefined,
  own: Texts,
  textsFor: (locale: string) => Texts,
): Texts | undefined => {
  if (openIn(dialogs).at(-1)?.state?.wordy) return undefined;
  const asked = languageAskedFor(typed, textsFor);
  const others = chatLanguages.map(textsFor).filter(({ language }) => language !== own.language);
  if (asked !== undefined) return others.find(({ language }) => language === asked);
  return isWish(dialogs) ? spokenInstead(typed, own, others) : undefined;
};
