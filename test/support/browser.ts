// One browser for a test file, with pages that collect the browser's complaints.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from './chromium.ts';

/** The folder for the tests' screenshots, outside version control. */
const shots = join(import.meta.dirname, '../../.shots');

export interface TestBrowser {
  /** A page in its own context, with its own cookies and storage. */
  page(options?: BrowserContextOptions): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors on the console so far (scripts, policies, failed loads), on this page and on those that it opened. */
  readonly complaints: string[];
}

/** Launches the browser; call it in `before` and close it in `after`. */
export const launchBrowser = async (further: readonly string[] = []): Promise<TestBrowser> => {
  const browser = await startChromium(further);
  return {
    page: async (options) => {
      const context = await browser.newContext(options);
      const complaints: string[] = [];
      const visited = new Set<string>();
      context.on('page', (page) => {
        page.on('request', (request) => void (request.isNavigationRequest() && visited.add(request.url())));
        page.on('pageerror', (fault) => complaints.push(`error: ${fault.message}`));
        page.on('console', (message) => {
          // A test may take the server away, so failed connections do not count; refusals do, except of whole pages
          // that explain themselves, and sockets to an address that a page has not yet.
          const away = /net::ERR_|^WebSocket connection to (?!.*\/undefined')/.test(message.text());
          const refusing = /status of [45]\d\d/.test(message.text()) && visited.has(message.location().url);
          if (message.type() === 'error' && !away && !refusing) complaints.push(message.text());
        });
      });
      return { page: await context.newPage(), context, complaints };
    },
    close: () => browser.close(),
  };
};

/** Takes a screenshot into `.shots/<name>.png`. */
export const shoot = async (page: Page, name: string) => {
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
};
