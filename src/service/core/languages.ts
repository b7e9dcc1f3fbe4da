// The service's languages for customers, and the choice for a device.

import { preferred, primaryOf } from '../../platform/text/accept-language.ts';

export const languages = ['en', 'de', 'es', 'fr', 'ar', 'ja'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string): value is Language => languages.some((known) => known === value);

/** The nearest of our languages to a language tag, or else English. */
export const spokenFor = (tag: string): Language => {
  const primary = primaryOf(tag);
  return isLanguage(primary) ? primary : 'en';
};

/**
 * The language of ours that a device prefers, from its Accept-Language header (RFC 9110, 12.5.4); `fallback` if it
 * names none.
 */
export const negotiate = (header: string | undefined, fallback: Language): Language => preferred(header, languages) ?? fallback;
