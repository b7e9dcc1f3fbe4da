// A customer's phone with one device page on it, and the page's weight.
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { violationsOf } from './accessibility.ts';
import { shoot } from './browser.ts';

export interface DeviceScreen {
  readonly page: Page;
  /**
   * Bytes transferred so far, including headers, with the files they were for; only of files for which `counts` is
   * true.
   */
  weight(counts?: (file: string) => boolean): Promise<{ bytes: number; files: string[] }>;
  /** Checks the page: a screenshot, no serious accessibility fault, and no wider than the phone. */
  look(name: string): Promise<void>;
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'en-US' };

/**
 * Opens an address on a separate phone, and closes it after the visit. No script may fail, and no policy be violated;
 * `forgives` are errors that the visit itself causes.
 */
export const onPhone = async (
  browser: Browser,
  address: string,
  visit: (screen: DeviceScreen) => Promise<void>,
  options: BrowserContextOptions = {},
  forgives?: RegExp,
) => {
  const context = await browser.newContext({ ...phone, ...options });
  const complaints: string[] = [];
  const loads: Promise<{ bytes: number; file: string }>[] = [];
  try {
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      // A refusal is a page too.
      if (message.type() === 'error' && !/status of [45]\d\d/.test(message.text()) && !forgives?.test(message.text()))
        complaints.push(message.text());
    });
    page.on('requestfinished', (request) => {
      const file = new URL(request.url()).pathname;
      loads.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => ({ bytes: responseBodySize + responseHeadersSize, file })),
      );
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    await visit({
      page,
      weight: async (counts = () => true) => {
        const all = (await Promise.all(loads)).filter(({ file }) => counts(file));
        return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), files: all.map(({ file }) => file) };
      },
      look: async (name) => {
        await shoot(page, name);
        assert.deepEqual(await violationsOf(page), [], name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
      },
    });
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
};
