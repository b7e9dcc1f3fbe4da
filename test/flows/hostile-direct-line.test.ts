import assert from 'node:assert/strict';
import fc from 'fast-check';
import { posted, runs } from '../support/odd-activities.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { type Uncaught, watchUncaught } from '../support/uncaught.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

let whole: Whole;
let uncaught: Uncaught;

describe('a hostile client of the bot', () => {
  before(async () => {
    uncaught = watchUncaught();
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
  });
  after(async () => {
    await whole.close();
    uncaught.release();
  });
  let linesBefore = 0;
  beforeEach(() => {
    linesBefore = whole.lines.length;
  });
  afterEach(() => {
    assert.deepEqual(uncaught.faults, []);
    assert.deepEqual(
      whole.lines.slice(linesBefore).filter((line) => line.includes('"level":"error"')),
      [],
    );
  });

  describe('over Direct Line', () => {
    let talk: Talk;
    beforeEach(async () => {
      talk = await talkTo(whole);
    });
    afterEach(() => talk.chatter.socket.terminate());

    const tooMuch: [string, object][] = [
      ['an event without a name', { type: 'event', value: 1 }],
      ['a long type of an entity', { type: 'message', text: 'hi', entities: [{ type: 'x'.repeat(2000) }] }],
      ['a type it does not know', { type: 'invoke', name: 'x' }],
      ['no type', { text: 'hi' }],
      ['a text that is none', { type: 'message', text: { a: 1 } }],
      ['a list', [] as object],
    ];
    for (const [what, activity] of tooMuch) {
      it(`is refused with 400 for ${what}, and nothing is stored`, async () => {
        const reply = await talk.chatter.post(activity);
        assert.equal(reply.status, 400, JSON.stringify(reply.body));
        assert.equal(reply.body.error.code, 'BadArgument');
        await talk.say('payments');
        await talk.sees(/phone number/);
        const shown = talk.chatter.sets.flatMap(({ activities }) => activities).filter(({ from }) => from.role === 'user');
        assert.deepEqual(
          shown.map(({ text }) => text),
          ['payments'],
        );
      });
    }

    for (const length of [20_001, 250_000])
      it(`is answered in words if its own are ${length.toLocaleString('en')} characters long`, async () => {
        assert.equal((await talk.chatter.post({ type: 'message', text: 'x'.repeat(length) })).status, 200);
        await talk.sees(/longer than 2,000 characters, so I have not read it/);
      });

    it('is refused with 400 for a prototype in a value', async () => {
      const reply = await fetch(
        `http://127.0.0.1:${whole.bot().port}/v3/directline/conversations/${talk.chatter.conversationId}/activities`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${talk.chatter.token}`, 'content-type': 'application/json' },
          body: '{"type":"message","value":{"__proto__":{"action":"x"}}}',
        },
      );
      assert.equal(reply.status, 400);
      await talk.say('payments');
      await talk.sees(/phone number/);
    });

    it('gets an answer whatever it posts, and can continue afterwards', async function () {
      this.timeout(60_000);
      await fc.assert(
        fc.asyncProperty(posted, async (body) => {
          const { status, body: answer } = await talk.chatter.post(body);
          assert.ok(status < 500, `${status} ${JSON.stringify(answer)}`);
          if (status >= 300) assert.match(answer.error.code, /^[A-Z][A-Za-z]+$/);
        }),
        runs,
      );
      await talk.say('start over');
      await talk.say('payments');
      await talk.sees(/phone number/);
    });
  });
});

describe('a client that posts too fast', () => {
  it('gets 429 with Retry-After from Direct Line, and is answered afterwards', async () => {
    const slow = await startWhole({ turnRate: { points: 4, seconds: 1 } });
    try {
      const talk = await talkTo(slow);
      const replies = [];
      for (let count = 0; count < 6; count += 1) replies.push(await talk.chatter.say('hello', `c-${count}`));
      const refused = replies.findIndex(({ status }) => status !== 200);
      assert.ok(refused > 0);
      const { status, body, headers } = replies[refused] as (typeof replies)[0];
      assert.equal(status, 429);
      assert.equal(body.error.code, 'TooManyRequests');
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
      // Sent again under its own name it is taken, once.
      await until(async () => (await talk.chatter.say('hello', `c-${refused}`)).status === 200, 'it is taken');
      assert.ok(!slow.lines.some((line) => line.includes('"level":"error"')));
    } finally {
      await slow.close();
    }
  });
});
