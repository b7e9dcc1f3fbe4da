// The languages the service speaks to customers, and which of them a device asks for.

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string): value is Language => languages.some((known) => known === value);

/** The language a device prefers among ours, from its Accept-Language header (RFC 9110, 12.5.4); `fallback` when it names none of them. */
export const negotiate = (header: string | undefined, fallback: Language): Language => {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined);
      return { language: tag.trim().split('-', 1)[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { language } of wanted) if (isLanguage(language)) return language;
  return fallback;
};
