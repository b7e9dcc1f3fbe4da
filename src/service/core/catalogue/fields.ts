// Fields that several parts of the catalogue share, and the rules for lists and translations.
import { z } from 'zod';
import { type Language, languages } from '../../../platform/text/languages.ts';
import { ownValue } from '../../../platform/text/own-value.ts';
import { decimalsOf } from '../money.ts';

export const filledText = z.string().trim().min(1, 'must not be empty').max(2000, 'must have 2000 characters at most');
export const documentId = z.guid('must be a UUID').toLowerCase();

export const currency = z.string().refine((code) => decimalsOf(code) !== undefined, 'must be a currency code of ISO 4217, for example EUR');

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43,88}$/, 'must be base64url');

/**
 * The account's public key, for which the answers of zero-knowledge forms are encrypted (RFC 7517, RFC 7518 section
 * 6.2), on a curve that every browser supports. Strict, so that a private key is refused rather than served to
 * customers.
 */
export const encryptionKey = z.strictObject({
  kty: z.literal('EC'),
  crv: z.enum(['P-256', 'P-384', 'P-521']),
  x: coordinate,
  y: coordinate,
  kid: z.string().min(1).max(200),
});
export type EncryptionKey = z.output<typeof encryptionKey>;

/** Refuses each item of a list whose name an earlier one has. `path`: where the name is in an item. */
export const distinct =
  <Item>(nameOf: (item: Item) => string, path: readonly string[], message = 'is used twice') =>
  (items: readonly Item[], context: z.RefinementCtx): void => {
    const names = items.map(nameOf);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) !== index) context.addIssue({ code: 'custom', path: [index, ...path], message });
    }
  };

/** An entry's words in languages other than the catalogue's, beside its own. */
export const translations = <Words extends z.ZodType>(words: Words) => z.partialRecord(z.enum(languages), words).default({});

/** An entry's texts in a language, with their language; none if it is not translated. */
export const wordsIn = <Words>(
  { texts }: { readonly texts: Readonly<Partial<Record<Language, Words>>> },
  wanted: string,
  own: string,
): { readonly words?: Words; readonly language: string } => {
  const words = ownValue(texts as Readonly<Record<string, Words | undefined>>, wanted);
  return words === undefined ? { language: own } : { words, language: wanted };
};
