// A card for hosts with universal actions (learn.microsoft.com, "Universal Actions for Adaptive Cards"): each click is
// answered with the card's current state, and a card that comes into view asks to be refreshed.
import type { Card, CardButton, Column, Element, Submit, TextRun } from './card.ts';

/** A button whose click is answered in the card. Clients that do not know it show the fallback. */
export interface Execute extends Omit<Submit, 'type'> {
  readonly type: 'Action.Execute';
  readonly verb: 'press' | 'refresh';
  readonly fallback?: Submit;
}

const execute = (action: Submit): Execute => ({ ...action, type: 'Action.Execute', verb: 'press', fallback: action });

const button = (action: CardButton): object => (action.type === 'Action.Submit' ? execute(action) : action);

const column = ({ selectAction, items, ...given }: Column): object => ({
  ...given,
  items: items.map(element),
  ...(selectAction && { selectAction: execute(selectAction) }),
});

/**
 * Teams' greens and yellows are hardly visible on its white (contrast 2.1 and 1.5). No information is given by colour
 * alone.
 */
const readable = ({ color, ...run }: TextRun): TextRun => ({ ...run, ...(color && color !== 'Good' && color !== 'Warning' && { color }) });

const element = (given: Element): object => {
  if (given.type === 'RichTextBlock') return { ...given, inlines: given.inlines.map(readable) };
  if (given.type === 'ColumnSet') return { ...given, columns: given.columns.map(column) };
  if (given.type !== 'Container') return given;
  const { selectAction, items } = given;
  return { ...given, items: items.map(element), ...(selectAction && { selectAction: execute(selectAction) }) };
};

/**
 * The card for such a host, of the version that introduced universal actions: each {@link Submit} in it is replaced by an
 * {@link Execute}.
 * @param refreshFor - the users for whom it refreshes itself when they open the chat (60 at most)
 */
export const universal = ({ actions, body, ...card }: Card, refreshFor: readonly string[] = []) => ({
  ...card,
  version: '1.5' as const,
  body: body.map(element),
  ...(actions && { actions: actions.map(button) }),
  ...(refreshFor.length > 0 && {
    refresh: {
      action: { type: 'Action.Execute', title: card.fallbackText, verb: 'refresh', data: { action: 'refresh' } } satisfies Execute,
      userIds: refreshFor.slice(0, 60),
    },
  }),
});
