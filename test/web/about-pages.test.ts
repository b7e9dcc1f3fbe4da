import assert from 'node:assert/strict';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { startPage } from '../support/chat-page.ts';

const links = { privacy: 'https://violet.example.com/privacy', terms: 'https://violet.example.com/terms' };

describe('the pages that Teams asks every app for', () => {
  for (const path of ['privacy', 'terms'] as const) {
    it(`/${path} leads to the theme’s own page`, async () => {
      const { url, close } = await startPage({ theme: { name: 'Violet Bank', links } });
      try {
        const answer = await fetch(new URL(path, url), { redirect: 'manual' });
        assert.deepEqual([answer.status, answer.headers.get('location')], [302, links[path]]);
      } finally {
        await close();
      }
    });

    it(`/${path} shows general information if there is no operator’s text, in the reader’s language`, async () => {
      const { url, close } = await startPage({ theme: { name: 'Violet & Bank' } });
      try {
        const read = async (language: string) => {
          const answer = await fetch(new URL(path, url), { headers: { 'accept-language': language } });
          assert.deepEqual([answer.status, answer.headers.get('content-language')], [200, language]);
          assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
          return answer.text();
        };
        assert.match(await read('en'), /<title>(?:Privacy|Terms of use) – Violet &amp; Bank<\/title>[\s\S]*has not linked/);
        assert.match(await read('es'), /<html lang="es" dir="ltr">[\s\S]*todavía no ha enlazado/);
      } finally {
        await close();
      }
    });
  }

  describe('in a browser', function () {
    this.timeout(60_000);
    let browser: TestBrowser;
    before(async () => {
      browser = await launchBrowser();
    });
    after(() => browser.close());
    for (const colorScheme of ['light', 'dark'] as const)
      it(`can be read by everybody, ${colorScheme}`, async () => {
        const { url, close } = await startPage({});
        const { page, context, complaints } = await browser.page({ viewport: { width: 390, height: 844 }, colorScheme });
        try {
          await page.goto(new URL('privacy', url).href);
          await shoot(page, `privacy-${colorScheme}`);
          assert.deepEqual([await violationsOf(page), complaints], [[], []]);
        } finally {
          await context.close();
          await close();
        }
      });
  });
});
