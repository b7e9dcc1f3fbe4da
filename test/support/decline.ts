// Declining on a device page: opened, and then confirmed.
import type { Page } from 'playwright-core';

/** Presses Decline, and says yes to the question that opens. */
export const declineOn = async (page: Page): Promise<void> => {
  await page.locator('.decline > summary').click();
  await page.getByRole('button', { name: 'Yes, decline', exact: true }).click();
};
