import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, shoot, type TestBrowser } from '../../../support/browser.ts';
import { enterConsole } from '../../../support/console-visitor.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';

/** A window of 1280 by 1024 pixels at 400 % (WCAG 2.2, 1.4.10). */
const magnified = { viewport: { width: 320, height: 256 } };
const forced: BrowserContextOptions = { viewport: { width: 390, height: 844 }, forcedColors: 'active' };

describe('the pages of the service', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  let service: TestService;
  before(async () => {
    browser = await launchBrowser();
    service = await startTestService();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const linkOf = async (app: 'document-signature' | 'e-form' | 'passkeys' | 'payments') => {
    await service.call('POST', `/${app}/send`, { body: sendBody(app) });
    return (await service.outbox())[0]?.link ?? '';
  };
  const visit = async (options: BrowserContextOptions, look: (page: Page) => Promise<void>) => {
    const { page, context, complaints } = await browser.page({ locale: 'en-US', ...options });
    await look(page);
    await context.close();
    assert.deepEqual(complaints, []);
  };
  const device = [
    ['payments', () => linkOf('payments')],
    ['signature', () => linkOf('document-signature')],
    ['form', () => linkOf('e-form')],
    ['passkeys', () => linkOf('passkeys')],
    ['outbox', async () => service.running.outboxUrl ?? ''],
    ['docs', async () => `${service.running.baseUrl}/docs`],
  ] as const;
  const consolePaths = ['', '/requests', '/customers', '/products', '/documents', '/forms', '/keys', '/accesses'];
  const inConsole = async (page: Page, look: (path: string) => Promise<void>) => {
    await service.restart();
    await enterConsole(page, service);
    for (const path of consolePaths) {
      await page.goto(new URL(`/console${path}`, service.running.consoleUrl).href);
      await look(path);
    }
  };

  /** Nothing is cut off or scrolled sideways, and nothing stays on a screen of which so little is left. */
  const fits = async (page: Page, name: string) => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const over = await page.evaluate(() =>
      [...document.body.querySelectorAll('*')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth)
        .map(({ tagName, className }) => `${tagName}.${className}`),
    );
    assert.ok(wide <= 0, `${name} is ${wide} pixels too wide: ${over.join(' ')}`);
    const staying = await page.evaluate(() =>
      [...document.body.querySelectorAll('*')]
        .filter((one) => ['fixed', 'sticky'].includes(getComputedStyle(one).position) && one.getBoundingClientRect().height > 0)
        .map(({ tagName, className }) => `${tagName}.${className}`),
    );
    assert.deepEqual(staying, [], name);
    await shoot(page, `magnified-${name}`);
  };

  for (const [name, address] of device) {
    it(`fit a screen at 400 %, without fixed elements (${name})`, async () => {
      const url = await address();
      await visit(magnified, async (page) => {
        await page.goto(url);
        await fits(page, name);
      });
    });
  }

  it('fit at the console, too', async () => {
    await visit(magnified, (page) => inConsole(page, (path) => fits(page, `console${path.replace('/', '-')}`)));
  });

  /**
   * What is told apart by its ground has an edge where the system chooses the colours, and what is only a coloured
   * ground a colour.
   */
  const tells = async (page: Page, name: string) => {
    const unseen = await page.evaluate(() => {
      const canvas = getComputedStyle(document.body).backgroundColor;
      const edged = '.mark, .sign, .state, .tag, .quote, .bubble, .sealed, .summary, .open, a.button, button, [aria-current]';
      const without = [...document.querySelectorAll(edged)]
        .filter((one) => one.checkVisibility())
        .filter((one) => {
          const { borderTopWidth, borderTopStyle, borderTopColor, outlineStyle } = getComputedStyle(one);
          const border = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) > 0 && borderTopColor !== canvas;
          return !border && outlineStyle === 'none';
        })
        .map(({ tagName, className }) => `${tagName}.${className}`);
      const dots = [...document.querySelectorAll('.sign, .live, .timeline li')]
        .filter((one) => one.checkVisibility())
        .filter((one) => {
          const { backgroundColor, borderBottomWidth } = getComputedStyle(one, '::before');
          return backgroundColor === canvas && Number.parseFloat(borderBottomWidth) === 0;
        })
        .map(({ tagName, className }) => `${tagName}.${className}::before`);
      return [...new Set([...without, ...dots])];
    });
    assert.deepEqual(unseen, [], name);
    await shoot(page, `forced-${name}`);
  };

  for (const [name, address] of [
    ...device.slice(0, 5),
    ['gone', async () => `${service.running.baseUrl}/r/unknown-unknown-unknown`],
  ] as const) {
    it(`keep their borders in forced colours (${name})`, async () => {
      const url = await address();
      const { page, context } = await browser.page({ locale: 'en-US', ...forced });
      await page.goto(url);
      await tells(page, name);
      await context.close();
    });
  }

  it('keep borders at the console, too', async () => {
    await visit({ ...forced, viewport: { width: 1280, height: 900 } }, async (page) => {
      await inConsole(page, (path) => tells(page, `console${path.replace('/', '-')}`));
      const first = page.locator('a[href^="/console/requests/"]').first();
      await page.goto(new URL('/console/requests', service.running.consoleUrl).href);
      await first.click();
      await page.locator('.timeline').waitFor();
      await tells(page, 'console-request');
    });
  });
});
