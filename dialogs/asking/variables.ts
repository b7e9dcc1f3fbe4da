// Fills in a document: all blanks on one card, or one after the other for customers who type.
import {
  askBlank,
  type CardAction,
  choices as choicesCard,
  documentVariables,
  labelOf,
  readVariables,
  shownValue,
  type VariableFault,
  withHint,
} from '../../cards/index.ts';
import type { Document, DocumentVariable } from '../../src/contract/index.ts';
import { ownValue } from '../../src/platform/text/own-value.ts';
import { dayIn } from '../language/readings.ts';
import { phrasesOf } from '../language/words.ts';
import type { Turn } from '../turn/turn.ts';
import type { Gathered } from './app-dialog.ts';
import { type BlankReading, checkVariable, kept, labelledIn, spoken, textFault } from './blanks.ts';
import type { Question, Reading } from './question.ts';

type Values = Readonly<Record<string, string>>;
type Faults = Readonly<Record<string, VariableFault>>;

type Options = Gathered<'document-signature'> & {
  /** The names of the values that the service refused. */
  readonly refused?: readonly string[];
  /** As they were entered, by name. */
  readonly values?: Values;
  readonly faults?: Faults;
  /** For ambiguous values, the reading the customer picked, by name. */
  readonly meant?: Values;
  /** The name of the blank that the customer wants to change by typing. */
  readonly changing?: string;
  /** The ambiguous value we are asking about, and its readings. */
  readonly doubt?: { readonly name: string; readonly readings: readonly string[] };
};

/**
 * The chosen document with the blanks the customer fills in, without those the service fills itself. An empty document
 * if it is no longer offered, for an outcome that comes late.
 */
export const documentOf = ({ found, chosen }: Gathered<'document-signature'>): Document => {
  const { variables = [], ...document } = found.documents.find(({ id }) => id === chosen) ?? { id: '', title: '' };
  return { ...document, variables: variables.filter(({ prefill, required }) => required || prefill === undefined) };
};

/** Checks one blank, with the reading that was picked if there are two. */
const checkOne = (turn: Turn, variable: DocumentVariable, { meant = {} }: Options, value: string | undefined): BlankReading => {
  const { memory, services, t } = turn;
  const checked = checkVariable(variable, value, t.locale, dayIn(memory.timeZone, services.clock.now()));
  const picked = ownValue(meant, variable.name);
  return 'readings' in checked && checked.readings.some((reading) => reading === picked) ? { value: picked as string } : checked;
};

/** The answer if every value fits; otherwise asks about ambiguous values once the faults are corrected. */
const readAll = (turn: Turn, { doubt: _, ...options }: Options): Reading<Values, Options> => {
  const { variables } = documentOf(options);
  const { values = {} } = options;
  const checks = variables.map((variable) => ({
    name: variable.name,
    checked: checkOne(turn, variable, options, ownValue(values, variable.name)),
  }));
  const faults = checks.flatMap(({ name, checked }) => ('fault' in checked ? [[name, checked.fault] as const] : []));
  if (faults.length > 0) {
    // A value that is too long is dropped whole: half of it would look complete.
    const tooLong = new Set(faults.flatMap(([name, fault]) => (fault === 'length' ? [name] : [])));
    const kept = Object.entries(values).filter(([name]) => !tooLong.has(name));
    return { more: { ...options, values: Object.fromEntries(kept), faults: Object.fromEntries(faults) } };
  }
  const doubts = checks.flatMap(({ name, checked }) => ('readings' in checked ? [{ name, readings: checked.readings }] : []));
  if (doubts[0]) return { more: { ...options, faults: {}, doubt: doubts[0] } };
  const filled = checks.flatMap(({ name, checked }) =>
    'value' in checked && checked.value !== undefined ? [[name, checked.value] as const] : [],
  );
  return { answer: Object.fromEntries(filled) };
};

/** The blank that typed words fill: the named one, else the first that is empty or has a fault. */
const nextBlank = ({ values = {}, faults = {}, changing, ...options }: Options) => {
  const { variables } = documentOf(options);
  const named = variables.find(({ name }) => name === changing);
  return named ?? variables.find(({ name }) => !Object.hasOwn(values, name) || Object.hasOwn(faults, name));
};

/** Continues after a value was accepted: with the next blank, or the answer. */
const goOn = (turn: Turn, options: Options, { name }: DocumentVariable): Reading<Values, Options> => {
  const { [name]: _mended, ...faults } = options.faults ?? {};
  const { doubt: _, changing: __, ...rest } = options;
  const now = { ...rest, faults };
  const next = nextBlank(now);
  const taken = documentOf(now).variables.find((one) => one.name === name) as DocumentVariable;
  if (!next) return readAll(turn, now);
  return { more: now, say: turn.t('variables.next', { label: labelOf(taken), next: withHint(next, turn.t) }) };
};

const doubtful = ({ doubt, ...options }: Options) => {
  const variable = doubt && documentOf(options).variables.find(({ name }) => name === doubt.name);
  return variable && { variable, readings: doubt.readings };
};

