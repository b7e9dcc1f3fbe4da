// An open question as it is stored with its dialog, and which of its choices the customer picks.
import type { CardAction, TextKey } from '../../cards/index.ts';
import { ownValue } from '../../src/platform/text/own-value.ts';
import { pickedBy } from '../language/recogniser.ts';
import type { Turn } from './turn.ts';

/** Something the customer can pick: by its button, title, number, or other phrases. */
export interface Choice<Value = unknown> {
  readonly title: string;
  /** What picking it means. Stored with the dialog, so plain JSON. */
  readonly value: Value;
  readonly style?: CardAction['style'];
  /** Other ways to say it: the text that lists them. Questions of an earlier version store the list itself. */
  readonly phrases?: TextKey | readonly string[];
  /** Alternative names in the middle of a sentence. */
  readonly names?: readonly string[];
}

export interface QuestionState {
  options: object;
  wordy: boolean;
  /** The choices' action ids, in order. A list, since ids as property names parse slower; earlier versions have those. */
  actions: readonly string[] | Readonly<Record<string, number>>;
  choices: Omit<Choice, 'style'>[];
  numbered?: number;
  /** The language in which it was asked. */
  language?: string;
  /** The activity of its card, where the channel gave an id. */
  card?: string;
  /** When it was last asked, epoch milliseconds. */
  askedAt?: number;
  /** The number of consecutive answers that were not understood. */
  missed?: number;
}

/** Where the choice of an action id stands in the list; -1 for none. */
export const choiceIndexOf = ({ actions }: QuestionState, id: string): number =>
  Array.isArray(actions) ? actions.indexOf(id) : (ownValue(actions as Readonly<Record<string, number>>, id) ?? -1);

/** The choice of an open question that the words pick, in the language in which it was asked. */
export const pickedAmong = ({ services, t }: Turn, typed: string, state: Partial<QuestionState>) => {
  const { choices = [], numbered = 0, language = t.language } = state;
  return pickedBy(typed, { choices, numbered }, t, language === t.language ? t : services.textsFor(language));
};

/** The value that the customer picks by words or a button, if anything. */
export const pickedIn = (turn: Turn, state: QuestionState): unknown => {
  const { input } = turn;
  if (input.kind === 'text') return pickedAmong(turn, input.text, state)?.value;
  return input.kind === 'action' ? state.choices[choiceIndexOf(state, input.id)]?.value : undefined;
};
