import assert from 'node:assert/strict';
import type { AppId } from '../../src/contract/index.ts';
import { newestCode } from '../support/device.ts';
import { gatewayKey, startCall } from '../support/voice-gateway.ts';
import { startWhole, type Whole } from '../support/whole.ts';

interface Sample {
  /** From the menu to the confirmation, by what is said and by what is pressed. */
  readonly said: readonly string[];
  readonly pressed: readonly string[];
  readonly confirms: RegExp;
  readonly waits: RegExp;
  readonly ends: RegExp;
}

// What is no number cannot be keyed in: of a document, the name is spoken in both.
const samples: Readonly<Record<AppId, Sample>> = {
  passkeys: {
    said: ['passkey'],
    pressed: ['1'],
    confirms: /Confirm with your passkey/,
    waits: /Waiting for your passkey/,
    ends: /You are verified/,
  },
  'one-time-passcode': {
    said: ['one-time code'],
    pressed: ['2'],
    confirms: /Get a one-time passcode/,
    waits: /I need your code/,
    ends: /You are verified/,
  },
  'document-signature': {
    said: ['sign a document', 'the direct debit mandate', 'Mei Tanaka', '0042', '$250', 'December 5, 2026'],
    pressed: ['3', '1', 'say Mei Tanaka', '0042#', '250#', '12052026#'],
    confirms:
      /Sign this document on your phone[\s\S]*Account holder: Mei Tanaka[\s\S]*Monthly limit: 250\.00 USD[\s\S]*First collection: 2026-12-05/,
    waits: /Waiting for your signature/,
    ends: /Document signed/,
  },
  payments: {
    said: ['I would like to pay a bill', 'electricity'],
    pressed: ['4', '1'],
    confirms: /Pay 128\.40 USD on your phone/,
    waits: /Waiting for your payment/,
    ends: /Payment received[\s\S]*128\.40 USD/,
  },
  'e-form': {
    said: ['fill in a form', 'feedback'],
    pressed: ['5', '3'],
    confirms: /Fill in this form on your phone/,
    waits: /Waiting for your form/,
    ends: /Form received/,
  },
};

/** Everything finishes by itself for it, and the code is 123456. */
const caller = '+12025550110';

/** The caller's number is confirmed before anything else is asked. */
const identify = async (yes: () => Promise<string>, wish: () => Promise<string>) => {
  assert.match(await wish(), /Is the number ending in 0110 yours\?/);
  return yes();
};

describe('a caller', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole({ settings: { VOICE_GATEWAY_KEY: gatewayKey } });
  });
  after(() => whole.close());
  afterEach(() => {
    const faults = whole.lines.filter((line) => line.includes('"level":"error"'));
    assert.deepEqual(faults, []);
  });

  for (const [app, { said, pressed, confirms, waits, ends }] of Object.entries(samples)) {
    it(`does ${app} by voice`, async () => {
      const call = await startCall(whole, { caller });
      const [wish = '', ...more] = said;
      let answer = await identify(
        () => call.say('yes'),
        () => call.say(wish),
      );
      for (const words of more) answer = await call.say(words);
      // A choice from the list is the request itself.
      if (!waits.test(answer)) {
        assert.match(answer, confirms);
        answer = await call.say('send it');
      }
      assert.match(answer, waits);
      if (app === 'one-time-passcode') await call.say('the code is 1 2 3 4 5 6');
      assert.match(await call.hears(ends), ends);
    });

    it(`does ${app} by keypad`, async () => {
      const call = await startCall(whole, { caller });
      const enter = (keys: string) => (keys.startsWith('say ') ? call.say(keys.slice(4)) : call.press(keys));
      const [wish = '', ...more] = pressed;
      let answer = await identify(
        () => call.press('1'),
        () => call.press(wish),
      );
      for (const keys of more) answer = await enter(keys);
      if (!waits.test(answer)) {
        assert.match(answer, confirms);
        answer = await call.press('1');
      }
      assert.match(answer, waits);
      if (app === 'one-time-passcode') await call.press('123456');
      assert.match(await call.hears(ends), ends);
    });
  }

  it('hears everything once, though the gateway asks again and again', async () => {
    const call = await startCall(whole, { caller });
    await call.say('pay');
    for (const words of ['yes', 'my electricity', 'send']) await call.say(words);
    await call.hears(/anything else/);
    await call.silence();
    const texts = call.heard.map(({ text }) => text);
    assert.deepEqual(
      texts.filter((text, index) => texts.indexOf(text) !== index),
      [],
    );
  });

  it('keys in a code that another phone received, and a wrong one before', async () => {
    const call = await startCall(whole, { caller: '+12025550102' });
    await call.say('passcode');
    await call.say('yes');
    assert.match(await call.press('1'), /I need your code/);
    const code = await newestCode(whole);
    const wrong = code === '000000' ? '000001' : '000000';
    assert.match(await call.press(wrong), /That is not the right code\. You have 4 tries left/);
    assert.equal(await call.press(code.slice(0, 5)), '');
    await call.press(code.slice(5));
    await call.hears(/You are verified/);
  });

  it('hears the same again with 9, and gets a person with 0, wherever there are choices', async () => {
    const call = await startCall(whole);
    const menu = call.heard[0]?.text.split('\n').slice(1).join('\n') ?? '';
    assert.ok((await call.press('9')).includes(menu));
    assert.match(await call.press('0'), /Nobody can take this call right now\. You can reach us here: 0800 555 0147/);
    await call.say('pay');
    assert.match(await call.say('could you repeat that'), /^Is the number ending in 0102 yours\?/);
  });

  it('who calls from another person’s phone can key in their own number', async () => {
    const call = await startCall(whole, { caller: '+12025550199' });
    await call.press('4');
    assert.match(await call.press('2'), /Which number should I try instead\?/);
    assert.equal(await call.press('202555'), '');
    assert.match(await call.press('0110#'), /the link for [A-Z]{2} goes to/);
  });

  it('without a number is asked for one', async () => {
    const call = await startCall(whole, { caller: 'anonymous' });
    assert.match(await call.press('4'), /What is your phone number\?/);
    assert.match(await call.press('0#'), /Nobody can take this call/);
    assert.match(await call.press('2025550110#'), /the link for [A-Z]{2} goes to/);
  });
});
