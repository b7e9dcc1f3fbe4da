// Reads numbers and dates as people write them. An ambiguous one has two readings, for the customer to choose from.
import type { Chrono } from 'chrono-node';
import { casual as arabic } from 'chrono-node/ar';
import { casual as german } from 'chrono-node/de';
import { GB as british, casual as english } from 'chrono-node/en';
import { casual as spanish } from 'chrono-node/es';
import { casual as french } from 'chrono-node/fr';
import { casual as japanese } from 'chrono-node/ja';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ChatLanguage } from './texts.ts';
import { westernDigits } from './words.ts';

/** None: not a number or date. One: clear. Two: ambiguous, the likelier first. */
export type Readings = readonly [] | readonly [string] | readonly [string, string];

/**
 * Removes marks that only set the direction, as in Arabic amounts and dates, and normalises the digits: but “5²” is no
 * 52, nor is “5½” 51.
 */
const plain = (typed: string) => {
  const normal = typed.replace(/\P{No}+/gu, (part) => part.normalize('NFKC'));
  return westernDigits(normal.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')).trim();
};

/** Digits in groups of three, or of two before the last as in India, and a decimal mark; or digits alone. */
const written = (group: string, decimal: string) =>
  new RegExp(`^([-−]?)(\\d{1,15}|[1-9]\\d{0,2}(?:[${group}\\s'’]\\d{2,3}){0,4}[${group}\\s'’]\\d{3})(?:[${decimal}](\\d{1,6}))?$`);
const pointed = written(',', '.');
const commaed = written('.', ',');

const numberBy = (form: RegExp, text: string): string | undefined => {
  const [, sign, whole, fraction] = form.exec(text) ?? [];
  return whole && `${sign ? '-' : ''}${whole.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
};

/** Digits, or groups of three, and up to four decimals, so that every sum is whole. */
const counted = '(\\d{1,7}(?:\\.\\d{1,4})?|\\d{1,3}(?:,\\d{3}){1,2})';
const myriads = new RegExp(`^(?:${counted}億)?(?:${counted}万)?(?:(\\d)千)?(?:(\\d)百)?(\\d{1,4})?$`);

/** A number with the units of Japanese: “1万5千”, “3億2000万”, “1.5万”. */
const byMyriads = (text: string): string | undefined => {
  const [, ...counts] = (/[億万千百]/.test(text) && myriads.exec(text)) || [];
  const units = [100_000_000, 10_000, 1000, 100, 1];
  const value = (count: string, unit: number) => {
    const [whole = '', decimals = ''] = count.replaceAll(',', '').split('.');
    return Number(`${whole}${decimals}`) * (unit / 10 ** decimals.length);
  };
  return counts.length === 0 ? undefined : String(counts.reduce((sum, count = '0', at) => sum + value(count, units[at] ?? 0), 0));
};

/**
 * A number in the locale's form or, if only that makes sense, in the other. `1,500` is fifteen hundred in
 * English; in Spanish it may be one and a half to three decimals, or fifteen hundred as others write it.
 */
export const readNumber = (typed: string, locale: string): Readings => {
  const text = plain(typed);
  const counted = byMyriads(text);
  if (counted !== undefined) return [counted];
  const decimal = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;
  const [own, foreign] = (decimal === ',' ? [commaed, pointed] : [pointed, commaed]).map((form) => numberBy(form, text));
  if (own === undefined) return foreign === undefined ? [] : [foreign];
  // Grouped the locale's way, it is clear. A mark before the last three digits is often a thousands separator.
  return foreign === undefined || foreign === own || !own.includes('.') ? [own] : [own, foreign];
};

/**
 * Marks that may accompany an amount, the longest first: the currency's signs, its code, its name and the words in it
 * (“dollars”).
 */
const marksOf = (formats: readonly Intl.NumberFormat[]): readonly string[] => {
  const written = formats.flatMap((format) =>
    [1, 2, 3, 11].flatMap((amount) => format.formatToParts(amount).flatMap(({ type, value }) => (type === 'currency' ? [value] : []))),
  );
  const words = written.flatMap((name) => [/[\p{Script=Katakana}ー]+/gu, /\p{L}{3,}/gu].flatMap((word) => name.match(word) ?? []));
  return [...new Set([...written, ...words].map((mark) => plain(mark).toLowerCase()))].filter(Boolean).sort((a, b) => b.length - a.length);
};

/** An amount, with or without a currency sign; never negative, never with more decimals than the currency has. */
export const readAmount = (typed: string, locale: string, currency: string | undefined): Readings => {
  if (currency === undefined || !/^[A-Z]{3}$/i.test(currency)) return readNumber(typed, locale);
  const formats = (['symbol', 'narrowSymbol', 'code', 'name'] as const).map(
    (currencyDisplay) => new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }),
  );
  const text = marksOf(formats).reduce((rest, mark) => {
    const small = rest.toLowerCase();
    return (small.startsWith(mark) ? rest.slice(mark.length) : small.endsWith(mark) ? rest.slice(0, -mark.length) : rest).trim();
  }, plain(typed));
  const decimals = formats[0]?.resolvedOptions().maximumFractionDigits ?? 2;
  const readings = readNumber(text, locale).map((value) =>
    value.includes('.') ? value.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : value,
  );
  // If one reading cannot be meant, the input is a slip: the other reading is not assumed.
  const fit = readings.every((value) => !value.startsWith('-') && (value.split('.')[1] ?? '').length <= decimals);
  return fit ? (readings as unknown as Readings) : [];
};

const parsers = { en: english, de: german, es: spanish, fr: french, ar: arabic, ja: japanese } satisfies Record<ChatLanguage, Chrono>;

/** Whether the locale writes the day first; `undefined` if unclear: English without a region, or year first. */
const dayFirst = (locale: string): boolean | undefined => {
  const { language, region } = new Intl.Locale(locale);
  const order = new Intl.DateTimeFormat(locale).formatToParts(0).filter(({ type }) => ['day', 'month', 'year'].includes(type));
  if (order[0]?.type === 'year' || (language === 'en' && region === undefined)) return undefined;
  return order[0]?.type === 'day';
};

/** Words that people add to a day, in any of the languages. */
const beside = /(?<!\p{L})(?:on|the|el|d[ií]a|am|den|dem|der|le|du|في|يوم|بتاريخ)(?!\p{L})|[\s.,،に]/giu;

/** The text as one day with day, month and year given, as the parser reads it. */
const parsedBy = (parser: Chrono, text: string, today: string): string | undefined => {
  const [match, another] = parser.parse(text, { instant: new Date(`${today}T12:00:00Z`), timezone: 0 });
  if (!match || another || match.end || match.start.isCertain('hour')) return undefined;
  const { start } = match;
  const rest = text.replace(match.text, '').replace(beside, '');
  if (rest !== '' || !(['day', 'month', 'year'] as const).every((part) => start.isCertain(part))) return undefined;
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')].map(String);
  const iso = `${year?.padStart(4, '0')}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  return z.iso.date().safeParse(iso).data;
};

/** Nobody means another year: it is a slip, or counted in another calendar. */
const isLikely = (day: string) => day >= '1900' && day < '2201';

/** The text as one day; `undefined` if something would have to be guessed, as the century of a year of two digits. */
const dayBy = (parser: Chrono, text: string, today: string): string | undefined => {
  const day = parsedBy(parser, text, today);
  if (day === undefined || !isLikely(day)) return undefined;
  const yearIsWritten = new RegExp(`(?<!\\d)${day.slice(0, 4)}(?!\\d)`).test(text);
  // “Tomorrow” follows from today.
  return yearIsWritten || parsedBy(parser, text, '2000-01-01') !== day ? day : undefined;
};

const eras = { 明治: [1868, 45], 大正: [1912, 15], 昭和: [1926, 64], 平成: [1989, 31], 令和: [2019, 99] } as const;

/** With the years of Japan's eras as years of the common era: “昭和45年” is 1970. */
const withoutEras = (text: string) =>
  text.replace(/(明治|大正|昭和|平成|令和) ?(元|\d{1,2}) ?年/, (written, era: keyof typeof eras, count: string) => {
    const [first, last] = eras[era];
    const nth = count === '元' ? 1 : Number(count);
    return nth >= 1 && nth <= last ? `${first + nth - 1}年` : written;
  });

/** No day is longer in any language. The library's patterns take the fourth power of the length. */
const longestDay = 60;

/** A day in figures or words, in the locale's language or another we have. @param today the customer's, `YYYY-MM-DD` */
export const readDate = (typed: string, locale: string, today: string): Readings => {
  const text = withoutEras(plain(typed).replace(/\s+/g, ' '))
    // Keyed in on a phone, a day has no marks; others put spaces beside them.
    .replace(/^(\d\d)(\d\d)((?:19|20)\d\d)$/, '$1/$2/$3')
    .replace(/(?<=\d) ?([./-]) ?(?=\d)/g, '$1')
    // Many who write Spanish say “de mayo del 2026”.
    .replace(/ del (?=\d{4}$)/i, ' de ');
  if (text.length > longestDay) return [];
  const [, year, , month = '', day = ''] = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? [];
  if (year) {
    const { data } = z.iso.date().safeParse(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
    return data === undefined || !isLikely(data) ? [] : [data];
  }
  const read = (...by: readonly Chrono[]) => by.map((parser) => dayBy(parser, text, today)).find(Boolean);
  if (!/(?<!\d)\d{1,2}([./-])\d{1,2}\1\d{4}(?!\d)/.test(text)) {
    const { language } = new Intl.Locale(locale);
    const own = parsers[language as ChatLanguage] as Chrono | undefined;
    const found = /\p{L}/u.test(text) ? read(...(own ? [own] : []), ...Object.values(parsers)) : undefined;
    return found === undefined ? [] : [found];
  }
  const [dayBefore, monthBefore] = [read(british, german, spanish, french, arabic), read(english)];
  const first = dayFirst(locale);
  const [own, foreign] = first === false ? [monthBefore, dayBefore] : [dayBefore, monthBefore];
  if (own === undefined || foreign === undefined || own === foreign) return (own ?? foreign) ? [(own ?? foreign) as string] : [];
  return first === undefined ? [own, foreign] : [own];
};

/** Whether it is a day that lacks only the year. */
export const lacksYear = (typed: string, locale: string, today: string): boolean => {
  const [year = ''] = today.split('-');
  const text = plain(typed);
  const whole = [...['/', '-', '.', ' ', ', ', ''].map((mark) => `${text}${mark}${year}`), `${year}年${text}`];
  return !/\d{3}/.test(text) && whole.some((written) => readDate(written, locale, today).length > 0);
};

/** By time zone. Throws a RangeError if there is none of the name. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({
  max: 100,
  memoMethod: (timeZone) => new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }),
});

/** The current day in a time zone, `YYYY-MM-DD`. */
export const dayIn = (timeZone: string | undefined, now: number): string => {
  const format = (zone: string) => formatters.memo(zone).format(now);
  try {
    return format(timeZone ?? 'UTC');
  } catch {
    // Channels may send anything.
    return format('UTC');
  }
};
