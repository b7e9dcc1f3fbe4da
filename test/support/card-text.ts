// The words of a card, from its JSON.
import type { Card, CardButton, Element } from '../../cards/card.ts';

interface Node {
  readonly [key: string]: unknown;
}

/** Every object in a card, the card first. */
export const nodesOf = (card: object): Node[] => {
  const found: Node[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) found.push(value as Node);
    for (const part of Object.values(value)) walk(part);
  };
  walk(card);
  return found;
};

/** The elements of a type, wherever they are. */
export const elementsOf = <Type extends Element['type'] | CardButton['type'] | 'TextRun'>(card: Card, type: Type) =>
  nodesOf(card).filter((node) => node.type === type) as unknown as Extract<
    Element | CardButton | { type: 'TextRun'; text: string },
    { type: Type }
  >[];

/** Every string that a customer reads. */
export const stringsOf = (card: object): string[] =>
  nodesOf(card).flatMap((node) =>
    ['text', 'title', 'label', 'placeholder', 'errorMessage', 'fallbackText'].flatMap((name) => {
      const value = node[name];
      return typeof value === 'string' ? [value] : [];
    }),
  );
