// The languages that the bot, its pages and the service speak: every set of texts has all of them.
import { preferred, primaryOf } from './accept-language.ts';

export const languages = ['en', 'de', 'es', 'fr', 'ar', 'ja'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string): value is Language => languages.some((known) => known === value);

/** The nearest of our languages to a language tag, or else English. */
export const nearestLanguage = (tag: string): Language => {
  const primary = primaryOf(tag);
  return isLanguage(primary) ? primary : 'en';
};

/**
 * The language of ours that a browser or device prefers, from its Accept-Language header (RFC 9110, 12.5.4); `fallback`
 * if it names none.
 */
export const negotiateLanguage = (header: string | undefined, fallback: Language = 'en'): Language =>
  preferred(header, languages) ?? fallback;
