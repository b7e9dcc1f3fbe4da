import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { violationsOf } from '../../../support/accessibility.ts';
import { startChromium } from '../../../support/chromium.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { payInSandbox } from '../../../support/sandbox-page.ts';
import { sendBody } from '../../../support/sends.ts';
import { until } from '../../../support/until.ts';

const phone = { width: 390, height: 844 };
type Paged = 'document-signature' | 'e-form' | 'passkeys' | 'payments';

describe("the service's pages in a browser", function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: TestService;
  const problems: string[] = [];
  before(async () => {
    browser = await startChromium();
    service = await startTestService();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(() => {
    assert.deepEqual(problems.splice(0), []);
  });

  const start = async (app: Paged, change: object = {}) => {
    const { json } = await service.call('POST', `/${app}/send`, { body: { ...sendBody(app), ...change } });
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const withPage = async (address: string, visit: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: phone, locale: 'en-US', ...options });
    try {
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => problems.push(message));
      // A page that refuses an answer or a used link is a page all the same.
      page.on(
        'console',
        (message) => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && problems.push(message.text()),
      );
      await page.goto(address);
      await visit(page);
    } finally {
      await context.close();
    }
  };
  const outboxUrl = () => service.running.outboxUrl ?? '';
  const events = async (id: string) =>
    ((await service.call('GET', `/requests/${id}`)).json.events as { type: string }[]).map(({ type }) => type);
  const result = async (id: string) => (await service.call('GET', `/results/${id}`)).json;

  it('report when they are opened, started and finished', async () => {
    const { requestId, link } = await start('payments');
    await withPage(link, async (page) => {
      await until(async () => (await events(requestId)).length === 2);
      await page.getByRole('button', { name: 'Pay €59.90' }).click();
      await payInSandbox(page);
      await page.getByRole('heading', { name: /^You paid / }).waitFor();
    });
    assert.deepEqual(await events(requestId), ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded']);
  });

  it('can be used with the keyboard alone', async () => {
    const { requestId, link } = await start('document-signature');
    await withPage(link, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.type('Mei Tanaka');
      // Past the button that clears the drawing.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^You signed “/ }).waitFor();
    });
    assert.equal((await result(requestId)).status, 'success');
  });

  it('can be used without scripts', async () => {
    const { requestId, link } = await start('e-form', { formId: '6f1c0000-0000-4000-8000-000000000003' });
    const visit = async (page: Page) => {
      await page.getByLabel('Very good').check();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Your answers were sent' }).waitFor();
    };
    await withPage(link, visit, { javaScriptEnabled: false });
    assert.deepEqual(await events(requestId), ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded']);
  });

  it('tell the browser which of its owner’s data a form asks for', async () => {
    const asked: [string, string, string][] = [
      ['1', 'Street and number', 'street-address'],
      ['1', 'Postal code', 'postal-code'],
      ['2', 'Full name', 'name'],
      ['2', 'Date of birth', 'bday'],
    ];
    for (const [form, label, autocomplete] of asked) {
      const { link } = await start('e-form', { formId: `6f1c0000-0000-4000-8000-00000000000${form}` });
      await withPage(link, async (page) => {
        await page.locator('.ac-adaptiveCard').waitFor();
        assert.equal(await page.getByLabel(label).getAttribute('autocomplete'), autocomplete, label);
      });
    }
  });

  it('update the outbox with new messages and their states', async () => {
    await withPage(outboxUrl(), async (page) => {
      const before = await page.getByRole('listitem').count();
      const { requestId } = await start('payments');
      await until(async () => (await page.getByRole('listitem').count()) === before + 1);
      const newest = page.getByRole('listitem').first();
      assert.equal(await newest.getByText('Waiting').count(), 1);
      await service.call('POST', `/requests/${requestId}/cancel`);
      await newest.getByText('Withdrawn').waitFor();
      assert.equal(await newest.getByRole('link').count(), 0);
    });
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [phone, { width: 1280, height: 800 }]) {
      it(`have no serious accessibility fault (${colorScheme}, ${viewport.width} pixels)`, async () => {
        const addresses: string[] = [];
        for (const app of ['passkeys', 'payments', 'document-signature'] as const) addresses.push((await start(app)).link);
        for (const last of [1, 2, 3])
          addresses.push((await start('e-form', { formId: `6f1c0000-0000-4000-8000-00000000000${last}` })).link);
        addresses.push(outboxUrl(), `${service.running.baseUrl}/r/unknown-unknown-unknown`);
        for (const address of addresses) {
          const look = async (page: Page) => {
            assert.deepEqual(await violationsOf(page), [], address);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${address} is ${wide} pixels too wide`);
          };
          await withPage(address, look, { colorScheme, viewport });
        }
      });
    }
  }
});
