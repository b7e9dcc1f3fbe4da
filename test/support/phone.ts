// The customer's phone: its messages, from the outbox, and the pages behind their links.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** An average phone's size. */
export const phoneSize = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } satisfies BrowserContextOptions;

export interface Phone {
  readonly outbox: Page;
  /** Opens the link of the newest message that still waits for an answer. */
  openLink(): Promise<Page>;
  /** Reads the passcode of the newest message that still waits for it. */
  readCode(): Promise<string>;
}

/** The phone, with its messages open. */
export const phoneWith = (outbox: Page, context: BrowserContext): Phone => {
  // Earlier messages are answered by now; only one that still waits is the right one.
  const newest = outbox.locator('#messages > li:not(.over)').first();
  const code = newest.locator('.code b');
  return {
    outbox,
    openLink: async () => {
      const link = newest.locator('a.open');
      await link.waitFor();
      const [device] = await Promise.all([context.waitForEvent('page'), link.click()]);
      await device.waitForLoadState();
      return device;
    },
    readCode: async () => {
      await code.waitFor();
      return (await code.allInnerTexts()).join();
    },
  };
};
