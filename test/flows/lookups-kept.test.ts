import assert from 'node:assert/strict';
import { keptBytes } from '../support/kept-bytes.ts';
import { talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

/** What the service told the bot of the customers that are looked up below, and no chat has said. */
const canaries = ['Avery', 'Jordan', 'Collins', 'Mei', 'Tanaka', 'Samira', 'Haddad', 'example.com', 'isEnrolled', '2026-11-05T08:15'];

describe('what is stored after a look-up', () => {
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  const kept = () => keptBytes(whole.dataDir);
  const isClean = (said: unknown) => {
    const bytes = kept();
    assert.match(bytes, /cust-0102-mei/);
    for (const canary of canaries) {
      assert.ok(!JSON.stringify(said).includes(canary), `the chat was told ${canary}`);
      assert.ok(!bytes.includes(canary), `the database holds ${canary}`);
    }
  };

  for (const app of ['passkeys', 'one-time-passcode', 'document-signature', 'payments', 'e-form']) {
    it(`is only handles and masked names if nothing was sent (${app})`, async () => {
      const talk = await talkTo(whole);
      await talk.say(app);
      await talk.say('+12025550101');
      await talk.sees(/A••• C\.[\s\S]*J••• C\./);
      await talk.say('+12025550102');
      await talk.sees(/M••• T\./);
      await talk.say('cancel');
      isClean(talk.messages());
    });
  }

  it('is only handles and masked names, even if a message went to an e-mail address', async () => {
    const talk = await talkTo(whole);
    for (const [number, count] of [
      ['+12025550102', 0],
      ['+12025550110', 1],
    ] as const) {
      await talk.say('passkeys');
      await talk.say(number);
      await talk.asks();
      if (count === 0) await talk.say('cancel');
      await until(() => talk.outcomes().length > count, 'the outcome');
      await talk.say('log out');
    }
    isClean(talk.messages());
    assert.match(await (await fetch(`${whole.service.baseUrl}/outbox/messages`)).text(), /samira\.haddad@example\.com/);
  });

  it('distinguishes two customers by their e-mail only if their masked names are the same', async () => {
    const talk = await talkTo(whole);
    await talk.say('pay');
    await talk.say('+12025550102');
    const { text } = await talk.sees(/\S••• \S\./);
    assert.doesNotMatch(text, /@/);
  });
});

describe('the number of look-ups from one network', () => {
  it('is limited over all its chats, counting a repeated number once', async () => {
    const whole = await startWhole({ lookupRate: { points: 3, seconds: 3600 } });
    try {
      const first = await talkTo(whole);
      await first.say('pay');
      for (const number of ['+12025550102', '+12025550110']) {
        await first.say(number);
        await first.sees(/\S••• \S\./);
      }
      const second = await talkTo(whole);
      await second.say('pay');
      await second.say('+12025550102');
      await second.sees(/\S••• \S\./);
      const third = await talkTo(whole);
      await third.say('pay');
      for (const _ of ['first', 'again']) {
        await third.say('+12025550102');
        await third.sees(/too many searches/);
        assert.equal(whole.proxy.count(/bootstrap/), 3);
        await third.say('menu');
        await third.say('pay');
      }
      await second.say('cancel');
      await second.say('pay');
      await second.sees(/\S••• \S\./);
    } finally {
      await whole.close();
    }
  });
});
