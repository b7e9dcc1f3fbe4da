// Reading a form's answers from what the customer's browser posted. The page's own checks are a courtesy; these decide.
import { z } from 'zod';
import type { FormAnswer } from '../../contract/index.ts';
import type { FieldError } from '../../platform/http/http-problem.ts';
import { formPattern } from '../../platform/text/pattern.ts';
import type { FormInput, FormValue } from '../core/catalogue/form.ts';
import type { Checked } from '../core/issues.ts';
import type { Texts } from '../core/texts.ts';
import { choiceName, fieldName } from './form-inputs.ts';

type Entered = Readonly<Record<string, string>>;

/** How an answer's type is named in a result. */
export const answerType = (input: FormInput): string => {
  if (input.type === 'Input.ChoiceSet') return input.isMultiSelect ? 'choices' : 'choice';
  return input.type.replace('Input.', '').toLowerCase();
};

/** The answers given, in the form's order. Unanswered questions are left out, but a toggle is always yes or no. */
export const readAnswers = (body: readonly FormInput[], entered: Entered, texts: Texts): Checked<FormAnswer[]> => {
  const answers: FormAnswer[] = [];
  const errors: FieldError[] = [];
  for (const input of body) {
    const read = readAnswer(input, entered, texts);
    if (typeof read === 'object' && 'wrong' in read) errors.push({ path: fieldName(input), message: input.errorMessage ?? read.wrong });
    else if (read !== undefined) answers.push({ type: answerType(input), key: input.id, value: read });
  }
  return errors.length > 0 ? { errors } : { value: answers };
};

type Read = FormValue | { readonly wrong: string } | undefined;

const readAnswer = (input: FormInput, entered: Entered, { t, number }: Texts): Read => {
  const missing: Read = input.isRequired ? { wrong: t('error.required') } : undefined;
  if (input.type === 'Input.Toggle') {
    const on = entered[fieldName(input)] === 'on';
    return on || !input.isRequired ? on : missing;
  }
  if (input.type === 'Input.ChoiceSet' && input.isMultiSelect) {
    const chosen = input.choices.filter((_, index) => entered[choiceName(input, index)] === 'on').map(({ value }) => value);
    return chosen.length > 0 ? chosen : missing;
  }
  // A browser posts line breaks as CR LF; the limits count what the customer typed.
  const raw = (entered[fieldName(input)] ?? '').replaceAll('\r\n', '\n').trim();
  if (raw === '') return missing;
  switch (input.type) {
    case 'Input.Text':
      if (raw.length > input.maxLength) return { wrong: t('error.long', { max: input.maxLength }) };
      if (input.style === 'email' && !z.email().safeParse(raw).success) return { wrong: t('error.email') };
      if (input.regex !== undefined && formPattern(input.regex)?.matches(raw) === false) return { wrong: t('error.format') };
      return raw;
    case 'Input.Number': {
      const value = /^-?\d{1,15}(?:\.\d{1,10})?$/.test(raw) ? Number(raw) : Number.NaN;
      if (Number.isNaN(value)) return { wrong: t('error.number') };
      return within(value, input, t, number);
    }
    case 'Input.Date':
      return z.iso.date().safeParse(raw).success ? within(raw, input, t, String) : { wrong: t('error.date') };
    case 'Input.Time':
      return z.iso.time({ precision: -1 }).safeParse(raw).success ? within(raw, input, t, String) : { wrong: t('error.time') };
    case 'Input.ChoiceSet':
      return input.choices.some(({ value }) => value === raw) ? raw : { wrong: t('error.choice') };
  }
};

/** Numbers by size; dates and times as written, which sorts as they follow each other. */
const within = <Value extends number | string>(
  value: Value,
  { min, max }: { readonly min?: Value | undefined; readonly max?: Value | undefined },
  t: Texts['t'],
  show: (value: Value) => string,
): Value | { readonly wrong: string } => {
  if (min !== undefined && value < min) return { wrong: t('error.least', { min: show(min) }) };
  if (max !== undefined && value > max) return { wrong: t('error.most', { max: show(max) }) };
  return value;
};
