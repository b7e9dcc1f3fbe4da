// Form definitions: a title and Adaptive Card inputs, which form designers know (adaptivecards.io/explorer).
import { z } from 'zod';
import { ownValue } from '../../../platform/text/own-value.ts';
import { formPattern, noPattern } from '../../../platform/text/pattern.ts';
import { distinct, documentId, filledText, translations, wordsIn } from './fields.ts';

const input = {
  id: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,49}$/, 'must begin with a letter and have letters, digits, hyphens and underscores only'),
  label: filledText,
  isRequired: z.boolean().default(false),
  /** The error for an invalid answer, in the form's words. */
  errorMessage: filledText.optional(),
};
/** The browser's autofill field name, for example `street-address` or `bday`. */
const autocomplete = z.string().max(50).optional();
const isoDate = z.iso.date('must be a date such as 2026-11-20');
const isoTime = z.iso.time({ precision: -1, message: 'must be a time such as 09:30' });
const textInput = z.strictObject({
  type: z.literal('Input.Text'),
  ...input,
  isMultiline: z.boolean().default(false),
  maxLength: z.int().min(1).max(2000).default(500),
  placeholder: filledText.optional(),
  regex: z.string().max(200).optional(),
  style: z.enum(['text', 'tel', 'email', 'url']).default('text'),
  autocomplete,
});
const numberInput = z.strictObject({ type: z.literal('Input.Number'), ...input, min: z.number().optional(), max: z.number().optional() });
const dateInput = z.strictObject({
  type: z.literal('Input.Date'),
  ...input,
  min: isoDate.optional(),
  max: isoDate.optional(),
  autocomplete,
});
const timeInput = z.strictObject({ type: z.literal('Input.Time'), ...input, min: isoTime.optional(), max: isoTime.optional() });
const toggleInput = z.strictObject({ type: z.literal('Input.Toggle'), ...input, title: filledText });
const choiceInput = z.strictObject({
  type: z.literal('Input.ChoiceSet'),
  ...input,
  isMultiSelect: z.boolean().default(false),
  style: z.enum(['compact', 'expanded']).default('compact'),
  choices: z
    .array(z.strictObject({ title: filledText, value: z.string().min(1).max(200) }))
    .min(1)
    .max(50),
});

/** One question of a form. */
const formInput = z.discriminatedUnion('type', [textInput, numberInput, dateInput, timeInput, toggleInput, choiceInput]);
export type FormInput = z.output<typeof formInput>;

/** An answer: text, a number, yes or no, or several choices. */
const formValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type FormValue = z.output<typeof formValue>;

/** A form's fields. `sample`: the answers of the test number that succeeds automatically. */
export const formFields = {
  id: documentId,
  title: filledText,
  introduction: filledText.optional(),
  zeroKnowledge: z.boolean().default(false),
  body: z.array(formInput).min(1).max(40),
  sample: z.record(z.string(), formValue).default({}),
};

/** An input's texts in another language, as far as they differ; the titles of choices by their values. */
const inputWords = z.strictObject({
  label: filledText.optional(),
  title: filledText.optional(),
  placeholder: filledText.optional(),
  errorMessage: filledText.optional(),
  choices: z.record(z.string(), filledText).default({}),
});
const formWords = z.strictObject({
  title: filledText,
  introduction: filledText.optional(),
  inputs: z.record(z.string(), inputWords).default({}),
});

const body = formFields.body.superRefine(distinct(({ id }) => id, ['id'], 'is used twice in this form'));

/** A form that can be sent. */
export const form = z
  .strictObject({ ...formFields, body, texts: translations(formWords) })
  .superRefine(({ body, sample, texts }, context) => {
    const ids = body.map(({ id }) => id);
    // Checked here and not with the field: a form that was sent before stays readable.
    for (const [index, input] of body.entries()) {
      if (input.type !== 'Input.Text' || input.regex === undefined || formPattern(input.regex)) continue;
      context.addIssue({ code: 'custom', path: ['body', index, 'regex'], message: noPattern });
    }
    for (const key of Object.keys(sample)) {
      if (!ids.includes(key)) context.addIssue({ code: 'custom', path: ['sample', key], message: 'names no input of this form' });
    }
    for (const [language, { inputs }] of Object.entries(texts)) {
      for (const [id, words] of Object.entries(inputs)) {
        const wrong = (path: readonly string[], message: string) =>
          context.addIssue({ code: 'custom', path: ['texts', language, 'inputs', id, ...path], message });
        const input = body.find((one) => one.id === id);
        if (!input) wrong([], 'names no input of this form');
        const values = input?.type === 'Input.ChoiceSet' ? input.choices.map(({ value }) => value) : [];
        for (const value of Object.keys(words.choices))
          if (!values.includes(value)) wrong(['choices', value], 'is no choice of this input');
      }
    }
  });
export type Form = z.output<typeof form>;

/** A form in a language, with the language of its title. Untranslated texts stay as they are. */
export const formIn = ({ texts, ...form }: Form, wanted: string, own: string) => {
  const { words, language } = wordsIn({ texts }, wanted, own);
  if (!words) return { ...form, language };
  const { inputs, ...head } = words;
  return { ...form, ...given(head), body: form.body.map((input) => inputIn(input, ownValue(inputs, input.id))), language };
};

const inputIn = (input: FormInput, words: z.output<typeof inputWords> | undefined): FormInput => {
  if (!words) return input;
  const { choices, ...rest } = words;
  const changed = { ...input, ...given(rest) };
  if (changed.type !== 'Input.ChoiceSet') return changed;
  return { ...changed, choices: changed.choices.map(({ title, value }) => ({ value, title: ownValue(choices, value) ?? title })) };
};

/** Without undefined fields, which would override defined ones. */
const given = <Words extends object>(words: Words) =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)) as { [Key in keyof Words]: NonNullable<Words[Key]> };
