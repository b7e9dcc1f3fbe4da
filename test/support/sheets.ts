// Pictures of cards that are compared with those that were looked at (test/gallery/sheets).
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { launchBrowser, type TestBrowser } from './browser.ts';
import { inOwnTypeface, openCards, startGallery } from './gallery.ts';

/** The pictures that stand for how it should look. `SCREENS=write` makes them anew. */
export const kept = join(import.meta.dirname, '../gallery/sheets');
/** Where a failure leaves what it saw, outside version control. */
const left = join(import.meta.dirname, '../../.shots/sheets');

/** So many pixels may differ, if any do: a mark of another colour has more. */
const tolerance = 12;

export type Sheet = Readonly<Record<'cards' | 'channel' | 'language' | 'theme', string>>;

export const nameOf = ({ cards, channel, language, theme }: Sheet) => `${cards}-${channel.replace(' ', '-')}-${language}-${theme}`;

/**
 * A page on which one card of each kind is drawn with the same pixels on every machine: at half its size, so that the
 * pictures are small to keep.
 */
export const openSheets = async () => {
  const gallery = await startGallery();
  const browser: TestBrowser = await launchBrowser(['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb']);
  const { page, complaints } = await browser.page({
    bypassCSP: true,
    viewport: { width: 1200, height: 900 },
    deviceScaleFactor: 0.5,
    reducedMotion: 'reduce',
  });
  await inOwnTypeface(page);
  return {
    page,
    complaints,
    open: async (sheet: Sheet, width = '390') => {
      await openCards(page, gallery.url, { ...sheet, width });
      await page.evaluate(async () => {
        const seen = new Set<string>();
        for (const card of document.querySelectorAll<HTMLElement>('main [data-kind]')) {
          const { kind = '' } = card.dataset;
          card.hidden = seen.has(kind);
          card.style.display = seen.has(kind) ? 'none' : '';
          seen.add(kind);
        }
        // The browser draws what a native control shows, in whichever typeface was there first.
        for (const select of document.querySelectorAll<HTMLElement>('main select'))
          select.style.setProperty('-webkit-text-fill-color', 'transparent');
        await document.fonts.ready;
      });
    },
    picture: () => page.locator('#webchat, [data-renderer="teams"] #stage').screenshot({ animations: 'disabled', caret: 'hide' }),
    close: async () => {
      await browser.close();
      await gallery.close();
    },
  };
};

export type Sheets = Awaited<ReturnType<typeof openSheets>>;

/** The typefaces of the machine itself that a page fell back to. */
export const foreignTypefaces = async (page: Page): Promise<readonly string[]> => {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'main [data-kind] *' });
  const found = new Set<string>();
  for (const nodeId of nodeIds) {
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    for (const { familyName, isCustomFont } of fonts) if (!isCustomFont) found.add(familyName);
  }
  await session.detach();
  return [...found];
};

/** Compares a picture with the one that is kept; leaves both, and where they differ, if they do. */
export const compare = (name: string, picture: Buffer): void => {
  const file = join(kept, `${name}.png`);
  if (process.env.SCREENS === 'write') {
    mkdirSync(kept, { recursive: true });
    // Without an alpha channel: nothing can be seen through.
    writeFileSync(file, PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateLevel: 9, filterType: -1 }));
  }
  assert.ok(existsSync(file), `there is no picture of ${name} yet: look at it, and keep it with SCREENS=write`);
  const [should, is] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(picture)];
  const leave = (what: string, content: Buffer) => {
    mkdirSync(left, { recursive: true });
    const path = join(left, `${name}.${what}.png`);
    writeFileSync(path, content);
    return path;
  };
  const sized = should.width === is.width && should.height === is.height;
  if (!sized) {
    const path = leave('actual', picture);
    assert.fail(`${name} is ${is.width} × ${is.height} pixels instead of ${should.width} × ${should.height}: see ${path}`);
  }
  const diff = new PNG({ width: is.width, height: is.height });
  const differing = pixelmatch(should.data, is.data, diff.data, is.width, is.height, { threshold: 0.1, includeAA: true });
  if (differing <= tolerance) return;
  const paths = [leave('actual', picture), leave('diff', PNG.sync.write(diff))];
  assert.fail(`${differing} pixels of ${name} differ: see ${paths.join(' and ')}. If it should look so, keep it with SCREENS=write`);
};
