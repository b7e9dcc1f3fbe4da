import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { begin, type ChatScreen } from '../support/chat-screen.ts';
import { declineOn } from '../support/decline.ts';
import { useScreens } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

/** Keeps what live regions are given from now on: what a screen reader says, in that order. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const said: string[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
    (globalThis as any).said = said;
    // biome-ignore lint/suspicious/noExplicitAny: runs in the page, whose types are not here
    const { document, MutationObserver } = globalThis as any;
    const take = (
      changes: { addedNodes: Iterable<{ textContent: string | null; parentElement: { closest(of: string): unknown } | null }> }[],
    ) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node.parentElement?.closest('#changes, #outcomes, [role="status"]')) said.push(node.textContent ?? '');
    };
    new MutationObserver(take).observe(document.body, { childList: true, subtree: true });
  });

const saidOn = (page: Page): Promise<string[]> => page.evaluate('said');

const hears = ({ page }: ChatScreen, words: RegExp) =>
  until(async () => (await saidOn(page)).some((text) => words.test(text)), `${words} to be read out`, 60_000);

describe('the chat in a screen reader', function () {
  this.timeout(180_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  it('announces each step and the receipt, and shows nothing twice', async () => {
    const { chat, phone } = await sit(whole.addresses());
    await listen(chat.page);
    await begin(chat, 'Fill in a form');
    await chat.sees(/Which form/);
    await chat.press('Feedback');
    await hears(chat, /Waiting for your form/);
    const device = await phone.openLink();
    await hears(chat, /^Opened, [^.]+\. Waiting for you to start$/);
    await declineOn(device);
    await hears(chat, /You declined/);
    await hears(chat, /What would you like to do now\?/);
    const said = await saidOn(chat.page);
    assert.equal(said.filter((text) => /Opened, /.test(text) && /Waiting for you to start$/.test(text)).length, 1);
    for (const shown of [/Waiting for your form|Declined \d/, /You declined/, /You asked for a form: Feedback/]) {
      const messages = await chat.showing(shown);
      assert.equal(messages.length, 1, `${shown}: ${JSON.stringify(messages)}`);
    }
  });

  it('announces the receipt of a payment that ends automatically', async () => {
    const { chat } = await sit(whole.addresses());
    await listen(chat.page);
    await begin(chat, 'Pay a bill', '(202) 555-0110');
    await chat.press('Electricity and gas, November');
    await hears(chat, /Payment received\.[\s\S]*\$128\.40/);
    assert.equal((await chat.showing(/Payment received/)).length, 1);
  });
});
