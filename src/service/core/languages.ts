// The languages the service speaks to customers, and which of them a device asks for.

import { preferred, primaryOf } from '../../platform/accept-language.ts';

export const languages = ['en', 'de', 'es', 'fr', 'ar', 'ja'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string): value is Language => languages.some((known) => known === value);

/** The nearest of our languages to a language tag; English where there is none. */
export const spokenFor = (tag: string): Language => {
  const primary = primaryOf(tag);
  return isLanguage(primary) ? primary : 'en';
};

/**
 * The language of ours that a device prefers, from its Accept-Language header (RFC 9110, 12.5.4); `fallback` where it
 * names none.
 */
export const negotiate = (header: string | undefined, fallback: Language): Language => preferred(header, languages) ?? fallback;
