// A question that offers things to choose from: documents, products, forms, customers; or just a few ways on.
import { type CardAction, choices as choicesCard, notice } from '../cards/index.ts';
import type { Choice, Question } from './question.ts';
import type { Turn } from './turn.ts';

export interface Offer {
  readonly title: string;
  readonly subtitle?: string;
  /** At the end of the line: a price. */
  readonly aside?: string;
}

export interface Offering<Value> {
  readonly question: string;
  /** What can be chosen; the answer is its place. */
  readonly offers?: readonly Offer[];
  /** What can be done instead. */
  readonly others?: readonly Choice<Value>[];
}

/** How many offers a card shows. More would be a card that some channels refuse, and nobody reads. */
const mostShown = 20;

/** A question whose answer is the place of the chosen offer, or the value of another choice. */
export const offer = <Options extends object, Value = never>(
  id: string,
  describe: (turn: Turn, options: Options) => Offering<Value>,
): Question<Options, number | Value> => ({
  id,
  ask: (turn, options) => {
    const { question, offers = [], others = [] } = describe(turn, options);
    const shown = offers.slice(0, mostShown);
    const more = offers.length - shown.length;
    const tiles = (actions: readonly CardAction[]) =>
      shown.map(({ title: _, ...rest }, index) => ({ ...rest, action: actions[index] as CardAction }));
    return {
      numbered: shown.length,
      choices: [...offers.map(({ title }, value) => ({ title, value })), ...others],
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
