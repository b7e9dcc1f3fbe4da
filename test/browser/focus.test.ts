import assert from 'node:assert/strict';
import { begin, type ChatScreen } from '../support/chat-screen.ts';
import { declineOn } from '../support/decline.ts';
import { keyboard } from '../support/hands.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('the keyboard focus in the chat', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  const focused = ({ page }: ChatScreen) => page.locator(':focus');
  const isOn = async (chat: ChatScreen, name: RegExp) => assert.match((await focused(chat).getAttribute('aria-label')) ?? '', name);

  it('stays on its button while the waiting card is redrawn, and is in the history when the buttons are gone', async () => {
    const { chat, phone } = await sit(whole.addresses(), { hands: keyboard });
    await begin(chat, 'Fill in a form');
    await chat.sees(/Which form/);
    await chat.press('Feedback');
    await chat.sees(/Waiting to be opened/);
    await chat.press('Send again');
    await chat.sees(/sent only a moment ago/);
    await isOn(chat, /^Send again$/);
    const device = await phone.openLink();
    await chat.sees(/Waiting for you to start/);
    await isOn(chat, /^Send again$/);
    await declineOn(device);
    await chat.sees(/You declined/);
    await chat.sees(/What would you like to do now\?/);
    await isOn(chat, /^Chat history/);
    for (const key of ['End', 'Enter']) await chat.page.keyboard.press(key);
    await isOn(chat, /^Try again$/);
  });

  it('goes to the field when the code in it was wrong', async () => {
    const { chat } = await sit(whole.addresses(), { hands: keyboard });
    await begin(chat, 'Get a one-time code');
    await chat.sees(/Get a one-time passcode/);
    await chat.press(/^(Text|E-mail) me/);
    await chat.sees(/Enter your code/);
    await chat.fill('6-digit code from the message', '00000x');
    await chat.press('Check the code');
    await chat.sees(/4 tries left/);
    assert.equal(await focused(chat).getAttribute('aria-invalid'), 'true');
  });

  it('sends what is typed after a button was clicked to the message box, and the space bar to a focused button', async () => {
    const { chat } = await sit(whole.addresses());
    await chat.press('Pay a bill');
    await chat.sees(/What is your phone number\?/);
    await chat.page.keyboard.type('202 555 0102');
    await chat.page.keyboard.press('Enter');
    await chat.sees(/What would you like to pay for\?/);
    await chat.page
      .locator('.webchat__basic-transcript__activity')
      .getByRole('button', { name: /Fibre router/ })
      .last()
      .focus();
    await chat.page.keyboard.press(' ');
    await chat.sees(/Waiting for your payment/);
  });

  it('is drawn on an answered card only for those who reached it by keyboard', async () => {
    const frames = (chat: ChatScreen) =>
      chat.page
        .locator('.webchat__basic-transcript__activity-indicator')
        .evaluateAll((all) => all.filter((one) => getComputedStyle(one).borderTopStyle !== 'none' && one.clientWidth > 0).length);
    for (const [hands, framed] of [
      [undefined, 0],
      [keyboard, 1],
    ] as const) {
      const { chat } = await sit(whole.addresses(), hands && { hands });
      await begin(chat, 'Fill in a form');
      await chat.sees(/Which form/);
      await chat.press('Feedback');
      await chat.sees(/Waiting for your form/);
      await isOn(chat, /^Chat history/);
      assert.equal(await frames(chat), framed);
    }
  });

  it('goes where the customer puts it, whatever is redrawn meanwhile', async () => {
    const { chat, phone } = await sit(whole.addresses());
    await begin(chat, "Confirm it's you");
    await chat.sees(/Confirm with your passkey/);
    await chat.press(/^(Text|E-mail) me/);
    await chat.sees(/Waiting to be opened/);
    await chat.press('Send again');
    await chat.sees(/sent only a moment ago/);
    await chat.page.getByRole('heading', { name: 'Countersign' }).click();
    await phone.openLink();
    await chat.sees(/Waiting for you to start/);
    assert.equal(await chat.page.evaluate('document.activeElement === document.body'), true);
  });
});
