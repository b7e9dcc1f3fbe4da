import assert from 'node:assert/strict';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { declineOn } from '../support/decline.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const waysOn = ['Try again', 'Menu', 'Talk to a person'];

describe('endings other than success, on screen', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  const declined = [
    ["Confirm it's you", undefined, /You declined/, /You said no on your device/],
    ['Fill in a form', 'Feedback', /You declined/, /You said no on your device/],
    ['Pay a bill', 'Fibre router', /You declined/, /You said no on your device/],
  ] as const;
  for (const [app, choice, title, text] of declined) {
    it(`says that the customer declined, and offers ways on: ${app}`, async () => {
      const { chat, phone } = await sit(whole.addresses());
      await begin(chat, app);
      if (choice) {
        await chat.sees(/What would you like to pay for|Which form/);
        await chat.press(choice);
      } else await chat.press('E-mail me the link');
      await chat.sees(/Waiting to be opened/);
      const device = await phone.openLink();
      await declineOn(device);
      await device.getByRole('heading', { name: 'Declined' }).waitFor();

      assert.match(await chat.sees(title), text);
      await chat.progress(app === "Confirm it's you" ? '✓ Sent by e-mail' : '✓ Sent to your phone', '✓ Opened', '✓ Started', '– Declined');
      await chat.sees(/What would you like to do now\?/);
      // The other app that does the same is offered by its name.
      const other = app === "Confirm it's you" ? 'Confirm with a code instead' : 'Menu';
      assert.deepEqual(
        await chat.choices(),
        waysOn.map((way) => (way === 'Menu' ? other : way)),
      );
    });
  }

  it('says that the request expired, and offers each way to continue', async () => {
    const { chat } = await sit(whole.addresses());
    await begin(chat, 'Pay a bill', '+12025550112');
    for (const [round, way] of waysOn.entries()) {
      // What was chosen is known when it is tried again.
      if (waysOn[round - 1] !== 'Try again') {
        await chat.sees(/What would you like to pay for\?/);
        await chat.press('Heat pump check');
      } else await chat.press('Text me the link');
      await chat.sees(/No payment in time/, round + 1);
      await chat.sees(/What would you like to do now\?/);
      assert.deepEqual(await chat.choices(), waysOn);
      await chat.press(way);
      if (way === 'Menu') {
        await menuAgain(chat);
        await chat.press('Pay a bill');
      }
    }
    await chat.sees(/Nobody can join this chat right now/);
    await menuAgain(chat);
  });

  it('says that it failed, and ends the request’s card', async () => {
    const { chat } = await sit(whole.addresses());
    await begin(chat, 'Sign a document', '+12025550111');
    await chat.sees(/Which document/);
    await chat.press('Solar panel consent');
    await chat.sees(/Fill in the document/);
    await chat.fill('Owner of the house', 'Tomas Novak');
    await chat.fill('Day of the visit', '2026-12-05');
    await chat.fill('Number of panels', '12');
    await chat.press('Continue');
    await chat.sees(/Sign this document on your phone/);
    await chat.press(/^(Text|E-mail) me/);
    await chat.sees(/Document not signed/);
    await chat.sees(/Not completed \d/);
    await chat.sees(/What would you like to do now\?/);
    assert.deepEqual(await chat.choices(), waysOn);
  });

  it('keeps the quick reply for waiting until the wait is over', async () => {
    const { chat, phone } = await sit(whole.addresses());
    const quick = chat.page.getByRole('toolbar').getByRole('button');
    await begin(chat, "Confirm it's you");
    await chat.sees(/Confirm with your passkey/);
    await chat.press(/^(Text|E-mail) me/);
    await chat.sees(/Waiting to be opened/);
    await phone.openLink();
    await chat.sees(/Waiting for you to start/);
    await quick.first().waitFor();
    assert.deepEqual(await quick.allInnerTexts(), ['Talk to a person']);
    await chat.say('start over');
    await chat.say('yes');
    await chat.sees(/Passkey request cancelled/);
    await menuAgain(chat);
    await quick.first().waitFor({ state: 'detached' });
  });

  it('withdraws what is cancelled in the chat: the link opens nothing any more', async () => {
    const { chat, phone } = await sit(whole.addresses());
    await begin(chat, 'Pay a bill');
    await chat.sees(/What would you like to pay for\?/);
    await chat.press('Heat pump check');
    await chat.sees(/Waiting to be opened/);
    const device = await phone.openLink();
    await chat.sees(/Waiting for you to start/);
    await chat.press('Cancel');
    await chat.sees(/Payment request cancelled/);
    await chat.progress('✓ Sent to your phone', '✓ Opened', '– Cancelled');
    await menuAgain(chat);
    const over = device.getByRole('heading', { name: 'This link does not work any more' });
    // The open page notices by itself.
    await over.waitFor();
    await device.reload();
    await over.waitFor();
    assert.equal((await chat.showing(/Payment received/)).length, 0);
  });
});
