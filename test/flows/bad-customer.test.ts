import assert from 'node:assert/strict';
import { forgedSubmits, nonsense } from '../support/nonsense.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { type Uncaught, watchUncaught } from '../support/uncaught.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

interface Prompt {
  readonly name: string;
  /** From the menu to the open prompt. */
  reach(talk: Talk): Promise<void>;
  /** A good answer, and what then shows that it was taken. */
  go(talk: Talk): Promise<void>;
  readonly taken: RegExp;
  /** One of its buttons. */
  readonly button?: string | RegExp;
}

const say =
  (...words: string[]) =>
  async (talk: Talk) => {
    for (const word of words) await talk.say(word);
  };

describe('a customer who pastes nonsense', () => {
  let whole: Whole;
  let talk: Talk;
  let uncaught: Uncaught;
  before(async () => {
    uncaught = watchUncaught();
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
  });
  after(async () => {
    await whole.close();
    uncaught.release();
  });
  beforeEach(async () => {
    talk = await talkTo(whole);
  });
  afterEach(() => {
    whole.proxy.refuse(undefined);
    talk.chatter.socket.terminate();
    assert.deepEqual(uncaught.faults, []);
    assert.deepEqual(
      whole.lines.filter((line) => line.includes('"level":"error"') || line.includes('forged')),
      [],
    );
  });

  const waits = '+12025550113';
  const prompts: Prompt[] = [
    { name: 'the menu', reach: async () => {}, go: say('payments'), taken: /phone number/, button: /^Pay a bill/ },
    { name: 'the phone number', reach: say('payments'), go: say(waits), taken: /O••• \S\./ },
    {
      name: 'which of several they are',
      reach: say('payments', '+12025550101'),
      go: say('2'),
      taken: /What would you like to pay for/,
      button: /^J••• C\./,
    },
    {
      name: 'what to do when nobody has the number',
      reach: say('payments', '+12025550199'),
      go: say('use another number'),
      taken: /Which number/,
      button: 'Use another number',
    },
    {
      name: 'what to pay for',
      reach: say('payments', waits),
      go: say('my charging pass'),
      taken: /on your phone/,
      button: /^Charging pass/,
    },
    {
      name: 'which form',
      reach: say('e-form', waits),
      go: say('some feedback'),
      taken: /Fill in this form on your phone/,
      button: 'Feedback',
    },
    {
      name: 'whether to send',
      reach: say('payments', waits, 'my charging pass'),
      go: say('change'),
      taken: /What would you like to pay for/,
      button: 'Change',
    },
    {
      name: 'what to do while the service is down',
      reach: async (of) => {
        whole.proxy.refuse(/bootstrap/, 401);
        await say('payments', waits)(of);
        whole.proxy.refuse(undefined);
      },
      go: say('menu'),
      taken: /What would you like to do/,
      button: 'Menu',
    },
    {
      name: 'what to do after a request that was not taken',
      reach: say('payments', '+12025550114', '1'),
      go: say('menu'),
      taken: /What would you like to do/,
      button: 'Try again',
    },
    {
      name: 'the passcode',
      reach: say('one-time-passcode', '+12025550110', 'yes'),
      go: say('123456'),
      taken: /You are verified/,
      button: 'Cancel',
    },
    {
      name: 'patience',
      reach: say('payments', waits, '1'),
      go: say('cancel'),
      taken: /Payment request cancelled/,
      button: 'Cancel',
    },
  ];

  /** Fails unless the customer was answered, in words, with nothing of the inside in them. */
  const isAnswered = async (before: number, what: string) => {
    await until(() => talk.messages().length > before, `an answer to ${what}`);
    for (const { text } of talk.messages().slice(before)) assert.doesNotMatch(text, /undefined|\[object|NaN|Error\b|function/, what);
  };

  for (const { name, reach, go, taken, button } of prompts) {
    it(`where ${name} is asked for, is answered each time, and goes on from there`, async () => {
      await reach(talk);
      // What the last answer led to is on its way to the page.
      if (button !== undefined) await until(() => talk.newestButton(button), `the prompt for ${name}`);
      const sends = whole.proxy.count(/POST .*\/send/);
      const outcomes = talk.outcomes().length;
      for (const [what, text] of nonsense) {
        const before = talk.messages().length;
        await talk.say(text);
        await isAnswered(before, what);
      }
      const own = button === undefined ? '' : (talk.newestButton(button) as { action: string }).action;
      for (const [what, value] of forgedSubmits(own)) {
        const before = talk.messages().length;
        await talk.submit(value);
        await isAnswered(before, what);
        await talk.sees(/earlier step|six characters/);
      }
      for (const activity of [
        { text: '' },
        { text: '   \n\t ' },
        { attachments: [{ contentType: 'image/png', contentUrl: 'https://evil.example/x.png', name: '<b>.png' }] },
        { attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard', body: [] } }] },
      ]) {
        const before = talk.messages().length;
        const reply = await talk.chatter.post({ type: 'message', locale: 'en-US', ...activity });
        assert.equal(reply.status, 200);
        await isAnswered(before, JSON.stringify(activity));
        assert.match(talk.messages()[before].text, /only read what is written/);
      }
      assert.equal(whole.proxy.count(/POST .*\/send/), sends);
      assert.equal(talk.outcomes().length, outcomes);
      await go(talk);
      await talk.sees(taken);
    });
  }

  const blanks = {
    'variable:accountHolder': 'Mei Tanaka',
    'variable:accountEnding': '4711',
    'variable:monthlyLimit': '250',
    'variable:firstCollection': '2026-12-05',
  };
  const toBlanks = async () => {
    await say('sign a document', waits, 'Direct debit mandate')(talk);
    await talk.sees(/Fill in the document/);
  };

  it('where a document is filled in, is answered each time, and goes on from there', async () => {
    await toBlanks();
    for (const [what, text] of nonsense) {
      const before = talk.messages().length;
      await talk.say(text);
      await isAnswered(before, what);
    }
    const own = talk.newestButton('Continue') as { action: string };
    for (const [what, value] of forgedSubmits(own.action)) {
      const before = talk.messages().length;
      await talk.submit(value);
      await isAnswered(before, what);
      await talk.sees(/earlier step/);
    }
    for (const [what, text] of nonsense) {
      // A card's answers are up to 64 KB.
      await talk.press('Continue', Object.fromEntries(Object.keys(blanks).map((name) => [name, text.slice(0, 5_000)])));
      await talk.sees(/First collection: Please/);
      assert.ok(talk.newestButton('Continue'), what);
    }
    await talk.press('Continue', { ...blanks, 'variable:__proto__': 'x', 'variable:more': 'x', __proto__: 'x', constructor: 'x' });
    await talk.sees(/Account holder: Mei Tanaka/);
    assert.equal(whole.proxy.count(/document-signature\/send/), 0);
  });

  for (const [what, text] of nonsense) {
    it(`who signs as ${what}, is told whether it was sent`, async () => {
      await toBlanks();
      await talk.press('Continue', { ...blanks, 'variable:accountHolder': text });
      const asked = await talk.sees(/Sign this document on your phone|Account holder: Please/);
      if (/Please/.test(asked.text)) return;
      await talk.asks();
      await talk.sees(/Waiting for your signature|Account holder: The service did not accept this/);
    });
  }
});

describe('a customer who says at the menu what belongs to a later step', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  for (const [words, answer] of [
    ['help', /You can press a button, type its title/],
    ['status', /Nothing is open/],
    ['cancel', /Nothing is open/],
    ['send it again', /Nothing is open/],
    ['start over', /What would you like to do\?/],
    ['I want a real person', /Nobody can join this chat/],
  ] as const) {
    it(`gets an answer to "${words}", and the menu`, async () => {
      const talk = await talkTo(whole);
      await talk.say(words);
      await talk.sees(answer);
      await talk.sees(/What would you like to do\?/);
      talk.chatter.socket.terminate();
    });
  }
});
