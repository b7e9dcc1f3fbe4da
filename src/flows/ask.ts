// The questions of a flow: a text, a number, an amount, a day, an address, a number to call, yes or no, or one of
// several.
import { z } from 'zod';
import { type CardAction, choices as choicesCard, notice, type Texts } from '../../cards/index.ts';
import {
  dayIn,
  makeQuestion,
  parsePhoneNumber,
  phrasesOf,
  type Question,
  type Reading,
  readAmount,
  readDate,
  readNumber,
  type Turn,
} from '../../dialogs/index.ts';
import { evaluate, type FlowValues, fill, type Value } from './expressions.ts';
import type { FlowText, StepOf } from './schema.ts';

/** A text in the chat's language; in English, or else in the first it has, where it has none in that. */
export const textIn = (written: FlowText, { language }: Texts): string =>
  typeof written === 'string' ? written : (written[language] ?? written.en ?? Object.values(written)[0] ?? '');

/** A question as it is kept while it waits: plain JSON. */
export interface AskOptions {
  readonly step: StepOf<'ask'>;
  /** What is known, for the texts and the check. */
  readonly values: FlowValues;
  readonly currencies: Readonly<Record<string, string>>;
  /** What was typed can be meant in these ways. */
  readonly doubt?: readonly string[];
}

/** Whether an answer is one that the step takes. */
export const isTaken = ({ check }: StepOf<'ask'>, answer: Value, values: FlowValues): boolean =>
  check === undefined || evaluate(check, { ...values, answer }) === true;

const shown = (options: AskOptions, written: FlowText, t: Texts) =>
  fill(textIn(written, t), options.values, t, (name) => options.currencies[name]);

const questionOf = (options: AskOptions, t: Texts): string => {
  const { ask, text } = options.step;
  if (text !== undefined) return shown(options, text, t);
  return ask === 'email' || ask === 'phone' ? t(`flows.${ask}`) : '';
};

const choicesOf = (options: AskOptions, t: Texts) => {
  const { ask, choices = [], currency } = options.step;
  if (options.doubt)
    return options.doubt.map((value) => ({
      title: ask === 'date' ? t.date(value) : currency ? t.money(Number(value), currency) : t.number(Number(value)),
      value,
    }));
  if (ask === 'yes-no')
    return ([true, false] as const).map((value) => ({
      title: capital(t(value ? 'flows.yes' : 'flows.no')),
      value,
      phrases: phrasesOf(t, value ? 'phrases.yes' : 'phrases.no'),
    }));
  return choices.map(({ value, title }) => ({ title: shown(options, title, t), value }));
};

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** An answer that fits, or the sentence that says why it does not. */
const judged = (turn: Turn, options: AskOptions, value: Value): Reading<Value, AskOptions> => {
  const { step, values } = options;
  const { doubt: _, ...rest } = options;
  if (isTaken(step, value, values)) return { answer: value };
  return { more: rest, say: step.repair === undefined ? turn.t('question.notUnderstood') : shown(options, step.repair, turn.t) };
};

const readingsOf = (turn: Turn, { ask, currency }: StepOf<'ask'>, typed: string): readonly Value[] => {
  const { t, memory, services } = turn;
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  switch (ask) {
    case 'number':
      return readNumber(typed, t.locale);
    case 'money':
      return readAmount(typed, t.locale, currency);
    case 'date':
      return readDate(typed, t.locale, dayIn(memory.timeZone, services.clock.now()));
    case 'email':
      return one(z.email().safeParse(typed.trim()).data);
    case 'phone':
      return one(parsePhoneNumber(typed, services.defaultRegion));
    case 'text':
      return one(typed.trim() || undefined);
    // Their choices are all there is.
    case 'choice':
    case 'yes-no':
      return [];
    default:
      return ask satisfies never;
  }
};

const exampleOf = ({ ask, currency }: StepOf<'ask'>, { services, t }: Turn): string =>
  ask === 'date' ? t.date(services.clock.now()) : currency ? t.money(128.4, currency) : t.number(12);

const isNumber = ({ ask }: StepOf<'ask'>) => ask === 'number' || ask === 'money';

const questionFor = (id: string, wordy: boolean): Question<AskOptions, Value> => ({
  id,
  wordy,
  ask: ({ t }, options) => {
    const choices = choicesOf(options, t);
    const question = options.doubt ? t('flows.which') : questionOf(options, t);
    const tiles = options.step.ask === 'choice' || options.doubt !== undefined;
    return {
      choices,
      numbered: tiles ? choices.length : 0,
      show: (actions: readonly CardAction[]) =>
        tiles
          ? choicesCard({ question, choices: actions.map((action) => ({ action })) }, t)
          : choices.length > 0
            ? notice({ title: question, actions }, t)
            : question,
    };
  },
  read: (turn, typed, options) => {
    const { step } = options;
    const readings = readingsOf(turn, step, typed);
    if (readings.length > 1) return { more: { ...options, doubt: readings as string[] } };
    const [value] = readings;
    if (value !== undefined) return judged(turn, options, isNumber(step) ? Number(value) : value);
    if (step.repair !== undefined) return { repair: shown(options, step.repair, turn.t) };
    const { ask } = step;
    return {
      repair:
        ask === 'choice' || ask === 'yes-no'
          ? turn.t('question.notUnderstood')
          : turn.t(`flows.repair.${ask}`, { example: exampleOf(step, turn) }),
    };
  },
  submit: (turn, _fields, picked, options) =>
    judged(turn, options, options.doubt && isNumber(options.step) ? Number(picked) : (picked as Value)),
});

/** The question dialogs: where any words may be the answer, no wish is read into them. */
export const askDialogs = () => [questionFor('ask', false), questionFor('ask-words', true)].map(makeQuestion);

export const askDialogFor = ({ ask }: StepOf<'ask'>): string => (ask === 'text' ? 'ask-words' : 'ask');
