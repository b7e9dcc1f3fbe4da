// Which way a language is written, so that a page or a part of it is laid out from its own side.
import { LRUCache } from 'lru-cache';
import { type Html, html } from './html.ts';

/** What Node has and the compiler's library does not yet (ECMA-402, Intl Locale Info). */
type LocaleWithText = Intl.Locale & { getTextInfo(): { readonly direction?: 'ltr' | 'rtl' } };

/** Asking takes longer than the rest of a short text; tags come from outside too, so not all are kept. */
const known = new LRUCache<string, 'ltr' | 'rtl'>({ max: 100 });

/** `rtl` for a language whose usual script runs from right to left; `ltr` for every other, and for an invalid tag. */
export const directionOf = (language: string): 'ltr' | 'rtl' => {
  const direction = known.get(language) ?? asked(language);
  known.set(language, direction);
  return direction;
};

const asked = (language: string): 'ltr' | 'rtl' => {
  try {
    return (new Intl.Locale(language) as LocaleWithText).getTextInfo().direction ?? 'ltr';
  } catch (fault) {
    if (fault instanceof RangeError) return 'ltr';
    throw fault;
  }
};

/** The attributes `lang` and `dir` of what is written in a language. */
export const inLanguage = (language: string): Html => html`lang="${language}" dir="${directionOf(language)}"`;
