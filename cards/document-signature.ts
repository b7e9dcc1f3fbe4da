// document-signature: the card that fills in the document, the details to confirm, and the ending.
import { type DocumentVariable, usualTextLength } from '../src/contract/index.ts';
import { type Addressee, type AppCards, addresseeFacts, elsewhereUnlessVerified, endingCard, knownFacts } from './app-cards.ts';
import type { CardInput, Element } from './card.ts';
import { eyebrow, heading, marked, paragraph } from './elements.ts';
import { type CardAction, type CardMessage, message, openLink } from './message.ts';
import { humanise, literal } from './plain.ts';
import type { KeysUnder, Texts } from './texts.ts';

/** A value as people read it. Values that do not fit their type are shown unchanged: that is what will be sent. */
export const shownValue = ({ type, currency }: DocumentVariable, value: string, t: Texts): string => {
  if (type === 'date') return t.date(value);
  // A number keeps 15 digits: more would be shown as another amount than is sent.
  if ((type === 'number' || type === 'currency') && value.replace(/\D/g, '').replace(/^0+/, '').length > 15)
    return type === 'currency' && currency !== undefined ? `${value} ${currency}` : value;
  if (type === 'currency' && currency !== undefined && Number.isFinite(Number(value))) return t.money(Number(value), currency);
  if ((type === 'number' || type === 'currency') && Number.isFinite(Number(value))) return t.number(Number(value));
  if (type === 'boolean' && (value === 'true' || value === 'false')) return t(`cards.${value === 'true' ? 'yes' : 'no'}`);
  return value;
};

const enteredOf = (variable: DocumentVariable, values: Readonly<Record<string, string>>, t: Texts) => {
  const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
  return value === undefined || value.trim() === '' ? undefined : shownValue(variable, value, t);
};

/** A document that is about to be sent. */
export interface DocumentRequest extends Addressee {
  readonly document: string;
  readonly variables: readonly DocumentVariable[];
  /** As they are sent: ISO dates, numbers with a dot, `true` and `false`. */
  readonly values: Readonly<Record<string, string>>;
}

export const documentSignature: AppCards<'document-signature', DocumentRequest> = {
  subject: 'cards.facts.document',
  summary: (data, t) => [
    ...addresseeFacts(data, t),
    { label: t('cards.facts.document'), value: data.document },
    ...knownFacts(data.variables.map((variable) => ({ label: labelOf(variable), value: enteredOf(variable, data.values, t) }))),
  ],

  outcome: (ending, t) => {
    const { result, status, subject, verified } = ending;
    const signed = status === 'success';
    return endingCard(
      'document-signature',
      ending,
      {
        facts: knownFacts([{ label: t('cards.facts.document'), value: (verified ? result?.title : undefined) ?? subject }]),
        notes: elsewhereUnlessVerified(ending, 'cards.document-signature.onDevice', t),
        links: signed && verified ? openLink(t('cards.document-signature.open'), result?.url) : [],
      },
      t,
    );
  },
};

/** The possible faults of a value. */
export type VariableFault = 'required' | 'number' | 'amount' | 'date' | 'year' | 'boolean' | 'choice' | 'length' | 'contacts' | 'refused';

export interface VariableEntry {
  /** The document's title. */
  readonly document: string;
  readonly variables: readonly DocumentVariable[];
  /** The values entered so far, right or wrong, by variable name. */
  readonly values?: Readonly<Record<string, string>>;
  /** Their faults, by variable name. */
  readonly faults?: Readonly<Record<string, VariableFault>>;
  readonly next: CardAction;
  readonly actions: readonly CardAction[];
}

// The prefix keeps a variable called `action` from replacing the button's field.
const prefix = 'variable:';

/** Whether a blank takes any words. A choice without known values does, and so does an unknown type. */
export const isFreeText = ({ choices = [], type }: DocumentVariable): boolean =>
  !isHinted(type) && (type !== 'choice' || choices.length === 0);

/** The longest value that a send may carry (contract: document-signature). */
const longest = 2000;

/** The longest value of a blank. */
export const maxLengthOf = (variable: DocumentVariable): number =>
  isFreeText(variable) ? Math.min(variable.maxLength ?? usualTextLength, longest) : longest;

/** A blank's title. */
export const labelOf = ({ name, label = '' }: DocumentVariable): string => (label.trim() === '' ? humanise(name) : label);

/** An example of a valid value, as the reader would write it. */
const exampleOf = ({ type, currency }: DocumentVariable, t: Texts): string => {
  if (type === 'date') return t.date('2026-12-24');
  if (type === 'currency') return currency === undefined ? t.number(12.5) : t.money(50, currency);
  // It fits what is counted too: months, panels.
  return t.number(12);
};

/** The fault of a value, in words. */
const fault = (variable: DocumentVariable, kind: VariableFault, t: Texts): string =>
  t(`cards.document-signature.variables.${kind}`, { example: exampleOf(variable, t), max: maxLengthOf(variable) });

type Hinted = KeysUnder<'cards.document-signature.variables.hints'>;
const hinted = ['number', 'currency', 'date', 'boolean'] as const satisfies readonly Hinted[];
const isHinted = (type: string): type is Hinted => hinted.some((one) => one === type);

