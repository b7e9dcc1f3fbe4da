import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { say, startPage, transcript } from '../support/chat-page.ts';
import { itFurther, itSample } from '../support/tier.ts';
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
  const question = (page: Page) => page.getByRole('dialog', { name: 'Welcome back' });
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
    assert.equal(await question(page).isVisible(), false);
  };
  const conversations = () => new Set(site.turns.map(({ conversation }) => conversation.id)).size;

  it('is offered in the next one, and continues there if the customer chooses it', async () => {
    await left('old');
    const page = await opens();
    await question(page).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await shoot(page, 'chat-continue');
    assert.equal(await page.evaluate('document.activeElement.value'), 'continue');
    await page.keyboard.press('Enter');
    await sees(page, 'Echo (en): old');
    await say(page, 'more');
    await sees(page, 'Echo (en): more');
    assert.equal(conversations(), 1);
    // It is this tab's now: a reload does not ask again.
    await page.reload();
    await sees(page, 'Echo (en): more');
    assert.equal(await question(page).isVisible(), false);
  });

  itFurther('goes on where the question is closed', async () => {
    await left('old');
    const page = await opens();
    await question(page).waitFor();
    await page.keyboard.press('Escape');
    await sees(page, 'Echo (en): old');
  });

  it('is closed for good if a new one is chosen', async () => {
    await left('old');
    const page = await opens();
    await question(page).getByRole('button', { name: 'Start a new one' }).click();
    await startsAnew(page);
    assert.equal(conversations(), 2);
    await page.close();
    const next = await opens();
    await question(next).getByRole('button', { name: 'Continue where you left off' }).click();
    await sees(next, 'Echo (en): new');
    assert.equal(conversations(), 2);
  });

  it('is not offered once a new conversation was begun in its tab', async () => {
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

  it('is not offered if nothing was said in it', async () => {
    await left();
    await startsAnew(await opens());
  });

  for (const [what, hours, offered] of [
    ['hours later', 11.9, true],
    ['after its end, half a day later', 12.1, false],
  ] as const) {
    itSample(!offered)(`is ${offered ? '' : 'not '}offered ${what}`, async () => {
      await left('old');
      now += hours * hour;
      const page = await opens();
      if (offered) await question(page).waitFor();
      else await startsAnew(page);
    });
  }

  it('is not offered to a browser session that has lost its cookie', async () => {
    await left('old');
    await context.clearCookies();
    now += hour;
    await startsAnew(await opens());
  });
});
