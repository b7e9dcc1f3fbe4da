// A card together with the plain text that says the same.
import { type CardAction, submit } from './actions.ts';
import type { Action, Card, Element, OpenUrl } from './card.ts';
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

/** Characters of one line of the plain text. */
const longest = 2500;

/** Facts as lines of plain text. */
export const factLines = (facts: readonly Fact[]) => facts.map(({ label, value }) => `${label}: ${value}`);

/** Puts a card and its plain text together. */
export const message = ({ body, lines, links = [], submits = [], actions = [] }: Content, t: Texts): CardMessage => {
  const hasInputs = body.some(({ type }) => type.startsWith('Input.'));
  const said: string[] = [];
  const titles: string[] = [];
  const all: Action[] = [...links];
  for (const line of lines) if (line) said.push(oneLine(line, longest));
  for (const { title, url } of links) said.push(oneLine(`${title}: ${url}`, longest));
  for (const action of submits) {
    titles.push(action.title);
    all.push(submit(action));
  }
  for (const action of actions) {
    titles.push(action.title);
    all.push(submit(action, hasInputs ? 'none' : undefined));
  }
  if (titles.length > 0) said.push(oneLine(t('cards.options', { options: titles.join(' · ') }), longest));
  const card: Card = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: hasInputs ? '1.3' : '1.2',
    // The schema lets hosts read this one as markdown. One line is enough: the message has its text beside the card.
    fallbackText: plain(said[0] ?? ''),
    body,
  };
  return { card: all.length > 0 ? { ...card, actions: all } : card, text: said.join('\n') };
};