/** The previous values, as the card shows them. */
const before = (options: Options, t: Turn['t']): Values =>
  Object.fromEntries(
    documentOf(options).variables.flatMap((variable) => {
      const value = ownValue(options.filled ?? {}, variable.name);
      const isNumber = variable.type === 'number' || variable.type === 'currency';
      return value === undefined ? [] : [[variable.name, isNumber ? t.number(Number(value)) : value]];
    }),
  );

/**
 * Starts with the values from before until something is entered. An ambiguous one keeps its meaning, unless the service
 * refused it.
 */
const resumed = (options: Options, t: Turn['t']): Options => {
  const { filled, refused = [], values } = options;
  if (values || !filled) return options;
  const meant = Object.fromEntries(Object.entries(filled).filter(([name]) => !refused.includes(name)));
  const { variables } = documentOf(options);
  const faultOf = (name: string): VariableFault => {
    const variable = variables.find((one) => one.name === name);
    return (variable && textFault(variable, ownValue(filled, name) ?? '')) ?? 'refused';
  };
  const faults = Object.fromEntries(refused.map((name) => [name, faultOf(name)] as const));
  return { ...options, values: before(options, t), meant, faults };
};

/** Takes typed words as the value of a blank. A fault is shown on the card, at its field. */
const take = (turn: Turn, typed: string, blank: DocumentVariable, options: Options): Reading<Values, Options> => {
  const { name } = blank;
  const value = spoken(turn.t, blank, typed);
  const checked = checkOne(turn, blank, options, value);
  const { values = {}, faults = {} } = options;
  if ('fault' in checked) {
    const { doubt: _, ...rest } = options;
    const { [name]: before, ...others } = values;
    const shown = checked.fault === 'length' ? before : value;
    return { more: { ...rest, values: { ...others, ...(shown && { [name]: shown }) }, faults: { ...faults, [name]: checked.fault } } };
  }
  const now = { ...options, values: { ...values, [name]: kept(blank, value, checked) } };
  if ('readings' in checked) return { more: { ...now, doubt: { name, readings: checked.readings } } };
  return goOn(turn, now, blank);
};

const onward = (t: Turn['t']) => [...phrasesOf(t, 'phrases.yes'), ...phrasesOf(t, 'phrases.onward')];

export const variablesQuestion: Question<Options, Values | 'another' | 'cancel'> = {
  id: 'variables',
  wordy: true,
  ask: ({ channel, t }, given) => {
    const options = resumed(given, t);
    const { title, variables } = documentOf(options);
    const { values = {}, faults = {} } = options;
    const asked = doubtful(options);
    if (asked) {
      const { variable, readings } = asked;
      const question = t('variables.which', { label: labelOf(variable), value: ownValue(values, variable.name) ?? '' });
      return {
        numbered: readings.length,
        choices: readings.map((value) => ({ title: shownValue(variable, value, t), value })),
        show: (actions) => choicesCard({ question, choices: actions.map((action) => ({ action })) }, t),
      };
    }
    const blank = nextBlank(options);
    // A list that is read aloud or sent again after every answer helps nobody.
    if (blank && (channel.voice || channel.segments))
      return { choices: [], show: () => askBlank(title, blank, ownValue(faults, blank.name) as VariableFault, t) };
    return {
      choices: [
        // If nothing is left to fill in, other words for continuing are not values.
        { title: t('cards.buttons.next'), value: 'next', style: 'positive', ...(!blank && { phrases: onward(t) }) },
        ...(options.filled && options.found.documents.length > 1 ? [{ title: t('variables.another'), value: 'another' }] : []),
        { title: t('cards.buttons.cancel'), value: 'cancel' },
      ],
      show: ([next, ...actions]) => documentVariables({ document: title, variables, values, faults, next: next as CardAction, actions }, t),
    };
  },

  submit: (turn, fields, picked, options) => {
    const asked = doubtful(options);
    if (asked) {
      const { variable } = asked;
      const value = String(picked);
      const meant = { ...options.meant, [variable.name]: value };
      const values = {
        ...options.values,
        [variable.name]: kept(variable, ownValue(options.values ?? {}, variable.name) ?? value, { value }),
      };
      // Customers who type are asked blank by blank; a card is filled in as a whole.
      return goOn(turn, { ...options, values, meant }, variable);
    }
    if (picked === 'another' || picked === 'cancel') return { answer: picked };
    const entered = resumed(options, turn.t);
    return readAll(turn, fields ? { ...entered, values: readVariables(fields, documentOf(options).variables) } : entered);
  },

  read: (turn, typed, given) => {
    const { t } = turn;
    // Values from before need not be typed again.
    const options = resumed(given, t);
    const { variables } = documentOf(options);
    const labelled = labelledIn(typed, variables, labelOf);
    if (labelled?.value !== undefined) return take(turn, labelled.value, labelled.blank, options);
    // Neither reading was picked, so the new words replace the ambiguous value.
    const blank = doubtful(options)?.variable ?? nextBlank(options);
    if (blank) return take(turn, typed, blank, options);
    if (!labelled) {
      const labels = new Intl.ListFormat(t.locale, { type: 'disjunction' }).format(variables.map(labelOf));
      return { repair: t('variables.whichBlank', { labels, example: labelOf(variables[0] as DocumentVariable) }) };
    }
    const label = labelOf(labelled.blank);
    return { more: { ...options, changing: labelled.blank.name }, say: t('variables.change', { label }) };
  },
};
