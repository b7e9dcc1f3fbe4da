// Document templates: text with typed blanks.
import { z } from 'zod';
import { formPattern, noPattern } from '../../../platform/text/pattern.ts';
import { isPrintable, plainText } from '../../pdf/printable.ts';
import { currency, distinct, documentId, filledText, translations } from './fields.ts';

/** Text that ends up in a file. */
export const print = filledText.refine((value) => isPrintable(plainText(value)), 'has characters that cannot be printed in a document');

/** What may be filled into a blank. Values travel as strings (docs/interface.md#sends). */
const variableTypes = ['text', 'number', 'date', 'currency', 'boolean', 'choice'] as const;

const variable = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,49}$/, 'must begin with a letter and have letters, digits and underscores only'),
    label: filledText,
    type: z.enum(variableTypes),
    required: z.boolean(),
    currency: currency.optional(),
    choices: z.array(print).min(1).max(50).optional(),
    /** Of a text, in characters. */
    maxLength: z.int().min(1).max(2000).optional(),
    /** What a text must match. Without it, a text holds no web address, e-mail address or phone number. */
    pattern: z.string().max(200).optional(),
    /** Its default value, so that nobody has to be asked for it. */
    prefill: z.literal('customer.name', 'must be customer.name').optional(),
  })
  .refine(({ type, maxLength }) => maxLength === undefined || type === 'text', { path: ['maxLength'], message: 'must be of a text' })
  .refine(({ type, pattern }) => pattern === undefined || type === 'text', { path: ['pattern'], message: 'must be of a text' })
  .refine(({ pattern }) => pattern === undefined || formPattern(pattern) !== undefined, { path: ['pattern'], message: noPattern })
  .refine(({ type, prefill }) => prefill === undefined || type === 'text', { path: ['prefill'], message: 'must be of a text' })
  .refine(({ type, choices }) => type !== 'choice' || choices !== undefined, { path: ['choices'], message: 'must be given for a choice' })
  .refine((given) => given.type !== 'currency' || given.currency !== undefined, {
    path: ['currency'],
    message: 'must be given for a currency',
  });
export type Variable = z.output<typeof variable>;

/** A blank in a paragraph: `{{name}}`. */
export const blank = /\{\{\s*(\w+)\s*\}\}/g;

/** A passage of a paragraph that is left out when a blank in it stays empty: `[[from {{startDate}} on]]`. */
export const passage = /\[\[((?:(?!\[\[|\]\]).)*)\]\]/gs;

/** A document that can be sent: paragraphs, with blanks for its variables. */
export const documentTemplate = z
  .strictObject({
    id: documentId,
    title: print,
    paragraphs: z.array(print).min(1).max(100),
    variables: z
      .array(variable)
      .max(50)
      .superRefine(distinct(({ name }) => name, ['name'])),
    texts: translations(
      z.strictObject({
        title: print,
        paragraphs: z.array(print).min(1).max(100),
        /** Of variables, by their names. */
        labels: z.record(z.string(), filledText).default({}),
      }),
    ),
  })
  .superRefine(({ paragraphs, variables, texts }, context) => {
    const names = variables.map(({ name }) => name);
    const check = (all: readonly string[], path: readonly string[]) => {
      for (const [index, paragraph] of all.entries()) {
        const wrong = (message: string) => context.addIssue({ code: 'custom', path: [...path, 'paragraphs', index], message });
        if (/\[\[|\]\]/.test(paragraph.replace(passage, '$1'))) wrong('has [[ and ]] that do not belong together');
        for (const [, name = ''] of paragraph.matchAll(blank)) {
          if (!names.includes(name)) wrong(`has a blank for ${name}, which is no variable`);
        }
      }
    };
    check(paragraphs, []);
    for (const [language, words] of Object.entries(texts)) {
      check(words.paragraphs, ['texts', language]);
      for (const name of Object.keys(words.labels)) {
        if (!names.includes(name))
          context.addIssue({ code: 'custom', path: ['texts', language, 'labels', name], message: 'names no variable' });
      }
    }
  });
