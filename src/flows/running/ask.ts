// A flow's questions: a text, number, amount, date, e-mail address, phone number, yes or no, or a choice.
import { type CardAction, choices as choicesCard, notice, type Texts } from '../../../cards/index.ts';
import { makeQuestion, namedIn, pickedBy, type Question, type Reading, type Turn } from '../../../dialogs/index.ts';
import { ExpressionFault, evaluate, type FlowValues, type Value } from '../grammar/expressions.ts';
import type { FlowText, StepOf } from '../grammar/schema.ts';
import { asValue, readingsOf, writingIn } from './readings.ts';
import { type Known, shown } from './saying.ts';

/** A question as it is stored while it waits: plain JSON. */
export interface AskOptions extends Known {
  readonly step: StepOf<'ask'>;
  /** The possible meanings of an ambiguous answer. */
  readonly doubt?: readonly string[];
}

/** Whether the step accepts an answer. */
const isTaken = ({ check }: StepOf<'ask'>, answer: Value, values: FlowValues): boolean =>
  check === undefined || evaluate(check, { ...values, answer }) === true;

const titlesOf = (written: FlowText) => (typeof written === 'string' ? [written] : Object.values(written));

/** The choice that words mean: its value, or its title in any language, recognised like a customer's words. */
const meantBy = (words: string, options: AskOptions, t: Texts): string | undefined => {
  const choices = (options.step.choices ?? []).map(({ value, title }) => {
    const names = [value, ...titlesOf(title).map((one) => shown(options, one, t))];
    return { title: shown(options, title, t), value, phrases: names, names };
  });
  return (pickedBy(words, { choices }, t) ?? namedIn(words, choices, t))?.value;
};

/** What the bot says to an answer that the step does not accept, in the flow's own words. */
const repairOf = (options: AskOptions, t: Texts): string | undefined =>
  options.step.repair === undefined ? undefined : shown(options, options.step.repair, t);

/** What an input means for the question: it is the answer, or the bot says `repair` and asks. */
export const heldTo = (
  given: Value | undefined,
  options: AskOptions,
  t: Texts,
): { readonly answer: Value } | { readonly repair: string | undefined } => {
  if (given === undefined) return { repair: undefined };
  const { step, values } = options;
  const answer = step.ask === 'choice' ? meantBy(String(given), options, t) : given;
  return answer !== undefined && isTaken(step, answer, values) ? { answer } : { repair: repairOf(options, t) };
};

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
      phrases: value ? ('phrases.yes' as const) : ('phrases.no' as const),
    }));
  return choices.map(({ value, title }) => ({ title: shown(options, title, t), value }));
};

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** An accepted answer, or the text that says why it is not accepted. */
const judged = (turn: Turn, options: AskOptions, value: Value): Reading<Value, AskOptions> => {
  const { step, values } = options;
  const { doubt: _, ...rest } = options;
  if (isTaken(step, value, values)) return { answer: value };
  return { more: rest, say: repairOf(options, turn.t) ?? turn.t('question.notUnderstood') };
};

const exampleOf = ({ ask, currency }: StepOf<'ask'>, { services, t }: Turn): string =>
  ask === 'date' ? t.date(services.clock.now()) : currency ? t.money(128.4, currency) : t.number(12);

/** What the question says. */
export const questionWords = (options: AskOptions, t: Texts) => ({
  choices: choicesOf(options, t),
  question: options.doubt ? t('flows.which') : questionOf(options, t),
});

type Judged = Reading<ExpressionFault | Value, AskOptions>;

/** A check or text that fails ends the question: asked again, it would fail again. */
const unlessFailed = (judge: () => Judged): Judged => {
  try {
    return judge();
  } catch (fault) {
    if (fault instanceof ExpressionFault) return { answer: fault };
    throw fault;
  }
};

const questionFor = (id: string, wordy: boolean): Question<AskOptions, ExpressionFault | Value> => ({
  id,
  wordy,
  ask: ({ t }, options) => {
    const { choices, question } = questionWords(options, t);
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
  read: (turn, typed, options) =>
    unlessFailed(() => {
      const { step } = options;
      const { ask, check, currency } = step;
      // The step's own choices are the only ones.
      const readings = ask === 'choice' ? [] : readingsOf(ask, typed, writingIn(turn), currency);
      if (readings.length > 1) return { more: { ...options, doubt: readings } };
      const [value] = readings;
      if (value !== undefined) return judged(turn, options, asValue(ask, value));
      // Beside a check, the step's own words are about answers that it refuses.
      const own = check === undefined ? repairOf(options, turn.t) : undefined;
      if (own !== undefined) return { repair: own };
      return {
        repair:
          ask === 'choice' || ask === 'yes-no'
            ? turn.t('question.notUnderstood')
            : turn.t(`flows.repair.${ask}`, { example: exampleOf(step, turn) }),
      };
    }),
  submit: (turn, _fields, picked, options) =>
    unlessFailed(() => judged(turn, options, options.doubt ? asValue(options.step.ask, picked as string) : (picked as Value))),
});

/** The question dialogs. If any text can be an answer, it is never read as a request for an app or flow. */
export const askDialogs = () => [questionFor('ask', false), questionFor('ask-words', true)].map(makeQuestion);

export const askDialogFor = ({ ask }: StepOf<'ask'>): string => (ask === 'text' ? 'ask-words' : 'ask');
