import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/running-service.ts';

describe("the API's page", () => {
  let browser: TestBrowser;
  let service: TestService;
  before(async () => {
    service = await startTestService();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const open = async (page: Page) => {
    await page.goto(`${service.running.baseUrl}/docs`);
    await page.locator('#reference .opblock').first().waitFor();
    await page.locator('#messages article').first().waitFor();
  };
  /** A GET and a POST with bodies, a file, and a webhook, opened. */
  const opened = async (page: Page) => {
    for (const summary of ['Read the configuration', 'Ask a customer to pay', 'Get a certificate of the audit trail', 'Something happened'])
      await page.locator('#reference .opblock-summary-control', { hasText: summary }).click();
    await page.locator('#reference .responses-table').nth(3).waitFor();
  };

  const screens = [
    ['phone', { width: 320, height: 700 }],
    ['desk', { width: 1440, height: 900 }],
  ] as const;
  for (const [screen, viewport] of screens) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`reads well on a ${screen} in ${colorScheme} colours, and asks no other host for anything`, async () => {
        const { page, context, complaints } = await browser.page({ viewport, colorScheme });
        const hosts = new Set<string>();
        page.on('request', (request) => {
          if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).host);
        });
        await open(page);
        await shoot(page, `docs-${screen}-${colorScheme}`);
        assert.deepEqual(await violationsOf(page), []);
        await opened(page);
        await page.locator('#reference .opblock.is-open').nth(1).scrollIntoViewIfNeeded();
        await shoot(page, `docs-${screen}-${colorScheme}-operation`);
        assert.deepEqual(await violationsOf(page), []);
        assert.deepEqual(complaints, []);
        assert.deepEqual([...hosts], [new URL(service.running.baseUrl).host]);
        // Code scrolls inside its panel, the page never sideways.
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
        await context.close();
      });
    }
  }

  it('shows every operation and every message, with fields and refusals', async () => {
    const { page, context } = await browser.page();
    await open(page);
    const { paths } = (await service.open('GET', '/openapi.json')).json;
    const shown = await page.locator('#reference .opblock-summary').allTextContents();
    for (const [path, methods] of Object.entries<Record<string, { summary: string }>>(paths)) {
      for (const [method, { summary }] of Object.entries(methods)) {
        const found = shown.some((text) => [method.toUpperCase(), summary].every((part) => text.includes(part)));
        assert.ok(found, `${method} ${path}`);
      }
    }
    for (const message of ['EventMessage', 'ErrorMessage'])
      assert.match(String(await page.locator('#messages').textContent()), new RegExp(`${message}[^]*timestamp`));
    await opened(page);
    const operation = await page.locator('.opblock.is-open', { hasText: 'Ask a customer to pay' }).textContent();
    for (const part of ['Idempotency-Key', 'sessionRef', 'Your id for the call or chat session.', 'requestId', 'country_not_allowed'])
      assert.ok(operation?.includes(part), part);
    await context.close();
  });

  it('leads to every part and every code, and nowhere else on itself', async () => {
    const { page, context } = await browser.page();
    await open(page);
    await opened(page);
    const dangling = await page.$$eval('a[href*="#"]', (links) =>
      links.map((link) => link.getAttribute('href') ?? '').filter((href) => !document.getElementById(href.replace(/^.*#/, ''))),
    );
    assert.deepEqual(dangling, []);
    const ids = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id));
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    );
    await context.close();
  });

  it('can be used by keyboard: past the contents, through code that scrolls, and into an operation', async () => {
    const { page, context } = await browser.page({ viewport: { width: 390, height: 844 } });
    await open(page);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#content$/);
    assert.ok(await page.$$eval('.panel pre', (panels) => panels.length > 0 && panels.every((panel) => panel.tabIndex === 0)));
    await page.locator('#reference .opblock-summary-control').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#reference .responses-table').first().waitFor();
    await context.close();
  });

  it('leads to the documents where scripts do not run, and explains every code', async () => {
    const { page, context } = await browser.page({ javaScriptEnabled: false });
    await page.goto(`${service.running.baseUrl}/docs#code-cooldown`);
    assert.equal(await page.locator('#reference a').getAttribute('href'), '/openapi.json');
    assert.equal(await page.locator('#messages a').getAttribute('href'), '/asyncapi.json');
    assert.match(String(await page.locator('#code-cooldown').textContent()), /429/);
    await context.close();
  });

  it('lists test numbers in demo mode only', async () => {
    const delivery = { deliver: async () => ({ accepted: true as const }) };
    const real = await startTestService({ demo: false, delivery });
    try {
      assert.doesNotMatch((await real.open('GET', '/docs')).text, /Test numbers|outbox<\/a>/);
      assert.match((await service.open('GET', '/docs')).text, /\+12025550110/);
    } finally {
      await real.close();
    }
  });
});
