import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { shoot } from '../support/browser.ts';
import { begin, type ChatScreen, menuAgain } from '../support/chat-screen.ts';
import { phoneSize } from '../support/phone.ts';
import { payInSandbox } from '../support/sandbox-page.ts';
import { type Customer, useScreens } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const screens: readonly (readonly [name: string, suffix: string, BrowserContextOptions])[] = [
  ['a desk', '', { viewport: { width: 1200, height: 900 } }],
  ['a phone', '-narrow', phoneSize],
  ['a desk in the dark', '-dark', { viewport: { width: 1200, height: 900 }, colorScheme: 'dark' }],
];

describe('the pages that people see', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  /** A page that holds nothing against anybody and fits its screen, as a picture. */
  const inOrder = async (page: Page, picture?: string) => {
    if (picture) await shoot(page, picture);
    assert.deepEqual(await violationsOf(page), [], picture);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), page.viewportSize()?.width, `${picture} is too wide`);
  };

  /** A chat that has come to rest: connected, scrolled to its end, nothing left to read out. */
  const settled = async ({ page }: ChatScreen) => {
    const height = () => page.evaluate("document.querySelector('.webchat__basic-transcript__scrollable').scrollTop");
    await until(async () => (await page.locator('.webchat__connectivityStatus').getByText(/./).count()) === 0, 'Web Chat to be connected');
    await until(async () => (await page.locator('[aria-live] input').count()) === 0, 'what is read out to be gone');
    let before: unknown;
    await until(async () => {
      const now = await height();
      const still = now === before;
      before = now;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      return still;
    }, 'the transcript to lie still');
  };

  const waitForPayment = async ({ chat }: Customer) => {
    await begin(chat, 'Pay a bill');
    await chat.sees(/What would you like to pay for\?/);
    await chat.press('Electricity and gas, November');
    await chat.sees(/Waiting to be opened/);
  };

  for (const [name, suffix, options] of screens) {
    it(`are accessible and fit from the greeting to the receipt, on ${name}`, async () => {
      const customer = await sit(whole.addresses(), options);
      const { chat, phone } = customer;
      await settled(chat);
      await inOrder(chat.page, `greeting${suffix}`);
      await waitForPayment(customer);
      const device = await phone.openLink();
      await inOrder(device, `device${suffix}`);
      await chat.sees(/Waiting for you to start/);
      await settled(chat);
      await inOrder(chat.page, `waiting${suffix}`);
      await device.getByRole('button', { name: 'Pay $128.40' }).tap();
      await device.getByRole('heading', { name: 'Sandbox payment' }).waitFor();
      await inOrder(device, `checkout${suffix}`);
      await payInSandbox(device);
      await device.getByRole('heading', { name: /^You paid / }).waitFor();
      await inOrder(device, `device-done${suffix}`);
      await menuAgain(chat);
      await settled(chat);
      await inOrder(chat.page, `conversation${suffix}`);
      const title = await chat.page.locator('.webchat__bubble__content').getByText('Payment received').boundingBox();
      const header = await chat.page.getByRole('banner').boundingBox();
      assert.ok((title?.y ?? 0) >= (header?.height ?? 0), 'the menu has pushed the receipt out of sight');
      await chat.press('More…');
      await chat.sees(/Confirm that it is you, and tell us where/);
      assert.match((await chat.choices()).slice(-2).join(), /^Settle a bill.*Talk to a person/);
      await inOrder(chat.page, `menu-of-all${suffix}`);
    });
  }

  it('are accessible and fit in the outbox, on every screen', async () => {
    const { chat, phone } = await sit(whole.addresses());
    await begin(chat, "Confirm it's you");
    await chat.sees(/Confirm with your passkey/);
    await chat.press(/^(Text|E-mail) me/);
    await chat.sees(/Waiting to be opened/);
    await chat.press('Cancel');
    await menuAgain(chat);
    await chat.press('Pay a bill');
    await chat.sees(/What would you like to pay for\?/);
    await chat.press('Charging pass');
    await chat.sees(/Waiting for your payment/);
    const { outbox } = phone;
    await outbox.getByText('2 messages').waitFor();
    await outbox.getByText('Withdrawn').waitFor();
    for (const [, suffix, { viewport, colorScheme = 'light' }] of screens) {
      await outbox.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (viewport) await outbox.setViewportSize(viewport);
      await inOrder(outbox, `outbox${suffix}`);
    }
  });

  it('are accessible and fit where the chat asks for a document’s blanks and for a passcode', async () => {
    const { chat } = await sit(whole.addresses(), phoneSize);
    await begin(chat, 'Sign a document');
    await chat.sees(/Which document would you like to sign\?/);
    await chat.press('Fibre broadband contract');
    await chat.sees(/Fill in the document/);
    await settled(chat);
    await inOrder(chat.page, 'document-blanks');
    await chat.press('Continue');
    await chat.page.getByText('Please fill this in.').first().waitFor();
    await inOrder(chat.page, 'document-blanks-left-empty');
    await chat.say('cancel');
    await chat.sees(/nothing was sent/);
    await chat.press('Get a one-time code');
    await chat.sees(/Get a one-time passcode/);
    await chat.press(/^(Text|E-mail) me/);
    await chat.sees(/Enter your code/);
    await settled(chat);
    await inOrder(chat.page, 'passcode');
  });

  it('show a whole finished conversation in one picture', async () => {
    const customer = await sit(whole.addresses(), { viewport: { width: 660, height: 1172 } });
    const { chat, phone } = customer;
    await waitForPayment(customer);
    const device = await phone.openLink();
    await chat.sees(/Waiting for you to start/);
    await device.getByRole('button', { name: 'Pay $128.40' }).tap();
    await payInSandbox(device);
    await menuAgain(chat);
    await settled(chat);
    // The menu that follows is left below the edge.
    await chat.page
      .getByText('Your receipt is on the payment page')
      .last()
      .evaluate((fact) => fact.closest('article')?.scrollIntoView({ block: 'end' }));
    await settled(chat);
    await shoot(chat.page, 'finished-conversation');
  });
});
