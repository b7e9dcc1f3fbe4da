// The writing direction of languages, so that pages and parts of them are laid out accordingly.
import { LRUCache } from 'lru-cache';
import { type Html, html } from './html.ts';

/** In Node, but not yet in the compiler's library (ECMA-402, Intl Locale Info). */
type LocaleWithText = Intl.Locale & { getTextInfo(): { readonly direction?: 'ltr' | 'rtl' } };

/** Cached, since Intl is slow compared with the rest of a short text; bounded, since tags also come from outside. */
const known = new LRUCache<string, 'ltr' | 'rtl'>({
  max: 100,
  memoMethod: (language) => {
    try {
      return (new Intl.Locale(language) as LocaleWithText).getTextInfo().direction ?? 'ltr';
    } catch (fault) {
      if (fault instanceof RangeError) return 'ltr';
      throw fault;
    }
  },
});

/** `rtl` for a language whose usual script runs from right to left; `ltr` for every other, and for an invalid tag. */
export const directionOf = (language: string): 'ltr' | 'rtl' => known.memo(language);

/** The attributes `lang` and `dir` of an element in a language. */
export const inLanguage = (language: string): Html => html`lang="${language}" dir="${directionOf(language)}"`;
