import assert from 'node:assert/strict';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { bothHands } from '../support/hands.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('passkeys, on screen', function () {
  this.timeout(60_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  for (const [how, hands] of bothHands) {
    it(`verifies the customer, who sees the same two digits in the chat and on the phone, ${how}`, async () => {
      const { chat, phone } = await sit(whole.addresses(), { hands });
      await begin(chat, 'Passkeys');
      await chat.sees(/Send a passkey request\?/);
      await chat.press('Send');

      const waiting = await chat.sees(/Waiting for your passkey/);
      const code = /same code\s+(\d\d)\n/.exec(waiting)?.[1];
      await chat.progress('✓ Sent to your phone', '● Waiting to be opened', '○ Started', '○ Completed');
      const device = await phone.openLink();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '● Waiting for you to start', '○ Completed');
      await device.getByText(`The chat shows the code ${code}.`).tap();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '● In progress');
      await device.getByRole('button', { name: 'Approve sign-in' }).tap();
      await device.getByRole('heading', { name: 'Done' }).waitFor();

      assert.match(await chat.sees(/You are verified/), /Your passkey has confirmed that it is you\./);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '✓ Completed');
      assert.deepEqual(await chat.showing(/same code/), []);
      await menuAgain(chat);
    });
  }
});