/** A blank's label with a hint at valid values, for customers who type. */
export const withHint = (variable: DocumentVariable, t: Texts): string => {
  const { type, required, choices = [] } = variable;
  const hint = [
    ...(required ? [] : [t('cards.document-signature.variables.optional')]),
    ...(type === 'choice' && choices.length > 0 ? [choices.join(' / ')] : []),
    ...(isHinted(type) ? [t(`cards.document-signature.variables.hints.${type}`, { example: exampleOf(variable, t) })] : []),
  ].join('; ');
  return `${labelOf(variable)}${hint && ` (${hint})`}`;
};

/**
 * The values in a submit of {@link documentVariables}, trimmed, by variable name. Empty or foreign fields are dropped.
 */
export const readVariables = (submitted: unknown, variables: readonly DocumentVariable[]): Record<string, string> => {
  const fields: object = typeof submitted === 'object' && submitted !== null ? submitted : {};
  return Object.fromEntries(
    variables.flatMap(({ name }) => {
      const value: unknown = Object.getOwnPropertyDescriptor(fields, prefix + name)?.value;
      const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value === 'string' ? value.trim() : '';
      return text === '' ? [] : [[name, text]];
    }),
  );
};

const own = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string) =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;

/** A choice without known values is text. */
const input = (variable: DocumentVariable, { values }: VariableEntry, t: Texts): CardInput => {
  const { name, type, required, choices = [] } = variable;
  const label = literal(labelOf(variable), 100);
  const value = own(values, name);
  const base = { id: prefix + name, label, spacing: 'Medium' as const };
  const must = required ? { isRequired: true } : {};
  const error = (kind: VariableFault) => ({ errorMessage: literal(fault(variable, kind, t)) });
  switch (type) {
    case 'date':
      return { type: 'Input.Date', ...base, ...must, ...error('date'), ...(value && /^\d{4}-\d\d-\d\d$/.test(value) && { value }) };
    case 'boolean':
      // An empty toggle would mean no. Optional questions can stay unanswered.
      if (!required) {
        return {
          type: 'Input.ChoiceSet',
          ...base,
          style: 'expanded',
          choices: (['true', 'false'] as const).map((answer) => ({ title: shownValue(variable, answer, t), value: answer })),
          ...((value === 'true' || value === 'false') && { value }),
        };
      }
      // Never required: hosts take a required toggle to mean that it must be on.
      return {
        type: 'Input.Toggle',
        ...base,
        title: t('cards.yes'),
        valueOn: 'true',
        valueOff: 'false',
        value: value === 'true' ? 'true' : 'false',
      };
    case 'choice':
      if (choices.length > 0) {
        return {
          type: 'Input.ChoiceSet',
          ...base,
          ...must,
          ...error('choice'),
          style: 'compact',
          placeholder: t('cards.document-signature.variables.choose'),
          choices: choices.map((option) => ({ title: literal(option), value: option })),
          ...(value !== undefined && choices.includes(value) && { value }),
        };
      }
  }
  return {
    type: 'Input.Text',
    ...base,
    ...must,
    ...error('required'),
    // Numbers too: a number field reads "1.500" by the browser's language, which the server cannot know.
    ...(isHinted(type) && { placeholder: exampleOf(variable, t) }),
    maxLength: maxLengthOf(variable),
    ...(value !== undefined && { value: value.slice(0, maxLengthOf(variable)) }),
  };
};

/** Asks for one blank of a document, for customers who are asked one by one. */
export const askBlank = (document: string, variable: DocumentVariable, kind: VariableFault | undefined, t: Texts): string =>
  kind ? `${labelOf(variable)}: ${fault(variable, kind, t)}` : t('speech.blank', { document, next: withHint(variable, t) });

/** Asks for the variables of a document. Shown again, it keeps the values and shows each fault under its input. */
export const documentVariables = (entry: VariableEntry, t: Texts): CardMessage => {
  const { document, variables, faults, next, actions } = entry;
  const title = t('cards.document-signature.variables.title');
  const text = t('cards.document-signature.variables.text', { document });
  const faultOf = (variable: DocumentVariable) => {
    const kind = own(faults, variable.name);
    return kind && fault(variable, kind, t);
  };
  const fields = variables.flatMap((variable): Element[] => {
    const problem = faultOf(variable);
    const shown = input(variable, entry, t);
    if (!problem) return [shown];
    return [
      shown,
      marked({ mark: '✕', color: 'Attention' }, [paragraph(problem, { color: 'Attention', size: 'Small' })], { spacing: 'Small' }),
    ];
  });
  const lines = variables.map((variable) => {
    const problem = faultOf(variable);
    const value = own(entry.values, variable.name);
    // Numbers are shown as they were typed.
    const shown = value && (variable.type === 'date' || variable.type === 'boolean') ? shownValue(variable, value, t) : value;
    if (!problem) return `– ${withHint(variable, t)}${shown ? `: ${shown}` : ''}`;
    // The fault already has the example.
    return `– ${isHinted(variable.type) ? labelOf(variable) : withHint(variable, t)}: ${problem}`;
  });
  const app = t('apps.document-signature.name');
  return message(
    {
      kind: 'document-signature.variables',
      shown: () => ({ app, title, text, inputs: fields }),
      body: [eyebrow(app), heading(title), paragraph(text, { spacing: 'Small' }), ...fields],
      lines: [`${title}. ${text}`, ...lines],
      submits: [next],
      actions,
    },
    t,
  );
};
