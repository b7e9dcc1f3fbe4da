// Filling in a document: all blanks on one card, or one after the other for those who type.
import { z } from 'zod';
import { type CardAction, documentVariables, humanise, readVariables, type VariableFault } from '../cards/index.ts';
import type { Document, DocumentVariable } from '../src/contract/index.ts';
import type { Gathered } from './app.ts';
import { plain } from './input.ts';
import type { Question, Reading } from './question.ts';
import { phrasesOf } from './recogniser.ts';
import type { Turn } from './turn.ts';

export type Values = Readonly<Record<string, string>>;

type Options = Gathered<'document-signature'> & {
  readonly values?: Values;
  readonly faults?: Readonly<Record<string, VariableFault>>;
};

/** What is kept under a name: names come from the service, and some of them mean something to every object. */
const own = (values: Values, name: string): string | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);

const documentOf = ({ found, chosen = 0 }: Options) => found.documents[chosen] as Document;

/** The longest value a send may carry (contract: document-signature). */
const longest = 2000;

const number = z.string().regex(/^-?\d{1,15}([.,]\d{1,6})?$/);

/** A value as it is sent, or what is wrong with it. A type that is not known is text. */
export const checkVariable = (
  { type, required, choices = [] }: DocumentVariable,
  value: string | undefined,
): { value?: string } | { fault: VariableFault } => {
  const text = value?.trim() ?? '';
  // A box that is not ticked says no; that is an answer.
  if (type === 'boolean' && ['', 'true', 'false'].includes(text)) return { value: text || 'false' };
  if (text === '') return required ? { fault: 'required' } : {};
  if (text.length > longest) return { fault: 'length' };
  switch (type) {
    case 'number':
    case 'currency':
      return number.safeParse(text).success ? { value: text.replace(',', '.') } : { fault: 'number' };
    case 'date':
      return z.iso.date().safeParse(text).success ? { value: text } : { fault: 'date' };
    case 'boolean':
      return { fault: 'boolean' };
    case 'choice': {
      if (choices.length === 0) return { value: text };
      const chosen = choices.find((choice) => plain(choice) === plain(text));
      return chosen === undefined ? { fault: 'choice' } : { value: chosen };
    }
    default:
      return { value: text };
  }
};

/** Checks all the blanks at once. */
const checkAll = (variables: readonly DocumentVariable[], values: Values) => {
  const filled = new Map<string, string>();
  const faults = new Map<string, VariableFault>();
  for (const variable of variables) {
    const checked = checkVariable(variable, own(values, variable.name));
    if ('fault' in checked) faults.set(variable.name, checked.fault);
    else if (checked.value !== undefined) filled.set(variable.name, checked.value);
  }
  return { filled: Object.fromEntries(filled), faults: Object.fromEntries(faults) };
};

/** The blank that typed words fill: the first without a value, or with one that does not fit. */
const nextBlank = (variables: readonly DocumentVariable[], values: Values, faults: NonNullable<Options['faults']>) =>
  variables.find(({ name }) => !Object.hasOwn(values, name) || Object.hasOwn(faults, name));

/** The answer when everything fits; else the card again, with what does not. */
const readAll = (options: Options, values: Values): Reading<Values, Options> => {
  const { filled, faults } = checkAll(documentOf(options).variables, values);
  return Object.keys(faults).length === 0 ? { answer: filled } : { more: { ...options, values, faults } };
};

/** Words as a value of the variable: yes and no in the customer's language, and "skip" for what need not be filled in. */
const spoken = ({ t }: Turn, { type, required }: DocumentVariable, typed: string): string => {
  const text = plain(typed);
  if (!required && phrasesOf(t, 'phrases.skip').includes(text)) return '';
  if (type === 'boolean' && phrasesOf(t, 'phrases.yes').includes(text)) return 'true';
  if (type === 'boolean' && phrasesOf(t, 'phrases.no').includes(text)) return 'false';
  return typed;
};

export const variablesQuestion: Question<Options, Values> = {
  id: 'variables',
  wordy: true,
  ask: ({ t }, options) => {
    const { title, variables } = documentOf(options);
    const { values = {}, faults = {} } = options;
    return {
      choices: [{ title: t('cards.buttons.next'), value: 'next', style: 'positive' }],
      show: ([next]) => documentVariables({ document: title, variables, values, faults, next: next as CardAction, actions: [] }, t),
    };
  },

  submit: (_turn, fields, _picked, options) =>
    readAll(options, fields ? readVariables(fields, documentOf(options).variables) : (options.values ?? {})),

  read: (turn, typed, options) => {
    const { t } = turn;
    const { variables } = documentOf(options);
    const { values = {}, faults = {} } = options;
    const blank = nextBlank(variables, values, faults);
    const checked = blank && checkVariable(blank, spoken(turn, blank, typed));
    if (!blank || !checked) return readAll(options, values);
    const label = humanise(blank.name);
    if ('fault' in checked)
      return { repair: t('variables.wrong', { label, problem: t(`cards.document-signature.variables.${checked.fault}`) }) };
    const now = { ...values, [blank.name]: checked.value ?? '' };
    const { [blank.name]: _mended, ...left } = faults;
    const next = nextBlank(variables, now, left);
    if (next) return { more: { ...options, values: now, faults: left }, say: t('variables.next', { label, next: humanise(next.name) }) };
    return readAll(options, now);
  },
};
