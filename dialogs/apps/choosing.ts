// What is sent, chosen from a list that also says to whom and where: there, choosing is asking for it.
import type { AppId } from '../../src/contract/index.ts';
import type { AppDialog, ChoiceAnswer, Gathered, Values } from '../asking/app-dialog.ts';
import { notNow, type Offering, offer } from '../asking/offer.ts';
import type { Question } from '../asking/question.ts';
import type { Choice } from '../turn/question-state.ts';
import type { Turn } from '../turn/turn.ts';
import { proofsOf } from '../turn/verified.ts';
import { destinationOf } from './sending.ts';

/** What the list says and offers besides its choices. Without it, it is only a list. */
export interface Choosing {
  readonly app: AppId;
  /** Where the message goes, as it may be shown. */
  readonly to: string;
  /** The request is sent as soon as one is chosen: nothing needs to be filled in. */
  readonly atOnce: boolean;
  readonly renumbers: boolean;
}

/** The question for one of several things. Words that name one in passing are a guess, which is shown before it is sent. */
export const choosing = <Id extends AppId>(
  id: string,
  describe: (turn: Turn, gathered: Gathered<Id>) => Offering<ChoiceAnswer>,
): Question<Gathered<Id>, ChoiceAnswer> =>
  offer<Gathered<Id> & { readonly choosing?: Choosing }, ChoiceAnswer>(
    id,
    (turn, { choosing: shown, ...gathered }) => {
      const offering = describe(turn, gathered as Gathered<Id>);
      if (!shown) return offering;
      const { t } = turn;
      const said = { customer: gathered.customer.name, phone: shown.to };
      const where = shown.atOnce ? t('choosing.atOnce', said) : t('choosing.later', said);
      const asked = (answer: ChoiceAnswer) => {
        const chosen = offering.offers?.find(({ value }) => value === answer);
        return chosen && shown.atOnce ? t(`asked.${shown.app}`, { what: titled(chosen.title, chosen.aside) }) : undefined;
      };
      return {
        ...offering,
        said: asked,
        text: `${t('cards.choices.text')} ${where}`,
        others: [notNow(t, { instead: 'cancel' }, shown.renumbers), ...(shown.renumbers ? [anotherNumber(t)] : [])],
      };
    },
    { guess: (value) => (typeof value === 'string' ? { guessed: value } : value) },
  );

/** A title with its price, as the record of the chat names it. */
const titled = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(', ');

/** What is sent, as the record of the chat names it. */
export const nameOfSent = <Id extends AppId>(turn: Turn, app: AppDialog<Id>, gathered: Gathered<Id>): string => {
  const price = app.price?.(gathered);
  return titled(app.subject?.(turn, gathered), price && turn.t.money(price.amount, price.currency));
};

const anotherNumber = (t: Turn['t']): Choice<{ readonly instead: 'another' }> => ({
  title: t('customer.another'),
  value: { instead: 'another' },
  phrases: 'phrases.notMe',
});

/** Whether the customer may still turn out to be somebody else, whose number is asked for then. */
export const mayRenumber = (turn: Turn, { customer }: Pick<Values, 'customer'>, bound: string | undefined): boolean =>
  bound === undefined && !proofsOf(turn).some(({ customerRef }) => customerRef === customer?.id);

/** The list as it is shown now. */
export const choosingOf = <Id extends AppId>(turn: Turn, app: AppDialog<Id>, gathered: Gathered<Id>, renumbers: boolean): Choosing => {
  const offered = app.choose?.offered(turn, gathered) ?? [];
  return {
    app: app.id,
    to: destinationOf(turn, app, gathered),
    atOnce: offered.every((chosen) => !app.fill?.needed({ ...gathered, chosen })),
    renumbers,
  };
};
