import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { begin, type ChatScreen, menuAgain } from '../support/chat-screen.ts';
import { bothHands } from '../support/hands.ts';
import { withAuthenticator } from '../support/phone.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('passkeys, on screen', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  /** Sends the request; answers the two digits that the chat shows. */
  const send = async (chat: ChatScreen, time = 1) => {
    await chat.sees(/Send a passkey request\?/, time);
    await chat.press('Send');
    return /same code\s+(\d\d)\n/.exec(await chat.sees(/Waiting for your passkey/))?.[1];
  };
  const press = (device: Page, name: string) => device.getByRole('button', { name }).tap();

  for (const [how, hands] of bothHands) {
    it(`sets a passkey up and uses it, with the same two digits in the chat and on the phone, ${how}`, async () => {
      const { chat, phone } = await sit(whole.addresses(), { hands });
      await begin(chat, 'Passkeys');
      const code = await send(chat);
      await chat.progress('✓ Sent to your phone', '● Waiting to be opened', '○ Started', '○ Completed');
      const device = await phone.openLink();
      const credentials = await withAuthenticator(device);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '● Waiting for you to start', '○ Completed');
      await device.getByText(`The chat shows the code ${code}.`).tap();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '● In progress');
      await press(device, 'Send me a code');
      await device.getByLabel('Code of six digits').fill(await phone.readCode());
      await press(device, 'Check the code');
      await press(device, 'Make a passkey');
      await device.getByRole('heading', { name: 'Done' }).waitFor();
      assert.match(await chat.sees(/Your passkey is set up/), /You can use it from now on\./);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '✓ Completed');
      assert.deepEqual(await chat.showing(/same code/), []);
      await menuAgain(chat);

      await chat.press('Passkeys');
      await chat.sees(/Are you/, 2);
      await chat.press('Yes');
      const next = await send(chat, 2);
      const again = await phone.openLink();
      await withAuthenticator(again, await credentials());
      await again.getByText(`The chat shows the code ${next}.`).waitFor();
      await press(again, 'Use my passkey');
      await again.getByRole('heading', { name: 'Done' }).waitFor();
      assert.match(await chat.sees(/You are verified/), /Your passkey has confirmed that it is you\./);
      await chat.sees(/What would you like to do\?/, 2);
    });
  }
});
