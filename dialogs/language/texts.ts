// The languages the bot speaks: messages from locales/<language>.json, formats from Intl.
import { LRUCache } from 'lru-cache';
import { signsFirst, type TextKey, type Texts, type TextValues } from '../../cards/index.ts';
import type { AppId } from '../../src/contract/index.ts';
import { directionOf } from '../../src/platform/text/direction.ts';
import { isLanguage, type Language, languages } from '../../src/platform/text/languages.ts';
import { makeMessages } from '../../src/platform/text/messages.ts';
import { isTimeZone } from '../../src/platform/time/clock.ts';
import ar from '../locales/ar.json' with { type: 'json' };
import de from '../locales/de.json' with { type: 'json' };
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import fr from '../locales/fr.json' with { type: 'json' };
import ja from '../locales/ja.json' with { type: 'json' };
import type { OwnTexts } from './message-faults.ts';
import { withoutAccents } from './segments.ts';
import { asSaid, type SaidAs } from './speech.ts';

/** The texts that every app needs, so that an app without them does not compile. */
interface AppTexts {
  readonly apps: { readonly [Id in AppId]: { readonly name: string; readonly description: string } };
  readonly cards: {
    readonly [Id in AppId]: { readonly [Card in 'confirm' | 'waiting']: { readonly title: string; readonly text: string } };
  };
  readonly menu: { readonly titles: { readonly [Id in AppId]: string } };
  readonly phrases: { readonly apps: { readonly [Id in AppId]: string } };
}

const locales = { en, de, es, fr, ar, ja } satisfies Record<Language, AppTexts>;

/** A language that has texts. */
export type ChatLanguage = Language;
export const chatLanguages: readonly ChatLanguage[] = languages;

interface Tree {
  readonly [key: string]: string | Tree;
}

/** The messages of a language by their whole key. */
export const messagesOf = (language: ChatLanguage): ReadonlyMap<TextKey, string> => {
  const flatten = (tree: Tree, prefix: string): [string, string][] =>
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
    );
  return new Map(flatten(locales[language], '')) as ReadonlyMap<string, string> as ReadonlyMap<TextKey, string>;
};

/** A key without a text: a mistake in the program, not of its users. */
export class UnknownText extends Error {
  override readonly name = 'UnknownText';
  readonly code = 'unknown_text';
  readonly key: string;
  constructor(key: string) {
    super(`no text has the key ${key}`);
    this.key = key;
  }
}

/** The language and formats for a tag: its region's formats if we have the language, else the fallback's. */
const negotiate = (tag: string | undefined, fallback: ChatLanguage): { language: ChatLanguage; locale: string } => {
  try {
    const { baseName, language } = new Intl.Locale((tag ?? '').replaceAll('_', '-'));
    if (isLanguage(language)) return { language, locale: baseName };
  } catch {
    // Not a language tag: channels may send anything.
  }
  return { language: fallback, locale: fallback };
};

/** A time zone that exists, else none. */
const zoneOf = (name = '') => (isTimeZone(name) ? name : undefined);

/** Epoch milliseconds; `undefined` for anything that is not a valid date. */
const instantOf = (value: string | number | Date): number | undefined => {
  const instant = new Date(value).getTime();
  return Number.isNaN(instant) ? undefined : instant;
};

/** Neither days nor the time of day change within it, in any time zone of today (epoch ms). */
const minute = 60_000;

const asText = (value: string | number | Date) => (typeof value === 'string' ? value : '');

// Written out, these would be hundreds of zeros.
const isExtreme = (value: number) => value !== 0 && (Math.abs(value) >= 1e15 || Math.abs(value) < 1e-6);

/** Shown for a date or number that cannot be shown. */
const nothing = '–';

export interface TextsOptions {
  /** Spoken where the wanted language has no texts. */
  readonly fallback?: ChatLanguage;
  /** The customer's IANA time zone. Without it (or with one that does not exist) times are in UTC and say so. */
  readonly timeZone?: string | undefined;
  /** Values that every message may use: `person: 'no'` if no agent can be reached. */
  readonly always?: TextValues;
  /** How the texts reach the customer, if not on a screen. Some texts have another form for it, under its name. */
  readonly way?: Way | undefined;
  /** Messages that replace the built-in ones. Unset: none. */
  readonly own?: OwnTexts | undefined;
  /** Bodies of cards that replace the built-in ones. Unset: none. */
  readonly redraw?: Texts['redraw'];
}

/** `heard` on a phone; `brief`, where each message is paid for by its length. */
export const ways = ['heard', 'brief'] as const;
export type Way = (typeof ways)[number];

