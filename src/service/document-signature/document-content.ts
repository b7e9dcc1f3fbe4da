// A document as it is shown and signed: its text with every blank filled in, fixed when it is sent, and its digest.
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A run of text; `filled` for what was entered into a blank. */
const part = z.strictObject({ text: z.string(), filled: z.boolean() });
export type Part = z.output<typeof part>;

export const documentContent = z.strictObject({
  title: z.string(),
  /** The language of the text, as a language tag. */
  language: z.string(),
  paragraphs: z.array(z.array(part)),
});
export type DocumentContent = z.output<typeof documentContent>;

/**
 * SHA-256 of the text, in hexadecimal: over title and paragraphs in UTF-8, joined by line feeds, which none of them
 * contains. Anybody who has the text can compute it; what is a blank and what is not makes no difference to it.
 */
export const textDigest = ({ title, paragraphs }: DocumentContent): string =>
  createHash('sha256')
    .update([title, ...paragraphs.map((parts) => parts.map(({ text }) => text).join(''))].join('\n'), 'utf8')
    .digest('hex');

/** What a signed document's file is sealed under. */
export const documentContext = (requestId: string) => `document ${requestId}`;
