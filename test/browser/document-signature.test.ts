import assert from 'node:assert/strict';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { bothHands, keyboard } from '../support/hands.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('document-signature, on screen', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  for (const [how, hands, test] of bothHands(keyboard)) {
    test(`fills a document in, and sees it signed, ${how}`, async () => {
      const { chat, phone } = await sit(whole.addresses(), { hands });
      await begin(chat, 'Sign a document');
      await chat.sees(/Which document would you like to sign\?/);
      await chat.press('Direct debit mandate');
      await chat.sees(/Fill in the document/);
      await chat.fill('Account holder', 'Mei Tanaka');
      await chat.fill('Last four digits of the account', '4711');
      await chat.fill('Monthly limit', '250');
      await chat.press('Continue');
      assert.match(
        await chat.sees(/Sign this document on your phone/),
        /Direct debit mandate[\s\S]*Account holder\s+Mei Tanaka[\s\S]*4711/,
      );
      await chat.press(/^(Text|E-mail) me/);

      await chat.sees(/Waiting for your signature/);
      await chat.progress('✓ Sent to your phone', '● Waiting to be opened', '○ Started', '○ Completed');
      const device = await phone.openLink();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '● Waiting for you to start', '○ Completed');
      await device.getByText('No single collection may be higher than $250.00.').waitFor();
      await device.getByLabel('I have read this document').check();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '● In progress');
      await device.getByLabel('Your full name').fill('Mei Tanaka');
      await device.getByRole('button', { name: 'Sign' }).tap();
      await device.getByRole('heading', { name: /^You signed “/ }).waitFor();

      assert.match(await chat.sees(/Document signed/), /Your signature has been recorded\.[\s\S]*Document\s+Direct debit mandate/);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '✓ Completed');
      await menuAgain(chat);
    });
  }
});
