import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chatScreen } from '../support/chat-screen.ts';
import { answer, newestCode, newestLink } from '../support/device.ts';
import { keyboard } from '../support/hands.ts';
import { missing, type ScreenReader, startScreenReader } from '../support/screen-reader.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('a customer who hears the chat, with a real screen reader', function () {
  this.timeout(90_000);
  let whole: Whole;
  let reader: ScreenReader;
  before(async function () {
    const lacking = missing();
    if (lacking.length > 0) {
      process.stderr.write(`The screen reader is left out: this machine has no ${lacking.join(', ')}.\n`);
      return this.skip();
    }
    [whole, reader] = await Promise.all([startWhole(), startScreenReader()]);
  });
  after(async () => {
    await reader?.close();
    await whole?.close();
  });

  /** What was said up to here was looked at. */
  let heard = 0;
  /** Waits for the words, in this order; returns everything that was said until the last of them. */
  const hears = async (...words: readonly RegExp[]) => {
    const from = heard;
    for (const one of words) {
      const said = () => reader.said().findIndex((line, index) => index >= heard && one.test(line));
      const at = await until(() => (said() < 0 ? undefined : said()), `${one} to be said`, 15_000).catch((fault) => {
        throw new Error(`${fault.message}, after: ${JSON.stringify(reader.said().slice(from), null, 1)}`);
      });
      heard = at + 1;
    }
    return reader.said().slice(from, heard);
  };
  const says = async (page: Page, text: string) => {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  /** Playwright shows every page as one in front, so the page is told. */
  const looks = (page: Page, away: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, away);
  const asksToPay = async (page: Page, number?: string) => {
    await says(page, 'pay');
    if (number !== undefined) {
      await hears(/phone number\?/);
      await says(page, number);
    }
    await hears(/pay for\?.* As soon as you choose, the link for \S••• \S\. goes to /);
    await says(page, '1');
    await hears(/^Waiting for your payment\./);
    return newestLink(whole);
  };

  it('hears each step once, an outcome before all else, and nothing of what is over', async () => {
    const page = reader.context.pages()[0] as Page;
    await page.goto(whole.addresses().chatUrl);
    await hears(/Finished loading/, /How can I help you\?/);
    await page.locator('[data-id="webchat-sendbox-input"]').click();

    const declined = await asksToPay(page, '202 555 0102');
    const device = await reader.context.newPage();
    await looks(page, true);
    await device.goto(`${whole.service.baseUrl}${declined}`);
    await hears(/^Payment · .* page tab/);
    await answer(whole, declined, 'decline');
    await chatScreen(page, keyboard).sees(/You declined/);
    await device.close();
    await page.bringToFront();
    await looks(page, false);
    await hears(/Countersign.* page tab/, /^You declined\./, /^What would you like to do now\?/);

    await page.reload();
    await chatScreen(page, keyboard).sees(/What would you like to do now\?/);
    const again = await hears(/Finished loading Countersign/);
    await page.locator('[data-id="webchat-sendbox-input"]').click();
    again.push(...(await hears(/^Message input box/)));
    assert.deepEqual(
      again.filter((line) => /You (declined|chose)|phone number|What would you like|Waiting/.test(line)),
      [],
      'a reload says nothing again',
    );

    const link = await asksToPay(page);
    await answer(whole, link, 'accept');
    const paid = await hears(/^Payment received\./, /^What would you like to do/);
    assert.ok(paid.length <= 4, `few words: ${JSON.stringify(paid)}`);

    await says(page, 'one-time code');
    await hears(/^Get a one-time passcode/);
    await says(page, 'send');
    await hears(/^Enter your code\./);
    const code = await newestCode(whole);
    const field = page.locator('#code input').last();
    await field.focus();
    await hears(/^6-digit code from the message entry/);
    await page.keyboard.type(code.replace(/^./, (digit) => String((Number(digit) + 1) % 10)));
    const wrong = await hears(/That is not the right code/, /4 tries left/);
    assert.equal(wrong.filter((line) => /not the right code/.test(line)).length, 1, JSON.stringify(wrong));
    await page.keyboard.type(code);
    await hears(/^You are verified\./, /^What would you like to do/);

    const all = reader.said();
    for (const never of [/interactive|attachment|said:|toggle|suggested action|[●○]|\.\./i, /^(Help|Start over)$/])
      assert.deepEqual(
        all.filter((line) => never.test(line)),
        [],
      );
    for (const once of [/^You declined\./, /^Payment received\./, /^You are verified\./])
      assert.equal(all.filter((line) => once.test(line)).length, 1, `${once}`);
  });
});
