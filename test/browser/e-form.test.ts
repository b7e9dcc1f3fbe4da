import assert from 'node:assert/strict';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { bothHands, mouse } from '../support/hands.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('e-form, on screen', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  for (const [how, hands, test] of bothHands(mouse)) {
    test(`sends a form, and sees it received without its answers, ${how}`, async () => {
      const { chat, phone } = await sit(whole.addresses(), { hands });
      await begin(chat, 'Fill in a form');
      await chat.sees(/Which form would you like to fill in\?/);
      await chat.press('Feedback');

      await chat.sees(/Waiting for your form/);
      await chat.progress('✓ Sent to your phone', '● Waiting to be opened', '○ Started', '○ Completed');
      const device = await phone.openLink();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '● Waiting for you to start', '○ Completed');
      await device.getByLabel('Very good').check();
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '● In progress');
      await device.getByLabel('Moving home').check();
      await device.getByLabel('Anything you would like to add').fill('All went well');
      await device.getByRole('button', { name: 'Send' }).tap();
      await device.getByRole('heading', { name: 'Your answers were sent' }).waitFor();

      const received = await chat.sees(/Form received/);
      assert.match(received, /Your answers have arrived\.[\s\S]*Form\s+Feedback[\s\S]*your answers are not shown in this chat/);
      assert.doesNotMatch(received, /All went well/);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '✓ Completed');
      await menuAgain(chat);
    });
  }
});
