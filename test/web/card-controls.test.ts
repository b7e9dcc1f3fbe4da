import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { button, waiting } from '../../cards/index.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { say, startPage } from '../support/chat-page.ts';
import type { Bot } from '../support/direct-line.ts';
import { until } from '../support/until.ts';

const question = (title: string, ...lines: readonly string[]) => ({
  type: 'message',
  speak: [title, ...lines].join('\n'),
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        version: '1.5',
        body: [title, ...lines].map((text) => ({ type: 'TextBlock', text, wrap: true })),
        actions: ['Yes', 'No'].map((answer) => ({ type: 'Action.Submit', title: answer, data: { action: answer } })),
      },
    },
  ],
});

const many = Array.from({ length: 30 }, (_, index) => `Line ${index}`);
const paid = {
  type: 'message',
  text: 'You have paid.\nYour receipt is on your phone.',
  channelData: { interaction: { app: 'payments', requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S', status: 'success' } },
};

const t = makeTexts('en');
const actions = [button('resend', 'r', t), button('cancel', 'c', t)];
const { card } = waiting({ app: 'payments', to: '+1•••0102', progress: {}, about: { subject: 'Electricity' }, actions }, t);
const waitingMessage = { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }] };

/** Greets with a long card; asks the same again at "again"; has an outcome and a long menu at "pay"; echoes the rest. */
const bot: Bot = async (activity, connector) => {
  const post = (message: Parameters<typeof connector.post>[1]) => connector.post(activity.conversation.id, message, activity.id);
  if (activity.type === 'conversationUpdate') return void (await post(question('Hello.', ...many)));
  if (activity.type !== 'message') return;
  if (activity.text === 'again') for (let times = 0; times < 2; times += 1) await post(question('Is it you?'));
  else if (activity.text === 'pay') for (const message of [paid, question('What next?', ...many)]) await post(message);
  else if (activity.text === 'number') await post({ type: 'message', text: 'Your number?', channelData: { takes: 'tel' } });
  else if (activity.text === 'wait') await post(waitingMessage);
  else await post({ type: 'message', text: `Echo ${activity.text ?? JSON.stringify(activity.value)}` });
};

