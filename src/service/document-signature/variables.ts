// The values of a document's variables: strings on the wire, each of the type its variable asks for.
import { z } from 'zod';
import { usualTextLength } from '../../contract/index.ts';
import type { FieldError } from '../../platform/http/http-problem.ts';
import { holdsContactDetails } from '../../platform/text/contact-details.ts';
import { formPattern } from '../../platform/text/pattern.ts';
import type { Variable } from '../core/catalogue/document.ts';
import type { Checked } from '../core/issues.ts';
import { decimalsOf } from '../core/money.ts';

export interface FilledVariable {
  readonly name: string;
  readonly type: string;
  readonly currency?: string | undefined;
  /** The value in its plain form; `undefined` for a blank that stays empty. */
  readonly value?: string | undefined;
  /** Whether it is the blank of the customer's name. */
  readonly isName?: boolean;
  /** Whether the value was sent, and is not what is known about the customer. */
  readonly entered?: boolean;
}

/**
 * Fills in a document's variables, some from what is known about the customer, or says which names are unknown, which
 * values are missing and which do not fit.
 */
export const checkVariables = (
  variables: readonly Variable[],
  given: Readonly<Record<string, string>>,
  customer: { readonly name: string },
): Checked<FilledVariable[]> => {
  const errors: FieldError[] = Object.keys(given)
    .filter((name) => !variables.some((variable) => variable.name === name))
    .map((name) => ({ path: `variables.${name}`, message: 'is no variable of this document' }));
  const value = variables.map((variable): FilledVariable => {
    const { name, type, currency, required, prefill } = variable;
    const isName = prefill === 'customer.name';
    const entered = (Object.hasOwn(given, name) ? given[name]?.trim() : undefined) || undefined;
    if (isName && entered === undefined) return { name, type, value: customer.name, isName };
    const raw = entered ?? '';
    if (raw === '') {
      if (required) errors.push({ path: `variables.${name}`, message: 'is required' });
      return { name, type, currency };
    }
    const read = readers[type](raw, variable);
    if (typeof read !== 'string') errors.push({ path: `variables.${name}`, message: read.wrong });
    return { name, type, currency, value: typeof read === 'string' ? read : undefined, isName, entered: true };
  });
  return errors.length > 0 ? { errors } : { value };
};

type Reader = (raw: string, variable: Variable) => string | { readonly wrong: string };

const decimal = /^-?\d{1,15}(?:\.(\d{1,10}))?$/;

const readers = {
  text: (raw, { maxLength = usualTextLength, pattern }) => {
    if (raw.length > maxLength) return { wrong: `must have ${maxLength} characters at most` };
    if (pattern !== undefined) return formPattern(pattern)?.matches(raw) ? raw : { wrong: 'has not the form that the document asks for' };
    return holdsContactDetails(raw) ? { wrong: 'must not have a web address, an e-mail address or a phone number' } : raw;
  },
  number: (raw) => (decimal.test(raw) ? raw : { wrong: 'must be a number such as 12 or 12.5' }),
  date: (raw) => (z.iso.date().safeParse(raw).success ? raw : { wrong: 'must be a date such as 2026-11-20' }),
  currency: (raw, { currency = '' }) => {
    const decimals = decimalsOf(currency) ?? 2;
    const match = decimal.exec(raw);
    // A limit or a price below zero is a mistake.
    if (match && raw.startsWith('-')) return { wrong: 'must not be a negative amount' };
    return match && (match[1] ?? '').length <= decimals
      ? raw
      : { wrong: `must be an amount in ${currency} with ${decimals} decimals at most, such as 49.9` };
  },
  boolean: (raw) => (/^(?:true|false)$/i.test(raw) ? raw.toLowerCase() : { wrong: 'must be true or false' }),
  choice: (raw, { choices = [] }) =>
    choices.find((choice) => choice.toLowerCase() === raw.toLowerCase()) ?? { wrong: `must be one of: ${choices.join(', ')}` },
} satisfies Record<Variable['type'], Reader>;
