// The customer's phone: what reaches it, which the outbox shows, and the pages behind the links.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A phone of an ordinary size. */
export const phoneSize = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } satisfies BrowserContextOptions;

export interface Phone {
  readonly outbox: Page;
  /** Opens the link of the newest message that waits for an answer, once there is one. */
  openLink(): Promise<Page>;
  /** Reads the passcode of the newest message that waits for it. */
  readCode(): Promise<string>;
}

/** The phone, with its messages open. */
export const phoneWith = (outbox: Page, context: BrowserContext): Phone => {
  // What came before is answered by now; only a message that still waits is the one looked for.
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
