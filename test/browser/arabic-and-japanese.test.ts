import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeTexts } from '../../dialogs/language/texts.ts';
import type { Language } from '../../src/platform/text/languages.ts';
import { makeServiceTexts } from '../../src/service/core/texts.ts';
import { violationsOf } from '../support/accessibility.ts';
import { shoot } from '../support/browser.ts';
import { phoneSize } from '../support/phone.ts';
import { payInSandbox } from '../support/sandbox-page.ts';
import { useScreens } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const screens: readonly (readonly [name: string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1200, height: 900 } }],
  ['phone', phoneSize],
];

const literally = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

for (const [language, locale, wish, direction] of [
  ['ar', 'ar-AE', 'أريد دفع الفاتورة', 'rtl'],
  ['ja', 'ja-JP', '請求書を支払いたいのですが', 'ltr'],
] as const) {
  const t = makeTexts(locale);
  const device = makeServiceTexts()(language as Language);

  describe(`a customer who speaks ${language}`, function () {
    this.timeout(180_000);
    const sit = useScreens();
    let whole: Whole;
    beforeEach(async () => {
      whole = await startWhole();
    });
    afterEach(() => whole.close());

    /** A page that holds nothing against anybody, fits its screen and runs its own way, as a picture. */
    const inOrder = async (page: Page, picture: string) => {
      await until(async () => (await page.locator('[aria-live] input').count()) === 0, 'what is read out to be gone');
      await shoot(page, picture);
      assert.deepEqual(await violationsOf(page), [], picture);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), page.viewportSize()?.width, `${picture} is too wide`);
      assert.deepEqual(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]'), [language, direction]);
    };

    for (const [name, options] of screens)
      it(`pays from a wish in their own words to the receipt (${name})`, async () => {
        const { chat, phone } = await sit(whole.addresses(), { ...options, locale });
        await inOrder(chat.page, `${language}-${name}-greeting`);
        await chat.say(wish);
        await chat.sees(
          literally(
            t('phone.ask')
              .replace(/\u200E/g, '')
              .slice(0, 10),
          ),
        );
        await chat.say('+1 202 555 0102');
        await chat.sees(/M•••/);
        await chat.sees(literally(t('payments.choose')));
        await inOrder(chat.page, `${language}-${name}-confirm`);
        await chat.say(language === 'ar' ? '١' : '１');
        await chat.sees(literally(t('cards.payments.waiting.title')));
        await inOrder(chat.page, `${language}-${name}-waiting`);

        await inOrder(phone.outbox, `${language}-${name}-outbox`);
        const page = await phone.openLink();
        await page.getByText(device.t('payments.lead', { account: 'Brightwater Energy' })).waitFor();
        await inOrder(page, `${language}-${name}-pay`);
        await page.getByRole('button', { name: literally(device.t('payments.accept', { amount: '' }).trim()) }).tap();
        await payInSandbox(page);
        await page.getByRole('heading', { name: literally(device.t('payments.done', { amount: '' }).trim()) }).waitFor();
        await inOrder(page, `${language}-${name}-done`);

        await chat.sees(literally(t('cards.payments.success.title')));
        await chat.sees(literally(t('cards.menu.title')));
        await inOrder(chat.page, `${language}-${name}-receipt`);
        assert.deepEqual(await chat.showing(/\b(?:Sent|Waiting|Payment|Thank|Amount|Phone|Choose|Cancel|Send)\b/), []);
      });
  });
}
