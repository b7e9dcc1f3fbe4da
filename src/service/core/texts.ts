// The texts for customers: ICU messages from one JSON file per language.
import { directionOf } from '../../platform/text/direction.ts';
import type { Language } from '../../platform/text/languages.ts';
import { makeMessages } from '../../platform/text/messages.ts';
import ar from '../locales/ar.json' with { type: 'json' };
import de from '../locales/de.json' with { type: 'json' };
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import fr from '../locales/fr.json' with { type: 'json' };
import ja from '../locales/ja.json' with { type: 'json' };
import { decimalsOf } from './money.ts';

/** The key of a text. Every language has all of them. */
export type TextKey = keyof typeof en;

const locales = { en, de, es, fr, ar, ja } satisfies Record<Language, Record<TextKey, string>>;

/** One language's texts and formats. */
export type Texts = ReturnType<typeof textsOf>;

/** Returns the texts of a language; each message is parsed once. */
export const makeServiceTexts = (): ((language: Language) => Texts) => {
  const all = new Map<Language, Texts>();
  return (language) => {
    const known = all.get(language);
    if (known) return known;
    const made = textsOf(language);
    all.set(language, made);
    return made;
  };
};

const textsOf = (language: Language) => {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const instants = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(language);
  const currencies = new Map<string, Intl.NumberFormat>();
  const currencyFormat = (currency: string) => {
    // Creating one costs more than the rest of a send.
    const known = currencies.get(currency) ?? exactFormat(language, currency);
    currencies.set(currency, known);
    return known;
  };
  return {
    language,
    /** A text with its values filled in, not escaped. */
    t: makeMessages((key: TextKey) => locales[language][key], language),
    // In right-to-left text the dollar sign of `US$` would be separated from its letters.
    money: (amount: number | string, currency: string): string => {
      const written = currencyFormat(currency).format(amount as Intl.StringNumericLiteral | number);
      return directionOf(language) === 'rtl' ? written.replace(/(?<=[A-Z])\$/g, '$$\u200E') : written;
    },
    number: (value: number): string => numbers.format(value),
    /** A calendar day given as `2026-11-20`. */
    day: (isoDate: string): string => days.format(new Date(`${isoDate}T00:00:00Z`)),
    /** The time of an instant on this machine's clock. */
    time: (instant: number): string => times.format(instant),
    /** An instant in full, in UTC. */
    instant: (instant: number): string => instants.format(instant),
  };
};

/**
 * The usual format of a currency, but never rounded: cents are shown if there are any, even if that is unusual.
 */
const exactFormat = (language: string, currency: string) => {
  const usual = new Intl.NumberFormat(language, { style: 'currency', currency });
  const decimals = decimalsOf(currency) ?? 2;
  if ((usual.resolvedOptions().maximumFractionDigits ?? 0) >= decimals) return usual;
  return new Intl.NumberFormat(language, { style: 'currency', currency, minimumFractionDigits: 0, maximumFractionDigits: decimals });
};
