// A card together with the plain text that says the same.
import { type CardAction, submit } from './actions.ts';
import type { Card, Element, OpenUrl } from './card.ts';
import type { Fact } from './elements.ts';
import { oneLine, plain } from './plain.ts';
import type { Texts } from './texts.ts';

/**
 * What one card function answers. `text` is the whole of the card for a channel, a notification or a person without cards: lines of plain
 * text, to be sent with `textFormat: 'plain'` since it may quote strangers.
 */
export interface CardMessage {
  readonly card: Card;
  readonly text: string;
}

interface Content {
  readonly body: readonly Element[];
  /** The lines of the plain text; empty ones are left out. */
  readonly lines: readonly (string | undefined)[];
  readonly links?: readonly OpenUrl[];
  readonly actions?: readonly CardAction[];
  /** The actions that hand over the card's inputs; the others do without. */
  readonly submits?: readonly CardAction[];
}

/** Facts as lines of plain text. */
export const factLines = (facts: readonly Fact[]) => facts.map(({ label, value }) => `${label}: ${value}`);

/** Puts a card and its plain text together. */
export const message = ({ body, lines, links = [], submits = [], actions = [] }: Content, t: Texts): CardMessage => {
  const hasInputs = body.some(({ type }) => type.startsWith('Input.'));
  const options = [...submits, ...actions].map(({ title }) => title);
  const said = [
    ...lines,
    ...links.map(({ title, url }) => `${title}: ${url}`),
    ...(options.length > 0 ? [t('cards.options', { options: options.join(' · ') })] : []),
  ].flatMap((line) => (line ? [oneLine(line, 2500)] : []));
  const all = [
    ...links,
    ...submits.map((action) => submit(action)),
    ...actions.map((action) => submit(action, hasInputs ? 'none' : undefined)),
  ];
  return {
    card: {
      type: 'AdaptiveCard',
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      version: hasInputs ? '1.3' : '1.2',
      // The schema lets hosts read this one as markdown. One line is enough: the message has its text beside the card.
      fallbackText: plain(said[0] ?? ''),
      body,
      ...(all.length > 0 && { actions: all }),
    },
    text: said.join('\n'),
  };
};
