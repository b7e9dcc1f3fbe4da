import assert from 'node:assert/strict';
import { literal, oneLine } from '../../cards/plain.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { elementsOf, nodesOf } from '../support/card-text.ts';
import { hostileCards, hostileStrings } from '../support/hostile.ts';

const t = makeTexts('en', { timeZone: 'UTC' });

describe('untrusted text on a card', () => {
  for (const text of hostileStrings) {
    it(`has no effect: ${JSON.stringify(text.slice(0, 60))}`, () => {
      for (const { card, text: said } of hostileCards(text, t)) {
        for (const run of elementsOf(card, 'TextRun')) {
          assert.equal(run.text.trimEnd(), literal(run.text, 1000), 'shown as it is, by a host that does nothing with it');
          assert.ok(run.text.length <= 1000);
        }
        // Markdown places: the heading, escaped; labels of inputs and titles of buttons are not markdown in any host.
        const markdown = nodesOf(card).flatMap((node) =>
          node.type === 'TextBlock' ? [String(node.text)] : [String(node.errorMessage ?? '')],
        );
        for (const shown of [...markdown, card.fallbackText]) {
          assert.doesNotMatch(shown, /(?<!\\)[*_`~|{}@]|[<>[\]()]|https?:\/|\bwww\.|\n/);
        }
        for (const { url } of elementsOf(card, 'Action.OpenUrl')) assert.match(url, /^https:\/\//);
        for (const line of said.split('\n')) assert.equal(line, oneLine(line, 2500));
      }
    });
  }
});
