import assert from 'node:assert/strict';
import { describeApp } from '../support/conformance.ts';
import { newestCode } from '../support/device.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describeApp({
  app: 'one-time-passcode',
  wish: 'text me a code',
  prepare: async () => {},
  asks: 'Text me the code',
  presses: [['Text me the code', /For: M••• T\./]],
  confirms: /Get a one-time passcode/,
  fields: {},
  says: {
    success: /You are verified/,
    failure: /You could not be verified/,
    timeout: /The code has expired/,
    cancelled: /Passcode cancelled/,
  },
  answerInChat: async (talk, whole) => talk.say(`my code is ${await newestCode(whole)}`),
});

describe('one-time-passcode, the code itself', () => {
  let whole: Whole;
  let talk: Talk;
  beforeEach(async () => {
    whole = await startWhole();
    talk = await talkTo(whole);
    await talk.say('one-time passcode');
    await talk.say('+12025550110');
    await talk.say('yes');
    await talk.sees(/Enter your code/, true);
  });
  afterEach(() => whole.close());

  it('is taken from the card, however it is spaced', async () => {
    await talk.press('Check the code', { code: '123 456' });
    assert.equal((await talk.outcome()).channelData.interaction.status, 'success');
  });

  it('may be wrong five times, and the chat says how many tries are left', async () => {
    for (const left of [4, 3, 2]) {
      await talk.say('654321');
      await talk.sees(new RegExp(`not the right code\\. You have ${left} tries left`));
    }
    await talk.say('654321');
    await talk.sees(/You have 1 try left/);
    await talk.say('654321');
    const outcome = await talk.outcome();
    assert.equal(outcome.channelData.interaction.status, 'failure');
    assert.equal(talk.outcomes().length, 1);
    assert.equal(whole.proxy.count(/check/), 5);
  });

  it('is not sent for checking when it cannot be one', async () => {
    for (const nonsense of ['12345', '1234567', '12 34 56 78', 'onetwo123']) {
      await talk.say(nonsense);
      await talk.sees(/six characters/);
    }
    await talk.press('Check the code', { code: '' });
    await talk.sees(/six characters/);
    assert.equal(whole.proxy.count(/check/), 0);
  });

  it('stays open while the service cannot be asked', async () => {
    whole.proxy.refuse(/check/, 503);
    await talk.say('123456');
    await talk.sees(/has a problem at the moment/);
    whole.proxy.refuse(undefined);
    await talk.say('123456');
    assert.equal((await talk.outcome()).channelData.interaction.status, 'success');
  });
});
