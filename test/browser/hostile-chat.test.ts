import assert from 'node:assert/strict';
import { heading, paragraph } from '../../cards/elements.ts';
import { message } from '../../cards/message.ts';
import { oneLine } from '../../cards/plain.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { asActivity } from '../../dialogs/turn/activities.ts';
import { usualLimits } from '../../src/directline/index.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { startPage } from '../support/chat-page.ts';
import { hostileCards } from '../support/hostile.ts';
import { asRead, type HostilePage, openHostilePage, readingOf, waysOut } from '../support/hostile-page.ts';
import { payloads } from '../support/payloads.ts';
import { until } from '../support/until.ts';

const t = makeTexts('en', { timeZone: 'UTC' });
/** Of every kind some, since a chat of all of them would take a minute to show. */
const chosen = payloads.filter((_, index) => index % 3 === 0);

describe('untrusted texts in the chat', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let site: Awaited<ReturnType<typeof startPage>>;
  let screen: HostilePage;
  before(async () => {
    browser = await launchBrowser();
    site = await startPage({
      limits: { ...usualLimits, requests: { points: 10_000, seconds: 1 } },
      // As the bot says things: a card that shows the text, in words and by itself.
      bot: async ({ type, text, conversation, id }, connector) => {
        if (type !== 'message' || text === undefined) return;
        const index = chosen.findIndex((one) => one.text === text);
        const cards = hostileCards(text, t);
        const shown = message({ kind: 'notice', shown: () => ({}), body: [heading(text), paragraph(text)], lines: [text] }, t);
        for (const saying of [shown, cards[index % cards.length] ?? shown]) {
          await connector.post(conversation.id, asActivity({ channel: { cards: true, webChat: true }, t } as never, saying), id);
        }
        await connector.post(conversation.id, asActivity({ channel: { cards: false }, t } as never, shown), id);
      },
    });
    screen = await openHostilePage(browser);
  });
  after(async () => {
    await screen.close();
    await browser.close();
    await site.close();
  });

  it('do nothing, lead nowhere and read as they were written, whoever said them', async () => {
    const { page } = screen;
    await page.goto(site.url);
    const kept = await until(() => page.evaluate(() => Object.values(sessionStorage).find((value) => value.includes('conversationId'))));
    const { token } = JSON.parse(kept);
    const { id } = await until(() => site.turns[0]?.conversation);
    for (const { text } of chosen) {
      const posted = await fetch(`${site.base}/v3/directline/conversations/${id}/activities`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'message', text }),
      });
      assert.equal(posted.status, 200, await posted.text());
    }
    const cards = page.locator('.ac-adaptiveCard');
    await until(async () => (await cards.count()) === chosen.length * 2, 'every card is there', 40_000);
    assert.deepEqual(await waysOut(page), []);
    const made =
      'main :is(script, iframe, object, embed, form[action], base, meta, link, img:not([src^="data:"]), [onerror], [onload], [onclick])';
    assert.deepEqual(await page.locator(made).evaluateAll((found) => found.map(({ outerHTML }) => outerHTML)), []);
    const reading = await readingOf(page);
    for (const { text } of chosen) assert.ok(reading.includes(asRead(oneLine(text))), `the chat does not show ${JSON.stringify(text)}`);
    assert.deepEqual(screen.harm, []);
  });
});
