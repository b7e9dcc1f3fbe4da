import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { chatScreen } from '../support/chat-screen.ts';
import { signInAtDesk } from '../support/desk.ts';
import { mouse } from '../support/hands.ts';
import { smallPng } from '../support/small-png.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const shots = join(import.meta.dirname, '../../.shots');

// The picture of the README and docs/handoff.md: `.shots/desk-beside-chat.png`, copied to `.github` when it has changed.
describe('a picture of the desk beside the chat', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  let whole: Whole;
  before(async () => {
    browser = await launchBrowser();
    whole = await startWhole({ settings: { HANDOFF: 'desk' }, turnRate: { points: 1000, seconds: 1 } });
  });
  after(async () => {
    await browser.close();
    await whole.close();
  });

  const bytesOf = async (page: Page) => `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;

  it('shows a customer who was verified, the agent who helps them, and a payment on its way', async () => {
    const { page: desk, context } = await browser.page({ locale: 'en-US', viewport: { width: 1180, height: 780 } });
    const { page: window } = await browser.page({ locale: 'en-US', viewport: { width: 420, height: 780 } });
    const link = new URL(whole.bot().links.desk ?? '');
    const [name = '', value = ''] = (await signInAtDesk(link.href, { id: 'mara@example.com', name: 'Mara Lind' })).split('=');
    await context.addCookies([{ name, value, domain: 'localhost', path: '/desk' }]);
    await desk.goto(new URL('/desk', link).href);
    await window.goto(whole.bot().chatUrl);
    const chat = chatScreen(window, mouse);
    for (const [text, sees] of [
      ['passkeys', /phone number/],
      ['+12025550110', /\S••• \S\./],
      ['yes', /You are verified/],
      ['agent', /asked for a member of our team/],
    ] as [string, RegExp][]) {
      await chat.say(text);
      await chat.sees(sees);
    }
    await desk.keyboard.press('Alt+n');
    await desk.locator('#write').fill('Hello, I am Mara. What can I do for you?');
    await desk.keyboard.press('Enter');
    await chat.sees(/What can I do for you/);
    await chat.say('I would like a charging pass for my car.');
    await desk.locator('.bubble.customer', { hasText: 'charging pass' }).waitFor();
    await desk.keyboard.press('Alt+s');
    await desk.getByRole('radio', { name: 'Payment', exact: true }).check();
    await desk.getByRole('radio', { name: /Charging pass/ }).check();
    await desk.getByRole('button', { name: 'Send to their device' }).click();
    await desk.locator('.happening', { hasText: 'Payment: done' }).waitFor();
    await desk.locator('#write').fill('Done! It works from tomorrow on.');
    await desk.keyboard.press('Enter');
    await chat.sees(/works from tomorrow on/);
    await desk.locator('.toast').waitFor({ state: 'detached' });

    const { page: both } = await browser.page({ viewport: { width: 1652, height: 814 } });
    const style = 'display:flex;gap:16px;padding:16px;margin:0;background:#cfd9d6';
    const picture = 'border:1px solid #9fb0ac;border-radius:10px';
    await both.setContent(
      `<body style="${style}"><img style="${picture}" src="${await bytesOf(window)}"><img style="${picture}" src="${await bytesOf(desk)}"></body>`,
    );
    const png = await smallPng(both);
    mkdirSync(shots, { recursive: true });
    writeFileSync(join(shots, 'desk-beside-chat.png'), png);
    assert.ok(png.length < 150_000, `${png.length} bytes`);
  });
});
