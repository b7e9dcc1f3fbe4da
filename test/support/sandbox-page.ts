// The sandbox's page in a browser.
import type { Page } from 'playwright-core';

/** Pays with the test card that ends in these digits, in any of the languages that tests speak. */
export const payInSandbox = async (page: Page, digits = '4242') => {
  await page.getByRole('radio', { name: new RegExp(digits) }).check();
  await page.getByRole('button', { name: /^(?:(?:Pay|Pagar|دفع) |.*を支払う$)/ }).click();
};
