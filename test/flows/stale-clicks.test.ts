import assert from 'node:assert/strict';
import { submitsIn } from '../support/channel-talk.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('buttons that are pressed too late, twice or by somebody else', () => {
  let whole: Whole;
  let talk: Talk;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
  });
  after(() => whole.close());
  beforeEach(async () => {
    talk = await talkTo(whole);
  });
  afterEach(() => {
    talk.chatter.socket.terminate();
    assert.deepEqual(
      whole.lines.filter((line) => line.includes('"level":"error"')),
      [],
    );
  });

  const sends = () => whole.proxy.count(/POST .*\/send/);
  /** What every button shown so far submits. */
  const buttons = () => [...new Map(submitsIn(talk.messages()).map(({ data }) => [data.action, data])).values()];

  /** A whole payment, step by step: what is pressed or said, and what then is asked for. */
  const steps: [(talk: Talk) => Promise<void>, RegExp][] = [
    [(of) => of.press(/^Pay a bill/), /phone number/],
    [(of) => of.say('+12025550113'), /pay for\?/],
    [(of) => of.say('my charging pass'), /on your phone/],
    [(of) => of.press('Change'), /pay for\?/],
    [(of) => of.press(/^Electricity/), /Waiting for your payment/],
    [(of) => of.press('Cancel'), /Payment request cancelled/],
  ];

  it('have no effect in any later step, and say so', async () => {
    const before = sends();
    const over: { action: string }[] = [];
    const known = new Set<string>();
    for (const [step, [go, asked]] of steps.entries()) {
      // What the open step has shown is over as soon as the next one is.
      over.push(...buttons().filter(({ action }) => !known.has(action)));
      await go(talk);
      await talk.sees(asked);
      // The outcome comes by a turn of its own, and the menu with it.
      if (step === steps.length - 1) await talk.sees(/What would you like to do\?/);
      for (const value of over) {
        const said = talk.messages().length;
        const sent = sends();
        await talk.submit(value);
        const first = talk.messages()[said];
        // Only the very click that brought the chat here may pass for the second half of a double one.
        assert.match(first?.text ?? 'earlier step', /earlier step/, `step ${step}`);
        assert.equal(sends(), sent);
      }
      // Each of those has put the question again, with buttons of its own: one set of them is enough to go on with.
      for (const { action } of buttons().slice(0, -8)) known.add(action);
    }
    assert.equal(sends() - before, 1);
    assert.equal(talk.outcomes().length, 1);
    await talk.say('payments');
    await talk.sees(/O••• \S\./);
  });

  it('get an answer if they belong to an earlier step, used or not', async () => {
    // Where a channel cannot update a card, it still has its buttons when it has been answered.
    const shown = buttons();
    const used = talk.newestButton(/^Pay a bill/);
    await talk.press(/^Pay a bill/);
    await talk.say('+12025550113');
    await talk.press('Use another number');
    await talk.say('+12025550113');
    await talk.sees(/pay for\?/);
    for (const value of [used, ...shown]) {
      await talk.submit(value);
      await talk.sees(/earlier step/);
    }
  });

  const doubled: [string, (talk: Talk) => Promise<void>, string | RegExp, Record<string, string>, RegExp][] = [
    ['an app of the menu', async () => {}, /^Pay a bill/, {}, /phone number/],
    ['the product', (of) => walk(of, 2), /^Charging pass/, {}, /Waiting for your payment/],
    ['the request', (of) => walk(of, 3), 'Text me the link', {}, /Waiting for your payment/],
    ['"Not now"', (of) => walk(of, 3), 'Not now', {}, /nothing was sent/],
  ];
  const walk = async (of: Talk, count: number) => {
    for (const [go] of steps.slice(0, count)) await go(of);
  };
  for (const [what, reach, title, fields, expected] of doubled) {
    for (const how of ['one after the other', 'at the same time'] as const) {
      it(`have one effect for ${what} pressed three times ${how}`, async () => {
        await reach(talk);
        const before = { sends: sends(), messages: talk.messages().length };
        const value = { ...(await until(() => talk.newestButton(title), 'the button')), ...fields };
        if (how === 'at the same time') await Promise.all([talk.submit(value), talk.submit(value), talk.submit(value)]);
        else for (let time = 0; time < 3; time += 1) await talk.submit(value);
        const said = talk.messages().slice(before.messages);
        assert.equal(said.filter(({ text }) => expected.test(text)).length, 1);
        assert.equal(said.filter(({ text }) => /earlier step/.test(text)).length, 0);
        assert.equal(sends() - before.sends, what === 'the product' || what === 'the request' ? 1 : 0);
      });
    }
  }

  it('take one try for "Check the code" pressed twice, and another when the code is another', async () => {
    for (const words of ['one-time-passcode', '+12025550110', 'yes']) await talk.say(words);
    await talk.sees(/Enter your code/, true);
    const value = talk.newestButton('Check the code');
    await Promise.all([talk.submit({ ...value, code: '654321' }), talk.submit({ ...value, code: '654321' })]);
    assert.equal(whole.proxy.count(/check/), 1);
    await talk.submit({ ...value, code: '111111' });
    await talk.sees(/3 tries left/, true);
    await Promise.all([talk.submit({ ...value, code: '123456' }), talk.submit({ ...value, code: '123456' })]);
    assert.equal((await talk.outcome()).channelData.interaction.status, 'success');
    await talk.sees(/What would you like to do\?/, true);
    assert.equal(talk.outcomes().length, 1);
  });

  it('cancel once, however often', async () => {
    await walk(talk, 5);
    const value = talk.newestButton('Cancel') as object;
    const count = talk.messages().length;
    await Promise.all([talk.submit(value), talk.submit(value), talk.submit(value)]);
    await talk.outcome();
    await talk.sees(/What would you like to do\?/, true);
    await talk.submit(value);
    assert.equal(talk.outcomes().length, 1);
    assert.ok(
      !talk
        .messages()
        .slice(count)
        .some(({ text }) => /earlier step/.test(text)),
    );
  });

  it('mean nothing in another chat, in any state of it', async () => {
    const other = await talkTo(whole);
    for (const step of [2, 3, 4, 7]) {
      await talk.say('start over');
      await walk(talk, step);
      const mine = buttons();
      await walk(other, step);
      const before = sends();
      for (const value of mine) {
        await other.submit(value);
        await other.sees(/earlier step/);
      }
      assert.equal(sends(), before);
      for (const each of [talk, other]) {
        await each.say('cancel');
        await each.say('start over');
      }
    }
    other.chatter.socket.terminate();
  });
});
