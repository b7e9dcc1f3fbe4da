// A question that offers things to choose from: documents, products, forms, customers; or just a few ways on.
import { type CardAction, choices as choicesCard, notice } from '../cards/index.ts';
import type { Choice, Question } from './question.ts';
import type { Turn } from './turn.ts';

export interface Offer<Value> {
  readonly title: string;
  /** What choosing it means. Lists change while a question waits, so a name of its own, never its place. */
  readonly value: Value;
  readonly subtitle?: string;
  /** At the end of the line: a price. */
  readonly aside?: string;
}

export interface Offering<Value> {
  readonly question: string;
  /** What can be chosen. */
  readonly offers?: readonly Offer<Value>[];
  /** What can be done instead. */
  readonly others?: readonly Choice<Value>[];
}

/** How many offers a card shows. More would be a card that some channels refuse, and nobody reads. */
const mostShown = 20;

/** A question whose answer is the value of the chosen offer, or of another choice. */
export const offer = <Options extends object, Value>(
  id: string,
  describe: (turn: Turn, options: Options) => Offering<Value>,
): Question<Options, Value> => ({
  id,
  ask: (turn, options) => {
    const { question, offers = [], others = [] } = describe(turn, options);
    const shown = offers.slice(0, mostShown);
    const more = offers.length - shown.length;
    const tiles = (actions: readonly CardAction[]) =>
      shown.map(({ title: _, value: __, ...rest }, index) => ({ ...rest, action: actions[index] as CardAction }));
    return {
      numbered: shown.length,
      choices: [...offers.map(({ title, value }) => ({ title, value })), ...others],
      show: (actions) =>
        offers.length > 0
          ? choicesCard(
              {
                question,
                ...(more > 0 && { text: turn.t('question.more', { count: more }) }),
                choices: tiles(actions),
                actions: actions.slice(offers.length),
              },
              turn.t,
            )
          : notice({ title: question, actions }, turn.t),
    };
  },
});
