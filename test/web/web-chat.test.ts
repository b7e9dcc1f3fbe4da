import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { keptWebChat, leftOut } from '../../.build/web-chat.ts';
import { makeCached } from '../../src/platform/pages/assets.ts';
import { languages } from '../../src/platform/text/languages.ts';
import { startChromium } from '../support/chromium.ts';
import { hostileStrings } from '../support/hostile.ts';
import { payloads } from '../support/payloads.ts';
import { itFurther, itSample } from '../support/tier.ts';
import { until } from '../support/until.ts';
import { activities } from '../support/web-chat-activities.ts';

/** It was 734 KB as Microsoft makes it: at 1.6 Mb/s each 20 KB are a tenth of a second until the chat is there. */
const most = 520_000;

const markdown = [
  '# One\n\n1. a\n2. b\n\n- c\n- d\n\n`code`, **bold**, *em*, ~~gone~~\n\n```\nblock\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  '[x][1] and <https://example.com/?a=1&b=2> {.other}\n\n> quoted “so”...\n\n[1]: https://example.com/one "title"',
  'first\r\nsecond &amp; &copy; &#60; <b onclick="canary()">b</b> <img src=x onerror=canary()> [y](javascript:canary())',
];

/** The attacks by tens, since Web Chat takes its time for long chats. */
const ofStrangers = [
  ...hostileStrings,
  ...Object.values(Object.groupBy(payloads, (payload) => Math.floor(payloads.indexOf(payload) / 10))).map((tens = []) =>
    tens.map(({ text }) => text).join('\n\n'),
  ),
];

describe("the chat page's Web Chat", function () {
  this.timeout(120_000);
  let browser: Browser;
  let ours: string;
  const theirs = join(createRequire(import.meta.url).resolve('botframework-webchat'), '../../dist/webchat.js');
  before(async () => {
    browser = await startChromium();
    ours = fileURLToPath(await keptWebChat());
  });
  after(() => browser.close());

  /** A page with a script, and no way out. Collects what goes wrong on it. */
  const openWith = async (script: string, locale = 'en-US') => {
    const page = await browser.newPage({ locale });
    const harm: string[] = [];
    page.on('pageerror', ({ message }) => harm.push(message));
    await page.exposeFunction('canary', () => void harm.push('a script ran'));
    await page.clock.setFixedTime('2026-11-22T12:00:00Z');
    await page.route('**', (route) => {
      const here = new URL(route.request().url()).hostname === 'localhost';
      return here ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><main style="height: 800px"></main>' }) : route.abort();
    });
    await page.goto('http://localhost/');
    await page.addScriptTag({ path: script });
    return { page, harm };
  };

  it(`weighs less than ${most / 1000} KB as it is sent`, async () => {
    const { answer } = makeCached(readFileSync(ours), { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' });
    const { body } = await answer({ headers: { 'accept-encoding': 'br' } });
    assert.ok(Buffer.isBuffer(body) && body.length < most, `${Buffer.isBuffer(body) && body.length} bytes`);
  });

  it('names what it is made without, where that is called', async () => {
    const { page, harm } = await openWith(ours);
    const said = await page.evaluate(async () => {
      const { WebChat } = window as unknown as { WebChat: Record<string, (options: object) => unknown> };
      const called = ['createCognitiveServicesSpeechServicesPonyfillFactory', 'createDirectLineSpeechAdapters'];
      const faults = [...called, 'createDirectLineAppServiceExtension'].map(async (name) => WebChat[name]?.({ token: 'x' }));
      return (await Promise.allSettled(faults)).map((end) => (end.status === 'rejected' ? String(end.reason) : 'nothing'));
    });
    assert.deepEqual(
      said,
      Object.keys(leftOut).map((module) => `Error: Web Chat is made without ${module}`),
    );
    assert.deepEqual(harm, []);
    await page.close();
  });

  /** Some of Microsoft's languages have words by region, and all have dates and numbers. */
  for (const [locale, what, texts] of [
    ...['ar-EG', 'ar-JO', 'de-AT', 'es-MX', 'fr-CA', 'ja-JP', ...languages].map((locale) => [locale, 'everything', markdown] as const),
    ['en-US', 'what strangers write', ofStrangers] as const,
  ])
    itSample(locale === 'ar-EG')(`shows ${what} as Microsoft's does: ${locale}`, async () => {
      const pages = [await openWith(theirs, locale), await openWith(ours, locale)];
      for (const { page } of pages) await show(page, activities(texts), locale);
      for (const { page } of pages) await page.getByRole('toolbar').getByText('The last of all').waitFor();
      const [their, our] = await Promise.all(pages.map(({ page }) => settled(page)));
      assert.ok((our?.length ?? 0) > 600, `${our?.length} elements`);
      // Element by element: a difference of thousands would take minutes to print.
      assert.equal(our?.length, their?.length);
      assert.deepEqual(
        our?.filter((element, index) => element !== their?.[index]).slice(0, 5),
        [],
        their
          ?.filter((element, index) => element !== our?.[index])
          .slice(0, 5)
          .join('\n'),
      );
      assert.deepEqual(
        pages.map(({ harm }) => harm),
        [[], []],
      );
      for (const { page } of pages) await page.close();
    });

  const show = (page: Page, activities: readonly object[], locale: string) =>
    page.evaluate(
      ({ activities, locale }) => {
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
        const directLine = { activity$: once(activities), connectionStatus$: once([0, 1, 2]), postActivity: () => once(['ok']), end() {} };
        // biome-ignore lint/suspicious/noExplicitAny: Web Chat comes as a script
        (window as any).WebChat.renderWebChat({ directLine, locale, userID: 'me' }, document.querySelector('main'));
      },
      { activities, locale },
    );

  /** The page's elements with their attributes and texts, once they stay as they are. */
  const settled = (page: Page) =>
    until(async () => {
      const [before, after] = [await shownBy(page), await shownBy(page)];
      return before.join() === after.join() && after;
    }, 'a page to stay as it is');

  /** Identifiers are made at random, and so are addresses of blobs and the styles of two animations. */
  const shownBy = (page: Page) =>
    page.evaluate(() => {
      // What is read out goes after a while.
      const shown = document.querySelectorAll('main *:not([aria-live], [aria-live] *)');
      return [...shown].map((element) => {
        const attributes = [...element.attributes]
          .filter(({ name }) => !/^(id|for|name|aria-(labelledby|describedby|controls|activedescendant|owns))$/.test(name))
          .map(({ name, value }) => `${name}=${value.replace(/(css-)[a-z0-9-]+|(blob:)\S+|(__|--)[a-z0-9]{2,7}(?= |$)/g, '$1$2$3')}`);
        const said = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue);
        return [element.localName, ...attributes, ...said].join(' ');
      });
    });

  describe('in a clone', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'kept-web-chat-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('is the same as in the package, is made once and replaces an older one', async () => {
      writeFileSync(join(folder, 'webchat-0000000000000000.js'), 'old');
      const first = fileURLToPath(await keptWebChat(folder));
      assert.ok(readFileSync(first).equals(readFileSync(ours)));
      const { ino } = statSync(first);
      assert.equal(fileURLToPath(await keptWebChat(folder)), first);
      assert.equal(statSync(first).ino, ino);
      assert.deepEqual(readdirSync(folder), [first.slice(folder.length + 1)]);
    });

    itFurther('is made by each start where the packages belong to somebody else', async () => {
      const script = await keptWebChat('/sys/countersign');
      assert.ok(readFileSync(script).equals(readFileSync(ours)));
      rmSync(new URL('.', script), { recursive: true });
    });
  });
});
