import assert from 'node:assert/strict';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { bothHands, mouse } from '../support/hands.ts';
import { payInSandbox } from '../support/sandbox-page.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('payments, on screen', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  for (const [how, hands, test] of bothHands(mouse)) {
    test(`goes from the menu to the receipt, ${how}`, async () => {
      const { chat, phone } = await sit(whole.addresses(), { hands });
      await begin(chat, 'Pay a bill');
      await chat.sees(/What would you like to pay for\?/);
      await chat.press('Electricity and gas, November');

      await chat.sees(/Waiting for your payment/);
      await chat.progress('✓ Sent to your phone', '● Waiting to be opened', '○ Started', '○ Completed');
      const device = await phone.openLink();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '● Waiting for you to start', '○ Completed');
      await device.getByText('Monthly bill').tap();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '● In progress');
      await device.getByRole('button', { name: 'Pay $128.40' }).tap();
      await payInSandbox(device);
      await device.getByRole('heading', { name: /^You paid / }).waitFor();

      const receipt = await chat.sees(/Payment received/);
      assert.match(
        receipt,
        /\$128\.40\n[\s\S]*Product\s+Electricity and gas, November\s+Your receipt is on the payment page on your phone\./,
      );
      assert.doesNotMatch(receipt, /sandbox-/);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '✓ Completed');
      await menuAgain(chat);
    });
  }
});
