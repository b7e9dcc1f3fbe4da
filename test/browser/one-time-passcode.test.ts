import assert from 'node:assert/strict';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { bothHands, mouse } from '../support/hands.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('one-time-passcode, on screen', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  for (const [how, hands, test] of bothHands(mouse)) {
    test(`takes the code that the phone received, ${how}`, async () => {
      const { chat, phone } = await sit(whole.addresses(), { hands });
      await begin(chat, 'Get a one-time code');
      await chat.sees(/Get a one-time passcode/);
      await chat.press(/^(Text|E-mail) me/);

      const asked = await chat.sees(/Enter your code/);
      assert.match(
        asked,
        /^Enter your code\s+We sent a code to \+1•••0102\.\s+6-digit code from the message[\s\S]*5 tries left\s+Our message names your check number \d\d\./,
      );
      const field = chat.page.locator('#code input').last();
      assert.equal(await field.getAttribute('autocomplete'), 'one-time-code');
      const code = await phone.readCode();
      assert.equal(await field.getAttribute('inputmode'), 'numeric');
      // Six digits submit themselves.
      await chat.fill(
        '6-digit code from the message',
        code.replace(/^./, (digit) => String((Number(digit) + 1) % 10)),
      );
      await chat.sees(/That is not the right code\.[\s\S]*4 tries left/);
      assert.deepEqual(await chat.showing(/You have 4 tries left/), [], 'the error is said at the field, and nowhere else');
      const wrong = chat.page.locator('#code input[aria-invalid="true"]:focus');
      await wrong.waitFor();
      assert.equal(await wrong.inputValue(), '');
      assert.match(
        await wrong.evaluate((input) => document.getElementById(input.getAttribute('aria-errormessage') ?? '')?.textContent ?? ''),
        /^That is not the right code\.$/,
      );
      assert.equal(await wrong.evaluate((input) => getComputedStyle(input).borderTopColor), 'rgb(179, 38, 30)');
      // Fewer are a mistake that Enter submits.
      await chat.fill('6-digit code from the message', '12');
      assert.equal(await field.getAttribute('aria-invalid'), null);
      await chat.page.keyboard.press('Enter');
      await chat.sees(/The code has six characters/);
      await chat.fill('6-digit code from the message', `${code.slice(0, 3)} ${code.slice(3)}`);

      assert.match(await chat.sees(/You are verified/), /Your code was right\./);
      await chat.progress('✓ Sent to your phone', '✓ Completed');
      assert.deepEqual(await chat.showing(/Enter your code/), []);
      await menuAgain(chat);
    });
  }
});
