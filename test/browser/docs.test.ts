import assert from 'node:assert/strict';
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

  const screens = [
    ['phone', { width: 390, height: 844 }],
    ['desk', { width: 1280, height: 900 }],
  ] as const;
  for (const [screen, viewport] of screens) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`reads well on a ${screen} in ${colorScheme} colours, and asks no other host for anything`, async () => {
        const { page, context, complaints } = await browser.page({ viewport, colorScheme });
        const hosts = new Set<string>();
        page.on('request', (request) => {
          if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).host);
        });
        await page.goto(`${service.running.baseUrl}/docs`);
        await shoot(page, `docs-${screen}-${colorScheme}`);
        assert.deepEqual(await violationsOf(page), []);
        assert.deepEqual(complaints, []);
        assert.deepEqual([...hosts], [new URL(service.running.baseUrl).host]);
        // Code scrolls inside its panel, the page never sideways.
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
        await page.goto(`${service.running.baseUrl}/docs#op-payments-send`);
        await shoot(page, `docs-${screen}-${colorScheme}-operation`);
        await context.close();
      });
    }
  }

  it('leads to every part, every operation and every code, and nowhere else on itself', async () => {
    const { page, context } = await browser.page();
    await page.goto(`${service.running.baseUrl}/docs`);
    const dangling = await page.$$eval('a[href^="#"]', (links) =>
      links.map((link) => link.getAttribute('href') ?? '').filter((href) => !document.getElementById(href.slice(1))),
    );
    assert.deepEqual(dangling, []);
    const ids = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
    await context.close();
  });

  it('can be used by keyboard: past the contents, and through code that scrolls', async () => {
    const { page, context } = await browser.page({ viewport: { width: 390, height: 844 } });
    await page.goto(`${service.running.baseUrl}/docs`);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#content$/);
    const focusable = await page.$$eval('pre', (panels) => panels.every((panel) => panel.tabIndex === 0));
    assert.ok(focusable);
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
