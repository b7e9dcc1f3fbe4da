// What the pages say, per language, and which language a browser is greeted in.
import aboutEn from './locales/about.en.json' with { type: 'json' };
import aboutEs from './locales/about.es.json' with { type: 'json' };
import en from './locales/en.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };

export type PageTexts = typeof en;

export const texts = { en, es } satisfies Record<string, PageTexts>;
export type PageLanguage = keyof typeof texts;

/** What stands at `/privacy` and `/terms` where the theme links to nothing. */
export const aboutTexts = { en: aboutEn, es: aboutEs } satisfies Record<PageLanguage, typeof aboutEn>;

export const pageLanguages = Object.keys(texts) as PageLanguage[];

/** A language's name in that language, as a list of languages shows it. */
export const nameOf = (language: PageLanguage) => {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
};

/** The best offered language for an `Accept-Language` header (RFC 9110, 12.5.4), else `fallback`. */
export const chooseLanguage = (acceptLanguage: string | undefined, fallback: PageLanguage): PageLanguage => {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const quality = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
      return { language: range.split('-', 1)[0], quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { language } of wanted) {
    const offered = pageLanguages.find((known) => known === language);
    if (offered) return offered;
  }
  return fallback;
};
