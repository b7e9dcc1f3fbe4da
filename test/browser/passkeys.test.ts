import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { begin, type ChatScreen, menuAgain } from '../support/chat-screen.ts';
import { bothHands, mouse } from '../support/hands.ts';
import { useScreens } from '../support/screens.ts';
import { withAuthenticator } from '../support/virtual-authenticator.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const send = async (chat: ChatScreen) => {
  await chat.sees(/Confirm with your passkey/);
  await chat.press(/^(Text|E-mail) me/);
  // The card of a request that is over waits no more.
  const waiting = await chat.sees(/Waiting for your passkey/);
  return /same number:\s+(\d\d)\n/.exec(waiting)?.[1];
};
const tap = (device: Page, name: string) => device.getByRole('button', { name }).tap();

describe('passkeys, on screen', function () {
  this.timeout(180_000);
  const sit = useScreens();
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  for (const [how, hands, test] of bothHands(mouse)) {
    test(`has the customer set up a passkey, and verifies them by it at once and the next time, ${how}`, async () => {
      const { chat, phone } = await sit(whole.addresses(), { hands });
      await begin(chat, "Confirm it's you");
      const code = await send(chat);
      await chat.progress('✓ Sent by e-mail', '● Waiting to be opened', '○ Started', '○ Completed');
      const first = await phone.openLink();
      const authenticator = await withAuthenticator(first);
      await chat.progress('✓ Sent by e-mail', '✓ Opened', '● Waiting for you to start', '○ Completed');
      const number = first.locator(`.number:text-is("${code}")`);
      await number.waitFor();
      const look = (element: Element) => {
        const { fontFamily, fontWeight, letterSpacing } = getComputedStyle(element);
        return { fontFamily: fontFamily.replaceAll(/["']/g, ''), bold: Number(fontWeight) >= 600, letterSpacing };
      };
      const shown = chat.page.getByText(code ?? '', { exact: true }).last();
      assert.deepEqual(await number.evaluate(look), await shown.evaluate(look), 'the number is written alike in both places');
      await first.locator('.decline').tap({ position: { x: 3, y: 10 } });
      await chat.progress('✓ Sent by e-mail', '✓ Opened', '✓ Started', '● In progress');
      await tap(first, 'Send me a code');
      await first.getByLabel('Six-digit code').fill(await phone.readCode());
      await tap(first, 'Check the code');
      await tap(first, 'Create a passkey');
      await tap(first, 'Use my passkey');
      await first.getByRole('heading', { name: 'You confirmed that it is you' }).waitFor();
      assert.match(await chat.sees(/You are verified/), /Your passkey has confirmed that it is you\./);
      await chat.progress('✓ Sent by e-mail', '✓ Opened', '✓ Started', '✓ Completed');
      assert.deepEqual(await chat.showing(/same number/), []);
      await menuAgain(chat);

      await chat.press("Confirm it's you");
      await send(chat);
      const second = await phone.openLink();
      const [passkey] = await authenticator.credentials();
      assert.ok(passkey);
      await (await withAuthenticator(second)).add(passkey);
      await tap(second, 'Use my passkey');
      await second.getByRole('heading', { name: 'You confirmed that it is you' }).waitFor();
      assert.match(await chat.sees(/You are verified/), /Your passkey has confirmed that it is you\./);
    });
  }
});
