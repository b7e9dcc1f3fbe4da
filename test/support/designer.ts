// Everything that `npm start` starts, with a folder of flows of the test's own, and `/designer` open in a browser.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { startAll } from '../../src/compose/index.ts';
import { readConfiguration } from '../../src/compose/start/configuration.ts';
import { makeLog } from '../../src/platform/log.ts';

export interface DesignerUnderTest {
  readonly url: string;
  readonly addresses: Readonly<Record<string, string>>;
  /** Saves a flow, as an editor does. */
  save(name: string, text: string): void;
  close(): Promise<void>;
}

/** @param flows - by name */
export const startDesigner = async (
  flows: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<DesignerUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-designer-'));
  const own = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
  const save = (name: string, text: string) => writeFileSync(join(own, `${name}.yaml`), text);
  for (const [name, text] of Object.entries(flows)) save(name, text);
  const environment = { DATA_DIR: folder, PORT: '0', SERVICE_PORT: '0', FLOWS_DIR: own, ...settings };
  const running = await startAll(await readConfiguration(environment, 'all'), makeLog('silent'));
  const addresses = Object.fromEntries(running.addresses);
  return {
    url: addresses.designer ?? '',
    addresses,
    save,
    close: async () => {
      await running.close();
      rmSync(folder, { recursive: true });
      rmSync(own, { recursive: true });
    },
  };
};

/** Allowed (ms) for slow steps, even on a busy machine. */
const patience = 20_000;

export interface DesignerScreen {
  readonly page: Page;
  readonly chat: FrameLocator;
  /** Says something in the chat. */
  say(text: string): Promise<void>;
  /** Presses the newest button of the chat with that title. */
  press(title: RegExp): Promise<void>;
  /** Waits until the chat shows the text, as often as told. */
  hears(text: RegExp, times?: number): Promise<void>;
  /** Waits until the page shows what a selector finds, with that text in it. */
  shows(selector: string, text?: string, state?: 'attached' | 'visible'): Promise<void>;
  /** Begins a flow that uses an app at once, as a customer who is not known yet, and has the request sent. */
  begin(words: string): Promise<void>;
}

export const openDesigner = async (page: Page, url: string): Promise<DesignerScreen> => {
  page.setDefaultTimeout(patience);
  await page.goto(url);
  const chat = page.frameLocator('iframe');
  const messages = chat.locator('.webchat__basic-transcript__activity');
  const input = chat.locator('[data-id="webchat-sendbox-input"]');
  const say = async (text: string) => {
    await input.fill(text);
    await input.press('Enter');
  };
  const hears = (text: RegExp, times = 1) =>
    messages
      .filter({ hasText: text })
      .nth(times - 1)
      .waitFor();
  const press = (title: RegExp) => messages.getByRole('button', { name: title }).last().click();
  await hears(/Pay a bill/);
  return {
    page,
    chat,
    say,
    press,
    hears,
    shows: (selector, text = '', state = 'visible') => page.locator(selector).filter({ hasText: text }).first().waitFor({ state }),
    begin: async (words) => {
      await say(words);
      await hears(/What is your phone number\?/);
      await say('+12025550102');
      await press(/^Text me/);
    },
  };
};
