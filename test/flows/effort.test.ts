import assert from 'node:assert/strict';
import type { Card } from '../../cards/index.ts';
import { elementsOf } from '../support/card-text.ts';
import { answer, newestLink } from '../support/device.ts';
import type { Seen } from '../support/direct-line.ts';
import { talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const isWord = (word: string) => /[\p{L}\p{N}]/u.test(word);

/** The words that a customer sees in a message: those of its card and its buttons, or its text, and quick replies. */
const wordsIn = ({ attachments = [], suggestedActions, text = '' }: Seen): number => {
  const cards: Card[] = attachments.map(({ content }: Seen) => content);
  const onCards = cards.flatMap((card) =>
    [...elementsOf(card, 'TextRun'), ...elementsOf(card, 'TextBlock')]
      .map((run) => run.text)
      .concat((card.actions ?? []).map(({ title }) => title)),
  );
  const quick: string[] = (suggestedActions?.actions ?? []).map(({ title }: Seen) => title);
  return [...(cards.length > 0 ? onCards : [text]), ...quick].join(' ').split(/\s+/).filter(isWord).length;
};

describe('what paying a bill asks of a customer', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  it('is four taps and one number to the message, two more taps to the receipt, and no more words than these', async () => {
    const talk = await talkTo(whole);
    let taps = 0;
    let words = 0;
    const seen = new Set<string>();
    const reads = (message: Seen) => {
      if (!seen.has(message.id)) words += wordsIn(message);
      seen.add(message.id);
    };
    const tap = async (title: string | RegExp, next: RegExp) => {
      taps += 1;
      await talk.press(title);
      reads(await talk.sees(next));
    };

    reads(await talk.sees(/How can I help you\?/, true));
    const greeting = words;
    await tap(/^Pay a bill/, /phone number/);
    // Into the message box, and to send it.
    taps += 2;
    const number = '2025550102';
    await talk.say(number);
    reads(await talk.sees(/What would you like to pay for\?/));
    await tap(/^Electricity and gas, November/, /Waiting for your payment/);
    const toMessage = { taps, words };
    const link = await newestLink(whole);
    // The link and the button on its page; the payment provider's own page is theirs.
    taps += 2;
    await answer(whole, link, 'accept');
    reads(await talk.sees(/Payment received/));
    const toReceipt = { taps, words };
    const said = `${greeting} words of greeting; ${JSON.stringify(toMessage)} to the message, ${JSON.stringify(toReceipt)} to the receipt`;
    console.log(`      ${said}, ${number.length} digits`);
    assert.deepEqual([toMessage.taps, toReceipt.taps, number.length], [4, 6, 10]);
    assert.ok(greeting <= 135 && toMessage.words <= 300 && toReceipt.words <= 330, said);
  });
});
