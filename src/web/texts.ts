// The pages' texts in each language.
import { type Language, languages } from '../platform/text/languages.ts';
import aboutAr from './locales/about.ar.json' with { type: 'json' };
import aboutDe from './locales/about.de.json' with { type: 'json' };
import aboutEn from './locales/about.en.json' with { type: 'json' };
import aboutEs from './locales/about.es.json' with { type: 'json' };
import aboutFr from './locales/about.fr.json' with { type: 'json' };
import aboutJa from './locales/about.ja.json' with { type: 'json' };
import ar from './locales/ar.json' with { type: 'json' };
import de from './locales/de.json' with { type: 'json' };
import en from './locales/en.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };
import fr from './locales/fr.json' with { type: 'json' };
import ja from './locales/ja.json' with { type: 'json' };

export type PageTexts = typeof en;

export const texts = { en, de, es, fr, ar, ja } satisfies Record<Language, PageTexts>;

/** The contents of `/privacy` and `/terms` if the theme has no links. */
export const aboutTexts = { en: aboutEn, de: aboutDe, es: aboutEs, fr: aboutFr, ar: aboutAr, ja: aboutJa } satisfies Record<
  Language,
  typeof aboutEn
>;

/** An operator's texts that replace the chat page's, by language and key. */
export type OwnPageTexts = Readonly<Partial<Record<Language, ReadonlyMap<string, string>>>>;

/** The texts of the chat page in a language, by key. */
export const pageMessagesOf = (language: Language): ReadonlyMap<string, string> => new Map(Object.entries(texts[language]));

/** The texts of the chat page, with an operator's own in their places. */
export const textsWith = (own: OwnPageTexts): typeof texts =>
  Object.fromEntries(
    languages.map((language) => [language, { ...texts[language], ...Object.fromEntries(own[language] ?? []) }]),
  ) as typeof texts;

/** A language's name in that language, for the list of languages. */
export const nameOf = (language: Language) => {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
};
