import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { startPage } from '../support/chat-page.ts';
import { until } from '../support/until.ts';

type Site = Awaited<ReturnType<typeof startPage>>;

describe('an outcome that arrives while the customer looks elsewhere', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let site: Site;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    site = await startPage({ theme: { name: 'Violet Bank' } });
  });
  afterEach(() => site.close());

  const outcome = (text: string) => ({
    type: 'message',
    text,
    channelData: { interaction: { app: 'payments', requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S', status: 'success' } },
  });
  const look = (page: Page, away: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, away);
  const open = async (permission: 'default' | 'granted' | 'denied') => {
    const { page, complaints } = await browser.page({ locale: 'en-US' });
    await page.addInitScript((given) => {
      const shown: unknown[] = [];
      class Notification extends EventTarget {
        static permission: string = given;
        static requestPermission = async () => {
          Notification.permission = 'granted';
        };
        constructor(title: string, { body }: { body: string }) {
          super();
          shown.push([title, body]);
        }
      }
      Object.assign(globalThis, { Notification, shown });
    }, permission);
    await page.goto(site.url);
    const sees = (text: string) => page.locator('.webchat__basic-transcript__activity').getByText(text).first().waitFor();
    await sees('Hello');
    const post = (activity: Parameters<typeof site.directLine.connector.post>[1]) =>
      site.directLine.connector.post(site.turns[0]?.conversation.id ?? '', activity);
    const titled = (title: string) => until(async () => (await page.title()) === title, `the title ${title}`);
    return { page, complaints, sees, post, titled, shown: () => page.evaluate('shown') };
  };

  it('is counted in the title until they look again', async () => {
    const { page, complaints, sees, post, titled, shown } = await open('denied');
    await post(outcome('Paid before'));
    await sees('Paid before');
    await look(page, true);
    await post({ type: 'message', text: 'No outcome' });
    await post(outcome('Paid one'));
    await titled('(1) Violet Bank');
    await post(outcome('Paid two'));
    await titled('(2) Violet Bank');
    await look(page, false);
    await titled('Violet Bank');
    await post(outcome('Paid three'));
    await sees('Paid three');
    assert.equal(await page.title(), 'Violet Bank');
    assert.deepEqual(await shown(), []);
    assert.deepEqual(complaints, []);
  });

  it('causes a notification if that was permitted, without saying what it is about', async () => {
    const { page, post, titled, shown } = await open('default');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Save this conversation' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Notify me' }).isVisible(), false);
    await look(page, true);
    await post(outcome('Paid 120 euros'));
    await titled('(1) Violet Bank');
    assert.deepEqual(await shown(), [['Violet Bank', 'There is news in your chat.']]);
  });
});

describe('the chat page before its script has loaded', () => {
  it('shows what it is and that it is connecting, and has requested its token', async () => {
    const browser = await launchBrowser();
    const site = await startPage({ theme: { name: 'Violet Bank' } });
    try {
      const { page } = await browser.page({ locale: 'en-US' });
      await page.route(/webchat/, () => {});
      const asked = page.waitForRequest('**/chat/token');
      await page.goto(site.url, { waitUntil: 'commit' });
      await asked;
      await page.getByText('Connecting…').waitFor();
      await page.getByRole('heading', { name: 'Violet Bank' }).waitFor();
      assert.equal(await page.locator('#skeleton').isVisible(), true);
    } finally {
      await browser.close();
      await site.close();
    }
  });
});
