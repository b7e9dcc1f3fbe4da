// Chooses among supported languages by what a browser asks for; reads the language that a channel or client names.
import { z } from 'zod';

const tag = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,5}(?=$|[,;.@ ])/;

/**
 * A language tag (BCP 47), or the first of several (`en-US,en;q=0.9`). Anything else counts as none: what is said in a
 * message matters more than a wrong word about it.
 */
export const languageTag = z.unknown().transform((given) => (typeof given === 'string' ? tag.exec(given)?.[0] : undefined));

/** The primary subtag of a language tag: `es` of `es-MX`. */
export const primaryOf = (tag: string): string => tag.toLowerCase().split('-', 1)[0] ?? '';

/** The first of some primary language subtags that an `Accept-Language` header (RFC 9110, 12.5.4) asks for. */
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
