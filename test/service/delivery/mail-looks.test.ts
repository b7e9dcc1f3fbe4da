import assert from 'node:assert/strict';
import type { Language } from '../../../src/platform/text/languages.ts';
import type { Message } from '../../../src/service/core/messages/message.ts';
import { makeServiceTexts } from '../../../src/service/core/texts.ts';
import { type MailBrand, mailBody } from '../../../src/service/delivery/mail-body.ts';
import { violationsOf } from '../../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../../support/browser.ts';
import { hostileStrings } from '../../support/hostile.ts';

const texts = makeServiceTexts();
const link = 'https://verify.example.com/r/k3n5Jq0b2rYw8sT1uV6xZ4aC7dE9fG0h';
const words: Partial<Record<Language, { subject: string; message: string }>> = {
  en: { subject: 'Confirm that it is you', message: 'You are signing in to your Brightwater account. It asks for your passkey.' },
  es: { subject: 'Confirme que es usted', message: 'Está iniciando sesión en su cuenta de Brightwater. Su número es 47.' },
  ar: { subject: 'أكِّد هويتك', message: 'طلبت في محادثتنا تأكيد هويتك بمفتاح المرور.' },
  ja: { subject: 'ご本人であることの確認', message: 'チャットで、パスキーによる本人確認をご依頼いただきました。' },
};

const messageOf = (language: Language, { subject, message } = words[language] ?? assert.fail(`no mail in ${language}`)): Message => ({
  id: '01KAH5Z0V8Q2J9XW3N4M5P6R7S',
  requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7T',
  app: 'passkeys',
  channel: 'email',
  to: 'mei.tanaka@example.com',
  name: 'Mei Tanaka',
  language,
  subject,
  text: texts(language).t('message.passkeys', { message, link, number: '47' }),
  number: '47',
  link,
  sentAt: 0,
});

const ours: MailBrand = { name: 'Brightwater Energy' };
/** Colours as an account's theme has them once they were checked. */
const violet: MailBrand = {
  name: 'Violet Bank',
  colours: {
    light: { accent: '#6d28d9', text: '#ffffff', link: '#6d28d9', soft: '#ede5fa' },
    dark: { accent: '#c4b5fd', text: '#1e1033', link: '#c4b5fd', soft: '#352f4b' },
  },
};

describe('an e-mail in a mail program', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const show = async (message: Message, options: Parameters<TestBrowser['page']>[0], brand: MailBrand = ours) => {
    const { page, context, complaints } = await browser.page(options);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(mailBody(message, texts(message.language), brand).html);
    return { page, context, complaints, asked };
  };

  for (const [where, options] of [
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['desk', { viewport: { width: 1100, height: 800 } }],
    ['dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const) {
    for (const language of ['en', 'ar', 'ja'] as const) {
      it(`is accessible, loads nothing, and fits (${where}, ${language})`, async () => {
        const { page, context, asked } = await show(messageOf(language), options);
        assert.equal(await page.getByRole('link', { name: texts(language).t('mail.open') }).getAttribute('href'), link);
        assert.deepEqual(await violationsOf(page), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
        assert.deepEqual(asked, []);
        await shoot(page, `mail-${where}-${language}`);
        await context.close();
      });
    }
  }

  for (const [half, colorScheme, accent, text] of [
    ['light', 'light', 'rgb(109, 40, 217)', 'rgb(255, 255, 255)'],
    ['dark', 'dark', 'rgb(196, 181, 253)', 'rgb(30, 16, 51)'],
  ] as const) {
    it(`has the sender’s name and ${half} colours`, async () => {
      const { page, context, asked } = await show(messageOf('en'), { viewport: { width: 390, height: 844 }, colorScheme }, violet);
      assert.equal(await page.getByText('Violet Bank').isVisible(), true);
      const coloursOf = (selector: string) =>
        page.locator(selector).evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).color]);
      for (const selector of ['.button', '.mark']) assert.deepEqual(await coloursOf(selector), [accent, text]);
      assert.equal((await coloursOf('.plain'))[1], accent);
      assert.deepEqual(await violationsOf(page), []);
      assert.deepEqual(asked, []);
      await shoot(page, `mail-theme-${half}`);
      await context.close();
    });
  }

  it('has no name if the sender is unknown', async () => {
    const { page, context } = await show(messageOf('en'), {}, {});
    assert.equal(await page.locator('.mark').count(), 0);
    await context.close();
  });

  it('shows text by others as text: nothing in it runs or loads', async () => {
    const { page, context, asked } = await show(messageOf('en'), {});
    const ran: string[] = [];
    await page.exposeFunction('canary', () => ran.push('canary'));
    page.on('dialog', (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    const markup = [
      '<script>canary()</script>',
      '"><svg onload=canary()>',
      "' onmouseover='canary()",
      '</title><iframe srcdoc="<script>parent.canary()</script>">',
      '<a href="javascript:canary()">x</a>',
      '<style>@import url(https://evil.example)</style>',
      '{{constructor.constructor("canary()")()}}',
      '\u0000<base href=https://evil.example>',
    ];
    for (const payload of [...hostileStrings, ...markup]) {
      const message = messageOf('en', { subject: payload, message: payload });
      await page.setContent(mailBody(message, texts('en'), { name: payload }).html);
      assert.equal(await page.locator('a').count(), 2, payload);
      assert.equal(await page.locator('img,script,iframe,svg,object,form,base').count(), 0, payload);
      assert.equal(await page.locator('style').count(), 1, payload);
    }
    assert.deepEqual([ran, asked], [[], []]);
    await context.close();
  });
});