/** The texts and formats of a language tag, for example `es-MX`. Keep it: messages are compiled once per object. */
export const makeTexts = (tag?: string, { fallback = 'en', timeZone, always, way, own = {}, redraw }: TextsOptions = {}): Texts => {
  const { language, locale } = negotiate(tag, fallback);
  const messages: ReadonlyMap<string, string> = new Map([...messagesOf(language), ...(own[language] ?? [])]);
  const zone = zoneOf(timeZone);
  const dateStyle = way === 'heard' ? 'long' : 'medium';
  const day = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: zone ?? 'UTC' });
  const plainDay = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' });
  const clock = new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone ?? 'UTC',
    ...(zone === undefined && { timeZoneName: way === 'heard' ? 'long' : 'short' }),
  });
  const numbers = new Intl.NumberFormat(locale, { maximumSignificantDigits: 15, useGrouping: false });
  const amounts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
  const currencies = new LRUCache<string, Intl.NumberFormat>({ max: 50 });

  const messageOf = (key: TextKey): string => {
    const found = (way && messages.get(`${way}.${key}`)) ?? messages.get(key);
    if (found === undefined) throw new UnknownText(key);
    // Only the messages themselves: the values filled in may be names.
    return way === 'brief' ? withoutAccents(found) : found;
  };
  const written = makeMessages(messageOf, locale, always);

  /** Formatting costs more than the rest of a card, and most instants shown lie in the last minutes. */
  const remember = (format: Intl.DateTimeFormat) => {
    const formatted = new LRUCache<number, string>({ max: 100 });
    return (instant: number): string => {
      const slot = Math.floor(instant / minute);
      // The marks between the figures of an Arabic day become gaps on cards, which take out all such marks.
      const known = formatted.get(slot);
      if (known !== undefined) return known;
      const made = format.format(instant).replace(/\u200F/g, '');
      formatted.set(slot, made);
      return made;
    };
  };
  const dayOf = remember(day);
  const timeOf = remember(clock);

  const direction = directionOf(language);
  const say = direction === 'rtl' ? (key: TextKey, values?: TextValues) => signsFirst(written(key, values)) : written;

  /** The machine's form is made only for voices. */
  const said = (as: SaidAs, words: string, machine: () => string) => (way === 'heard' ? asSaid(as, words, machine()) : words);
  const money = (amount: number, currency: string) => {
    if (!Number.isFinite(amount)) return nothing;
    const format =
      currencies.get(currency) ??
      (/^[A-Za-z]{3}$/.test(currency)
        ? new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: way === 'heard' ? 'name' : 'symbol' })
        : undefined);
    if (!format) return `${amounts.format(amount)} ${currency}`.trim();
    currencies.set(currency, format);
    return said(
      'currency',
      format.format(amount),
      () => `${amount.toFixed(format.resolvedOptions().maximumFractionDigits ?? 2)} ${currency.toUpperCase()}`,
    );
  };
  // Canada writes days as ISO 8601 does.
  const isoDay = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone ?? 'UTC' });
  const list = new Intl.ListFormat(locale, { type: 'disjunction' });

  return Object.assign(say, {
    ...(redraw && { redraw: ((kind, shown) => redraw(kind, { language, direction, ...shown })) satisfies Texts['redraw'] }),
    language,
    direction,
    locale,
    money,
    date: (value: string | number | Date) => {
      const instant = instantOf(value);
      if (instant === undefined) return asText(value);
      if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))
        return said('date', plainDay.format(instant).replace(/\u200F/g, ''), () => value);
      return said('date', dayOf(instant), () => isoDay.format(instant));
    },
    time: (value: string | number | Date) => {
      const instant = instantOf(value);
      return instant === undefined ? asText(value) : timeOf(instant);
    },
    digits: (figures: string) => said('characters', figures, () => figures),
    either: (things: readonly string[]) => list.format(things),
    number: (value: number) => (Number.isFinite(value) ? (isExtreme(value) ? String(value) : numbers.format(value)) : nothing),
  });
};

/** Keeps the texts of the languages and time zones in use, up to a bound: both come from outside. */
export const makeTextsFor = (
  fallback: ChatLanguage = 'en',
  always?: (way: Way | undefined) => TextValues,
  { own, redraw }: Pick<TextsOptions, 'own' | 'redraw'> = {},
) => {
  const kept = new LRUCache<string, Texts>({ max: 100 });
  /** Maps a tag and a zone as given to their texts; parsing either costs more than a card. */
  const said = new LRUCache<string, Texts>({ max: 200 });
  const read = (tag: string | undefined, timeZone: string | undefined, way: Way | undefined): Texts => {
    const { locale } = negotiate(tag, fallback);
    const zone = zoneOf(timeZone);
    const key = `${locale} ${zone ?? ''} ${way ?? ''}`;
    const texts =
      kept.get(key) ?? makeTexts(locale, { fallback, timeZone: zone, way, own, redraw, ...(always && { always: always(way) }) });
    kept.set(key, texts);
    return texts;
  };
  return (tag?: string, timeZone?: string, way?: Way): Texts => {
    const key = JSON.stringify([tag, timeZone, way]);
    const known = said.get(key);
    if (known) return known;
    const texts = read(tag, timeZone, way);
    // Longer, it is no language tag or time zone, so not worth caching.
    if (key.length <= 200) said.set(key, texts);
    return texts;
  };
};
