// The languages the service speaks to customers, and which of them a device asks for.

export const languages = ['en', 'de', 'es', 'fr', 'ar', 'ja'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string): value is Language => languages.some((known) => known === value);

/** The primary subtag of a language tag: `es` of `es-MX`. */
export const primaryOf = (tag: string): string => tag.toLowerCase().split('-', 1)[0] ?? '';

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

/** The first of some primary language subtags that such a header asks for. */
export const preferred = <Tag extends string>(header: string | undefined, among: readonly Tag[]): Tag | undefined => {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined);
      return { language: primaryOf(tag.trim()), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { language } of wanted) {
    const found = among.find((tag) => tag === language);
    if (found !== undefined) return found;
  }
  return undefined;
};
