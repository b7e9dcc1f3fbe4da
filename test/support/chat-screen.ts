// The chat as a customer sees it: readable texts, and elements to press and type into.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Hands } from './hands.ts';
import { until } from './until.ts';

export interface ChatScreen {
  readonly page: Page;
  say(text: string): Promise<void>;
  /** Presses the newest button or tile with that title. */
  press(title: string | RegExp): Promise<void>;
  /** Fills in the newest input with that label. */
  fill(label: string, value: string): Promise<void>;
  /** Waits until that many messages (default: one) show the text. Returns everything that the newest of them shows. */
  sees(text: RegExp, times?: number): Promise<string>;
  /** Every message that shows the text. */
  showing(text: RegExp): Promise<string[]>;
  /** Waits until the one waiting card shows exactly these steps, each with its mark. */
  progress(...steps: readonly string[]): Promise<void>;
  /** The titles of the buttons and tiles of the newest message. */
  choices(): Promise<string[]>;
}

/**
 * Allowed (ms) for slow steps, even on a busy machine: after the bot was away, Web Chat takes its time to reconnect.
 */
const patience = 60_000;

/** The chat on an open page. Only the transcript counts, not the live region beside it. */
export const chatScreen = (page: Page, hands: Hands): ChatScreen => {
  const messages = page.locator('.webchat__basic-transcript__activity .webchat__bubble__content');
  const newestButton = (name: RegExp) => messages.getByRole('button', { name }).last();
  const steps = async () => {
    const cards = (await messages.allInnerTexts()).map(stepsOn).filter((shown) => shown.length > 0);
    assert.ok(cards.length <= 1, `several waiting cards: ${JSON.stringify(cards)}`);
    return cards[0] ?? [];
  };
  return {
    page,
    say: (text) => hands.say(page, text),
    press: (title) => hands.press(page, newestButton(typeof title === 'string' ? new RegExp(`^(\\d+, )?${literally(title)}(,|$)`) : title)),
    fill: (label, value) => hands.fill(page, labelled(page, messages, label), value),
    sees: async (text, times = 1) => {
      const found = messages.filter({ hasText: text });
      await found.nth(times - 1).waitFor({ timeout: patience });
      return (await found.last().allInnerTexts()).join();
    },
    showing: async (text) => (await messages.allInnerTexts()).filter((shown) => text.test(shown)),
    progress: async (...expected) => {
      const shown = await until(
        async () => {
          const now = await steps();
          return now.join() === expected.join() && now;
        },
        `the waiting card to show ${expected.join(', ')}`,
        patience,
      );
      assert.deepEqual(shown, expected);
    },
    choices: () =>
      messages
        .last()
        .getByRole('button')
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? '')),
  };
};

/** From the first menu to the card that names the customer. */
export const begin = async (chat: ChatScreen, app: string, number = '(202) 555-0102') => {
  await chat.press(app);
  await chat.sees(/What is your phone number\?/);
  await chat.say(number);
  await chat.sees(/\S••• \S\./);
};

/** Waits for the menu after an outcome, which offers everything again. */
export const menuAgain = async (chat: ChatScreen) => {
  await chat.sees(/What would you like to do\?/);
  const apps = ["Confirm it's you", 'Get a one-time code', 'Sign a document', 'Pay a bill', 'Fill in a form'];
  assert.deepEqual(await chat.choices(), [...apps, 'More…']);
};

const labelled = (page: Page, messages: Locator, label: string) =>
  messages.getByLabel(label).and(page.locator('input, select, textarea')).last();

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The steps on a waiting card: a mark on one line, its meaning on the next. Only such a card has several marks. */
const stepsOn = (text: string) => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const steps = lines.flatMap((line, index) => (/^[✓●○✕!–]$/.test(line) ? [`${line} ${lines[index + 1]}`] : []));
  return steps.length > 1 ? steps : [];
};
