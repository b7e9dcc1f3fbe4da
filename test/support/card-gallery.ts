// Pictures of all cards in the real Web Chat: `node test/support/card-gallery.ts [folder]`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { keptWebChat } from '../../.build/web-chat.ts';
import { chatLanguages, makeTexts } from '../../dialogs/language/texts.ts';
import { cardSamples } from '../../src/gallery/samples.ts';
import { startChromium } from './chromium.ts';

// Web Chat writes white on #0078D7, slightly under 4.5:1, so a page with cards has to darken it.
const style = '.ac-pushButton.style-positive { background-color: #0063b1 !important }';

/** Serves Web Chat to the page. */
export const prepareWebChat = async (page: Page) => {
  await page.setContent(
    `<!doctype html><html lang="en"><title>Cards</title><style>${style}</style><body style="margin:0"><main></main></body></html>`,
  );
  await page.addScriptTag({ path: fileURLToPath(await keptWebChat()) });
};

/** Shows cards one below the other in one Web Chat, and waits for the last. */
export const showCards = async (page: Page, cards: readonly unknown[], locale = 'en-US') => {
  await page.evaluate(
    ({ cards, locale }) => {
      // A chat that is already complete: Web Chat needs no more than two observables.
      const once = (values: readonly unknown[]) => ({
        subscribe: (observer: { next(value: unknown): void } | ((value: unknown) => void)) => {
          const next = typeof observer === 'function' ? observer : observer.next.bind(observer);
          setTimeout(() => {
            for (const value of values) next(value);
          }, 0);
          return { unsubscribe() {} };
        },
      });
      const activities = cards.map((content, index) => ({
        type: 'message',
        id: `a${index}`,
        timestamp: new Date(1_795_000_000_000 + index * 600_000).toISOString(),
        from: { id: 'bot', role: 'bot' },
        conversation: { id: 'c' },
        attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
      }));
      const main = document.querySelector('main') as HTMLElement;
      main.replaceChildren();
      const chat = document.createElement('div');
      main.append(chat);
      // biome-ignore lint/suspicious/noExplicitAny: Web Chat comes as a script
      (window as any).WebChat.renderWebChat(
        {
          directLine: {
            activity$: once(activities),
            connectionStatus$: once([0, 1, 2]),
            postActivity: () => once(['ok']),
            end() {},
          },
          locale,
          styleOptions: { hideSendBox: true, bubbleMaxWidth: 480, bubbleFromUserMaxWidth: 480 },
        },
        chat,
      );
    },
    { cards, locale },
  );
  await page.waitForFunction((count) => document.querySelectorAll('.ac-adaptiveCard').length === count, cards.length, { timeout: 90_000 });
};

/** Makes the transcript as high as its content. */
const unroll = (page: Page) =>
  page.evaluate(() => {
    for (let node = document.querySelector<HTMLElement>('[role="feed"]'); node; node = node.parentElement) {
      Object.assign(node.style, { height: 'auto', overflow: 'visible', position: 'static' });
    }
  });

/** Cuts a long picture into pieces side by side. */
const inColumns = async (page: Page, picture: Buffer, width: number, height: number, path: string) => {
  const pieces = Math.max(1, Math.ceil(picture.readUInt32BE(20) / height));
  const source = `data:image/png;base64,${picture.toString('base64')}`;
  const style = (index: number) =>
    `flex:none;width:${width}px;height:${height}px;background:#fff url(${source}) 0 -${index * height}px no-repeat`;
  await page.setViewportSize({ width: (width + 8) * pieces, height });
  await page.setContent(
    `<body style="margin:0;display:flex;gap:8px;background:#888">${Array.from({ length: pieces }, (_, index) => `<div style="${style(index)}"></div>`).join('')}`,
  );
  await page.screenshot({ path });
};

const drawAll = async (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const browser = await startChromium();
  try {
    const sheet = await browser.newPage();
    const page = await browser.newPage();
    await prepareWebChat(page);
    for (const language of chatLanguages) {
      const groups = Object.groupBy(cardSamples(makeTexts(language, { timeZone: 'UTC' })), ({ name }) => name.split('/')[0] ?? name);
      for (const width of [390, 800]) {
        for (const [group, samples = []] of Object.entries(groups)) {
          await page.setViewportSize({ width, height: 800 });
          await showCards(
            page,
            samples.map(({ message }) => message.card),
            language,
          );
          await unroll(page);
          await inColumns(sheet, await page.screenshot({ fullPage: true }), width, 1200, join(folder, `${language}-${width}-${group}.png`));
        }
      }
    }
  } finally {
    await browser.close();
  }
};

// Not awaited: mocha cannot require a module with a top-level await.
if (process.argv[1] === import.meta.filename) void drawAll(process.argv[2] ?? '.shots');
