// The browser of a test file, with the customer's two screens: the chat, and their phone.
import assert from 'node:assert/strict';
import type { BrowserContextOptions } from 'playwright-core';
import { launchBrowser, shoot, type TestBrowser, type TestPage } from './browser.ts';
import { type ChatScreen, chatScreen } from './chat-screen.ts';
import { type Hands, mouse } from './hands.ts';
import { type Phone, phoneSize, phoneWith } from './phone.ts';

export interface Customer {
  readonly chat: ChatScreen;
  readonly phone: Phone;
}

export interface CustomerOptions extends BrowserContextOptions {
  readonly hands?: Hands;
  /** Errors in the chat's console that the test itself causes. */
  readonly forgives?: RegExp;
}

interface Addresses {
  readonly chatUrl: string;
  readonly outboxUrl: string;
}

/**
 * Gives the enclosing suite a browser. Returns a function that opens both screens, with the chat greeted. After each
 * test its pages are closed, and no page may have reported an error.
 */
export const useScreens = () => {
  let browser: TestBrowser;
  const opened: (TestPage & { forgives?: RegExp | undefined })[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async function () {
    const pages = opened.splice(0);
    const failed = this.currentTest?.state === 'failed' && this.currentTest.fullTitle().replace(/\W+/g, '-');
    for (const [index, { page, context }] of pages.entries()) {
      if (failed) await shoot(page, `failed-${failed}-${index}`);
      await context.close();
    }
    assert.deepEqual(
      pages.flatMap(({ complaints, forgives }) => complaints.filter((complaint) => !forgives?.test(complaint))),
      [],
    );
  });
  const open = async (url: string, options: BrowserContextOptions, forgives?: RegExp) => {
    const one = await browser.page({ locale: 'en-US', ...options });
    opened.push({ ...one, forgives });
    await one.page.goto(url);
    return one;
  };
  return async ({ chatUrl, outboxUrl }: Addresses, { hands = mouse, forgives, ...options }: CustomerOptions = {}): Promise<Customer> => {
    const { locale, colorScheme } = { locale: 'en-US', ...options };
    const atDesk = await open(chatUrl, { viewport: { width: 1200, height: 900 }, ...options }, forgives);
    const inHand = await open(outboxUrl, { ...phoneSize, locale, ...(colorScheme && { colorScheme }) });
    const chat = chatScreen(atDesk.page, hands);
    await chat.sees(/How can I help you\?|¿En qué puedo ayudarle\?|كيف يمكنني مساعدتك|どのようなご用件/);
    return { chat, phone: phoneWith(inHand.page, inHand.context) };
  };
};
