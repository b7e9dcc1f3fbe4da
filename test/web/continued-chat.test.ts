import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { say, startPage, transcript } from '../support/chat-page.ts';
import { itSample } from '../support/tier.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000;

describe('a chat whose tab was closed', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let site: Awaited<ReturnType<typeof startPage>>;
  let now = Date.now();
  let context: BrowserContext;
  let complaints: readonly string[];
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    site = await startPage({ clock: { now: () => now } });
  });
  afterEach(async () => {
    await context.close();
    await site.close();
    assert.deepEqual(complaints, []);
  });

  const sees = (page: Page, text: string) =>
    page.locator('.webchat__basic-transcript__activity').getByText(text).first().waitFor({ timeout: 15_000 });
  const opens = async () => {
    const page = await context.newPage();
    await page.goto(site.url);
    return page;
  };
  /** Leaves a tab in which these were said. */
  const left = async (...said: string[]) => {
    const opened = await browser.page();
    ({ context, complaints } = opened);
    await opened.page.goto(site.url);
    await sees(opened.page, 'Hello');
    for (const text of said) {
      await say(opened.page, text);
      await sees(opened.page, `Echo (en): ${text}`);
    }
    await opened.page.close();
  };
  const startsAnew = async (page: Page) => {
    await sees(page, 'Hello');
    await say(page, 'new');
    await sees(page, 'Echo (en): new');
    assert.deepEqual(await transcript(page), ['Hello. What can I do for you?', 'new', 'Echo (en): new']);
  };
  const conversations = () => new Set(site.turns.map(({ conversation }) => conversation.id)).size;

  it('continues in the next one', async () => {
    await left('old');
    const page = await opens();
    await sees(page, 'Echo (en): old');
    await say(page, 'more');
    await sees(page, 'Echo (en): more');
    assert.equal(conversations(), 1);
    assert.deepEqual(await violationsOf(page), []);
    await page.reload();
    await sees(page, 'Echo (en): more');
  });

  it('does not continue once a new conversation was begun in its tab', async () => {
    const opened = await browser.page();
    ({ context, complaints } = opened);
    const { page } = opened;
    await page.goto(site.url);
    await sees(page, 'Hello');
    await say(page, 'old');
    await sees(page, 'Echo (en): old');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('button', { name: 'Start a new one' }).click();
    await until(async () => (await transcript(page)).join() === 'Hello. What can I do for you?', 'the old conversation to go');
    await page.close();
    await startsAnew(await opens());
  });

  it('does not continue if nothing was said in it', async () => {
    await left();
    await startsAnew(await opens());
  });

  for (const [what, hours, continued] of [
    ['hours later', 11.9, true],
    ['after its end, half a day later', 12.1, false],
  ] as const) {
    itSample(!continued)(`${continued ? 'continues' : 'does not continue'} ${what}`, async () => {
      await left('old');
      now += hours * hour;
      const page = await opens();
      if (continued) await sees(page, 'Echo (en): old');
      else await startsAnew(page);
    });
  }

  it('does not continue in a browser session that has lost its cookie, and says so until the customer goes on', async () => {
    await left('old');
    await context.clearCookies();
    now += hour;
    const page = await opens();
    const line = page.getByRole('status').getByText('Your earlier chat could not be restored here.');
    await line.waitFor();
    await startsAnew(page);
    await line.waitFor({ state: 'hidden' });
  });
});
