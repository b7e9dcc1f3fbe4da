import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from 'playwright-core';
import { makeHttpServer } from '../../../../src/platform/http/http-server.ts';
import { makeLog } from '../../../../src/platform/log.ts';
import { directionOf, inLanguage } from '../../../../src/platform/text/direction.ts';
import { html } from '../../../../src/platform/text/html.ts';
import type { Language } from '../../../../src/platform/text/languages.ts';
import { makeAccounts } from '../../../../src/service/core/accounts.ts';
import { demoCatalogue, loadAccounts } from '../../../../src/service/core/catalogue/load.ts';
import { addServiceAssets } from '../../../../src/service/core/pages/assets.ts';
import { makePagesOf } from '../../../../src/service/core/pages/device-pages.ts';
import { textField } from '../../../../src/service/core/pages/fields.ts';
import { addLooks } from '../../../../src/service/core/pages/looks.ts';
import type { Request } from '../../../../src/service/core/store/request.ts';
import { makeServiceTexts, type Texts } from '../../../../src/service/core/texts.ts';
import { definePasskeys } from '../../../../src/service/passkeys/app.ts';
import type { Passkeys } from '../../../../src/service/passkeys/store.ts';
import { startChromium } from '../../../support/chromium.ts';
import { onPhone } from '../../../support/device-screen.ts';

describe('the direction of a language', () => {
  for (const [language, direction] of [
    ['en', 'ltr'],
    ['es-MX', 'ltr'],
    ['ar', 'rtl'],
    ['he-IL', 'rtl'],
    ['fa', 'rtl'],
    ['ur', 'rtl'],
    ['az-Arab', 'rtl'],
    ['pa-Guru', 'ltr'],
    ['en-one-two-three', 'ltr'],
  ] as const)
    it(`of ${language} is ${direction}`, () => assert.equal(directionOf(language), direction));
});

describe('the stylesheet of the pages', () => {
  it('uses start and end, never left and right', () => {
    for (const name of ['outbox', 'service']) {
      const styles = readFileSync(new URL(`../../../../src/service/assets/${name}.css`, import.meta.url), 'utf8');
      assert.doesNotMatch(styles, /\b(left|right)\b/, name);
    }
  });
});

describe('a device page in a right-to-left language', function () {
  this.timeout(60_000);
  const server = makeHttpServer({ name: 'pages', log: makeLog('silent') });
  // The texts of a language that nobody has translated yet: its tag, with English words.
  const words: Texts = { ...makeServiceTexts()('en'), language: 'ar' as Language };
  let browser: Browser;
  let port: number;
  before(async () => {
    const [loaded] = loadAccounts(demoCatalogue, {});
    assert.ok(loaded);
    const passkeys = definePasskeys({} as Passkeys, false);
    const taskOf = ({ input }: Pick<Request, 'input'>) => passkeys.open(input);
    const [accounts, assets] = [makeAccounts([loaded]), await addServiceAssets(server)];
    const pages = makePagesOf({ accounts, assets, looks: addLooks(server, [loaded]) }, taskOf)(undefined);
    const errors = [{ path: 'name', message: 'Please type your name.' }];
    const content = html`${textField({ name: 'name', label: 'Name', required: true }, errors, words)}
      <div class="field"><label class="choice"><input type="checkbox" name="consent"><span>I agree</span></label></div>`;
    const parts = { title: 'Change of address', lead: 'Please fill in this form.', content, accept: 'Send', labels: { name: 'Name' } };
    const asked = {
      id: '01KAH5Z0V8Q2J9XW3N4M5P6R7S',
      app: 'passkeys',
      input: { subject: 'Sign in', message: 'You are signing in.' },
    } as const;
    server.route('GET', '/ask', () => pages.show(asked, parts, errors, words));
    server.route('GET', '/gone', () => pages.gone(410, words));
    server.route('POST', '/ask/:what', () => ({ status: 204 }));
    port = await server.listen(0, '127.0.0.1', 'PORT');
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    await server.close(0);
  });

  const place = async (locator: Locator) => {
    const box = await locator.boundingBox();
    assert.ok(box);
    return { start: box.x, end: box.x + box.width };
  };

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is laid out from right to left (${colorScheme})`, async () => {
      const visit: Parameters<typeof onPhone>[2] = async ({ page, look }) => {
        assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
        const [mark, name] = [await place(page.locator('.mark')), await place(page.locator('.brand'))];
        assert.ok(name.end - mark.end < 10, 'the mark stands at the right end of its line');
        const [box, label] = [await place(page.getByRole('checkbox')), await place(page.getByText('I agree'))];
        assert.ok(box.start >= label.end, 'the box stands to the right of its words');
        const [send, decline] = [await place(page.getByRole('button', { name: 'Send' })), await place(page.getByText('Decline').first())];
        assert.ok(send.end >= decline.end);
        const indent = await page.locator('.summary ul').evaluate((list) => getComputedStyle(list).paddingRight);
        assert.notEqual(indent, '0px');
        await look(`rtl-${colorScheme}`);
        await page.goto(`http://127.0.0.1:${port}/gone`);
        await look(`rtl-gone-${colorScheme}`);
      };
      await onPhone(browser, `http://127.0.0.1:${port}/ask`, visit, { colorScheme });
    });
  }

  it('shows texts of another language in their own direction', () => {
    const texts = makeServiceTexts()('en');
    assert.equal(inLanguage('he').markup, 'lang="he" dir="rtl"');
    assert.match(textField({ name: 'n', label: 'שם' }, [], texts).markup, /<small lang="en" dir="ltr">/);
  });
});
