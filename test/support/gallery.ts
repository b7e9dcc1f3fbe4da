// `/cards` on a real port, and pages of a browser in which it has the same pixels on every machine.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { keptWebChat } from '../../.build/web-chat.ts';
import { makeTextsFor } from '../../dialogs/index.ts';
import { addGallery } from '../../src/gallery/gallery.ts';
import { makeHttpServer } from '../../src/platform/http/http-server.ts';
import { makeLog } from '../../src/platform/log.ts';
import { addAssets } from '../../src/platform/pages/assets.ts';
import type { Theme } from '../../src/platform/pages/theme.ts';

const require = createRequire(import.meta.url);
const web = (name: string) => new URL(`../../src/web/assets/${name}`, import.meta.url);

export interface GalleryUnderTest {
  readonly url: string;
  close(): Promise<void>;
}

export const startGallery = async (theme?: Theme, textsFor = makeTextsFor()): Promise<GalleryUnderTest> => {
  const server = makeHttpServer({ name: 'gallery', log: makeLog('silent') });
  const chat = await addAssets(server, [
    { name: 'cards.css', file: web('styles/cards.css'), type: 'text/css; charset=utf-8' },
    { name: 'looks.js', file: web('looks.js'), type: 'text/javascript; charset=utf-8' },
    { name: 'webchat.js', file: await keptWebChat(), type: 'text/javascript; charset=utf-8' },
  ]);
  await addGallery(server, chat, theme, textsFor);
  const port = await server.listen(0, '127.0.0.1', 'PORT');
  return { url: `http://localhost:${port}/cards`, close: () => server.close(0) };
};

/** Waits until every card is drawn. */
export const openCards = async (page: Page, url: string, choice: Readonly<Record<string, string>>) => {
  await page.goto(`${url}?${new URLSearchParams(choice)}`);
  await page.locator('body[data-drawn]').waitFor({ timeout: 60_000 });
};

/** The first that has a character writes it. */
const typefaces = [
  ['noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf', 400, 'U+600-77F, U+FB50-FDFF, U+FE70-FEFF'],
  ['noto-naskh-arabic/700Bold/NotoNaskhArabic_700Bold.ttf', 700, 'U+600-77F, U+FB50-FDFF, U+FE70-FEFF'],
  ['noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf', 400, 'U+2190-21FF, U+2300-23FF, U+25A0-27BF'],
  ['noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf', 400, 'U+0-10FFFF'],
  ['noto-sans-jp/700Bold/NotoSansJP_700Bold.ttf', 700, 'U+0-10FFFF'],
] as const;

const familyOf = (range: string) => `Of the tests, ${range.slice(2, 5)}`;

/** Has a page write everything in typefaces that npm brings, instead of the machine's. Its context must bypass policies. */
export const inOwnTypeface = async (page: Page) => {
  const faces = typefaces.map(([file, weight, range], index) => {
    const address = `http://typefaces.example/${index}.ttf`;
    return { address, content: readFileSync(require.resolve(`@expo-google-fonts/${file}`)), weight, range };
  });
  for (const { address, content } of faces)
    await page.route(address, (route) =>
      route.fulfill({ body: content, contentType: 'font/ttf', headers: { 'access-control-allow-origin': '*' } }),
    );
  const rules = faces.map(
    ({ address, weight, range }) =>
      `@font-face{font-family:"${familyOf(range)}";src:url("${address}");font-weight:${weight};unicode-range:${range}}`,
  );
  const style = `${rules.join('')}*,*::before,*::after{font-family:${[...new Set(faces.map(({ range }) => `"${familyOf(range)}"`))].join(',')} !important;animation:none !important;transition:none !important;caret-color:transparent !important}`;
  await page.addInitScript((css) => {
    document.addEventListener('DOMContentLoaded', () => {
      const element = document.createElement('style');
      element.textContent = css;
      document.head.append(element);
    });
  }, style);
};