describe('the controls of the chat’s cards', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let site: Awaited<ReturnType<typeof startPage>>;
  before(async () => {
    browser = await launchBrowser();
    site = await startPage({ bot });
  });
  after(async () => {
    await browser.close();
    await site.close();
  });

  const open = async (locale: string) => {
    const opened = await browser.page({ locale, viewport: { width: 390, height: 664 } });
    // What live regions are given, in that order.
    await opened.page.addInitScript(() => {
      const said: [string, string][] = [];
      Object.assign(globalThis, { said });
      addEventListener('DOMContentLoaded', () => {
        for (const id of ['changes', 'outcomes'])
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const node of addedNodes) said.push([id, node.textContent ?? '']);
          }).observe(document.getElementById(id) as Element, { childList: true });
      });
    });
    await opened.page.goto(site.url);
    return opened;
  };
  const said = (page: Page) => page.evaluate<[string, string][]>('said');
  const message = (page: Page, text: string) => page.locator('.webchat__basic-transcript__activity').filter({ hasText: text }).last();
  /** Where it begins in the view, in pixels. */
  const topOf = (page: Page, text: string) =>
    message(page, text).evaluate((element) => {
      const view = document.querySelector('.webchat__basic-transcript__scrollable') as Element;
      return Math.round(element.getBoundingClientRect().top - view.getBoundingClientRect().top);
    });
  const atTop = (page: Page, text: string) => until(async () => Math.abs(await topOf(page, text)) < 12, `${text} at the top`);

  it('show a press at once and that the bot is busy soon, and the beginning of what is taller than the view', async () => {
    const { page, context, complaints } = await open('en-US');
    await atTop(page, 'Hello.');
    assert.equal(await page.getByRole('button', { name: 'New messages' }).isVisible(), false);
    let goOn = () => {};
    await page.route(/\/activities$/, async (route) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await route.continue();
    });
    const yes = page.getByRole('button', { name: 'Yes' });
    assert.equal(await yes.getAttribute('aria-pressed'), null);
    await yes.click();
    const opacity = (name: string) => page.getByRole('button', { name }).evaluate((button) => Number(getComputedStyle(button).opacity));
    assert.deepEqual([await opacity('Yes'), await opacity('No')], [1, 0.55]);
    await page.locator('.webchat__typing-indicator').waitFor();
    await shoot(page, 'chat-pressed');
    goOn();
    await message(page, 'Echo').waitFor();
    await page.locator('.webchat__typing-indicator').waitFor({ state: 'detached' });
    assert.equal(await opacity('No'), 1);
    await page.unrouteAll();
    // Who scrolls away stays there.
    await page.mouse.move(200, 300);
    await until(async () => {
      await page.mouse.wheel(0, -500);
      return (await topOf(page, 'Hello.')) >= 0;
    }, 'the beginning');
    await say(page, 'pay');
    await atTop(page, 'You have paid.');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('are read out once, an outcome first and by itself, and nothing again after a reload', async () => {
    const { page, context } = await open('en-US');
    await until(async () => (await said(page)).length === 1, 'the greeting');
    await say(page, 'again');
    await until(async () => (await said(page)).length === 2, 'the question');
    await say(page, 'pay');
    await until(async () => (await said(page)).length === 4, 'the outcome and what follows');
    assert.deepEqual((await said(page)).slice(1), [
      ['changes', 'Is it you? Is it you?'],
      ['outcomes', 'You have paid. Your receipt is on your phone.'],
      ['changes', 'What next?'],
    ]);
    assert.equal(await page.locator('.webchat__live-region-transcript').isVisible(), false);
    const live = page.locator('[role="toolbar"][aria-live="polite"]');
    assert.equal(await live.count(), 0);
    // The older of two equal questions is not to be answered.
    const asked = await page.locator('.ac-adaptiveCard').evaluateAll((cards) => cards.map((card) => card.hasAttribute('inert')));
    assert.deepEqual(asked, [false, true, false, false]);
    // One time for all that was said in one minute.
    assert.ok((await page.getByText('Just now').count()) < 3);
    await page.reload();
    await message(page, 'What next?').waitFor();
    await say(page, 'there');
    await until(async () => (await said(page)).length > 0, 'something new');
    assert.deepEqual(await said(page), [['changes', 'Echo there']]);
    await context.close();
  });

  it('let “Send again” rest for half a minute after it was pressed, and no other', async () => {
    const { page, context } = await open('en-US');
    await message(page, 'Hello.').waitFor();
    await page.clock.install();
    await say(page, 'wait');
    const [resend, cancel] = ['Send again', 'Cancel'].map((name) => page.getByRole('button', { name }));
    assert.ok(resend && cancel);
    await resend.focus();
    await page.keyboard.press('Enter');
    await message(page, 'Echo {“action”:“r”}').waitFor();
    assert.deepEqual(await resend.evaluate((row) => [row.ariaDisabled, row.ariaPressed, 'pressed' in (row as HTMLElement).dataset]), [
      'true',
      null,
      false,
    ]);
    await resend.click({ force: true });
    await page.keyboard.press('Enter');
    await cancel.click();
    await message(page, 'Echo {“action”:“c”}').waitFor();
    assert.equal(await page.locator('.webchat__bubble__content').filter({ hasText: 'Echo {“action”:“r”}' }).count(), 1);
    await page.clock.fastForward(30_000);
    await until(async () => (await resend.getAttribute('aria-disabled')) === null, 'that it may be pressed again');
    for (const one of [resend, cancel]) {
      const box = await one.boundingBox();
      assert.ok(box && box.height >= 40 && box.width >= 44, JSON.stringify(box));
    }
    await shoot(page, 'chat-waiting-row');
    await context.close();
  });

  it('offer the keyboard and the numbers of a phone while the chat asks for one, also after a reload', async () => {
    const { page, context } = await open('en-US');
    const box = page.locator('[data-id="webchat-sendbox-input"]');
    const kind = () => box.evaluate((input: HTMLTextAreaElement) => [input.inputMode, input.autocomplete].join());
    await message(page, 'Hello.').waitFor();
    assert.equal(await kind(), 'text,');
    await say(page, 'number');
    await until(async () => (await kind()) === 'tel,tel', 'the number’s keyboard');
    await page.reload();
    await until(async () => (await kind()) === 'tel,tel', 'the same after a reload');
    await say(page, '202 555 0102');
    await message(page, 'Echo 202').waitFor();
    await until(async () => (await kind()) === 'text,', 'the usual keyboard');
    await context.close();
  });

  it('keep a typed number in its order in a language from right to left, and all of its letters in view', async () => {
    const { page, context } = await open('ar-EG');
    await message(page, 'Hello.').waitFor();
    await say(page, '+1 202 555 0102');
    const typed = page.locator('.webchat__bubble--from-user p').last();
    await typed.waitFor();
    await until(async () => (await typed.getAttribute('dir')) === 'ltr', 'its direction');
    await say(page, 'نعم');
    await until(async () => (await typed.getAttribute('dir')) === 'auto', 'the direction of words');
    const box = page.locator('[data-id="webchat-sendbox-input"]');
    assert.ok(await box.evaluate((input) => input.scrollHeight <= input.clientHeight));
    await shoot(page, 'chat-arabic-number');
    await context.close();
  });
});
