// The two ways to operate a page: with a mouse, or with the keyboard alone.
import type { Locator, Page } from 'playwright-core';
import { itSample } from './tier.ts';

/** Ways to reach the controls of a chat's newest card, and to answer with them. */
export interface Hands {
  press(page: Page, target: Locator): Promise<void>;
  fill(page: Page, target: Locator, value: string): Promise<void>;
  say(page: Page, text: string): Promise<void>;
}

const sendBox = (page: Page) => page.locator('[data-id="webchat-sendbox-input"]');

/** With a mouse; text is typed all the same. */
export const mouse: Hands = {
  press: async (page, target) => {
    await target.click();
    // Moved away: a pointer on a button would colour it in the next screenshot.
    await page.mouse.move(1, 1);
  },
  fill: (_, target, value) => target.fill(value),
  say: async (page, text) => {
    await sendBox(page).fill(text);
    await page.keyboard.press('Enter');
  },
};

/** With the keyboard alone, by the chat's own keys (arrows, Enter and Escape in the history, Tab inside a card). */
export const keyboard: Hands = {
  press: async (page, target) => {
    await enterNewest(page, target);
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  },
  fill: async (page, target, value) => {
    await enterNewest(page, target);
    await tabTo(page, target);
    await page.keyboard.type(value);
  },
  say: async (page, text) => {
    // Letters typed in the history go to the send box.
    await leaveCard(page);
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  },
};

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Presses a key until a condition is met; fails if it never is. */
const pressUntil = async (page: Page, key: string, times: number, holds: () => Promise<boolean>, what: string) => {
  for (let pressed = 0; pressed <= times; pressed += 1) {
    if (await holds()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`not reached by ${times} × ${key}: ${what}`);
};

const tabTo = (page: Page, target: Locator) => pressUntil(page, 'Tab', 20, () => hasFocus(target), `${target}`);

const history = (page: Page) => page.locator('.webchat__basic-transcript[role="group"]');

/** Escape leads out of a card, into the history. */
const leaveCard = async (page: Page) => {
  const inside = () => page.evaluate(() => document.activeElement?.closest('.webchat__basic-transcript__activity') !== null);
  if (await inside()) await page.keyboard.press('Escape');
};

/** Into the newest card, unless the focus is there already. */
const enterNewest = async (page: Page, target: Locator) => {
  const card = target.locator('xpath=ancestor::*[contains(@class, "webchat__basic-transcript__activity")][1]');
  if (await card.evaluate((element) => element.contains(document.activeElement) && element !== document.activeElement)) return;
  await leaveCard(page);
  await pressUntil(page, 'Shift+Tab', 8, () => hasFocus(history(page)), 'the history');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
};

/** Both, for a table of tests, with what runs one of each: the first in every run, the other as a further case. */
export const bothHands = (first: Hands) =>
  (
    [
      ['with the mouse', mouse],
      ['with the keyboard alone', keyboard],
    ] as const
  ).map(([how, hands]) => [how, hands, itSample(hands === first)] as const);
