import assert from 'node:assert/strict';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { startPage } from '../support/chat-page.ts';

const colours = {
  light: { accent: '#6d28d9', text: '#ffffff', link: '#6d28d9', soft: '#efe7fb' },
  dark: { accent: '#c4b5fd', text: '#1e1033', link: '#c4b5fd', soft: '#2e2a44' },
};
const links = {
  privacy: 'https://violet.example.com/privacy',
  terms: 'https://violet.example.com/terms',
  support: 'mailto:help@violet.example.com',
};
const logo = {
  type: 'image/svg+xml',
  content: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40"><rect width="40" height="40" rx="9" fill="#6d28d9"/><text x="50" y="28">Violet</text></svg>',
  ),
} as const;

import { until } from '../support/until.ts';

describe('a chat page with a theme', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const looks = [
    ['a name alone', { name: 'Violet Bank' }, 'Violet Bank'],
    ['everything', { name: 'Violet Bank', logo, colours, links }, 'Violet Bank'],
    ['nothing', undefined, 'Countersign'],
  ] as const;
  const screens = [
    ['desk', { viewport: { width: 1100, height: 820 } }],
    ['dark phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true, hasTouch: true }],
    ['narrow', { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true }],
  ] as const;
  for (const [what, theme, name] of looks)
    for (const [screen, options] of screens)
      it(`shows its owner with a theme that has ${what}: ${screen}`, async () => {
        const site = await startPage({ ...(theme && { theme }) });
        try {
          const { page, complaints } = await browser.page({ locale: 'en-US', ...options });
          await page.goto(site.url);
          await page.locator('.webchat__basic-transcript__activity').getByText('Hello').first().waitFor();
          await page.getByRole('heading', { level: 1, name }).waitFor();
          assert.equal(await page.title(), name);
          const footer = page.getByRole('navigation', { name: 'About this service' }).getByRole('link');
          assert.deepEqual(await footer.allInnerTexts(), theme && 'links' in theme ? ['Privacy', 'Terms', 'Help'] : []);
          const accent = await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--own').trim()");
          const dark = 'colorScheme' in options;
          if (theme && 'colours' in theme) assert.equal(accent, dark ? '#c4b5fd' : '#6d28d9');
          assert.equal(await page.evaluate('document.documentElement.scrollWidth'), options.viewport.width);
          assert.deepEqual(await violationsOf(page), []);
          assert.deepEqual(complaints, []);
          await shoot(page, `chat-theme-${what}-${screen}`.replaceAll(' ', '-'));
          await page.context().close();
        } finally {
          await site.close();
        }
      });

  it('gives most of the screen to the chat at 400 %', async () => {
    const site = await startPage({ theme: { name: 'Violet Bank', links } });
    try {
      const { page } = await browser.page({ locale: 'en-US', viewport: { width: 320, height: 256 } });
      await page.goto(site.url);
      const box = page.locator('[data-id="webchat-sendbox-input"]');
      await box.waitFor();
      await until(async () => {
        const place = await box.boundingBox();
        return place && place.y + place.height <= 256;
      }, 'the message box in view');
      await box.click();
      await page.keyboard.type('hello');
      const main = await page.locator('main').boundingBox();
      assert.equal(main?.height, 256, 'the chat has the whole screen');
      assert.ok((main?.y ?? 1) <= 0, 'the header has scrolled away');
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
      await shoot(page, 'chat-400-percent');
    } finally {
      await site.close();
    }
  });
});
