import assert from 'node:assert/strict';
import { type Channel, openChannel } from '../support/channel.ts';
import { channelTalk } from '../support/channel-talk.ts';
import { keptBytes } from '../support/kept-bytes.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const number = '+12025550110';

describe('what a chat is shown of an outcome', () => {
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  const panels = { 'variable:ownerName': 'Sam', 'variable:visitDate': '2026-12-05', 'variable:panels': '4' };
  const ways: Record<string, (talk: Talk) => Promise<void>> = {
    payments: async (talk) => talk.say('1'),
    'document-signature': async (talk) => {
      await talk.press(/^Solar panel consent/);
      await talk.press('Continue', panels);
    },
    'e-form': async (talk) => talk.say('1'),
    passkeys: async () => {},
  };
  /** Goes through an app, and answers what the chat was told and what the service recorded of it. */
  const through = async (talk: Talk, app: string, proved = false) => {
    const before = talk.outcomes().length;
    await talk.say(app);
    if (before === 0) await talk.say(number);
    // Who has just proved who they are need not use another number.
    if (!proved) await talk.sees(/\S••• \S\.[\s\S]*Use another number/);
    await ways[app]?.(talk);
    await talk.asks();
    const outcome = await until(() => talk.outcomes()[before], 'the outcome', 40_000);
    assert.equal(outcome.channelData.interaction.status, 'success');
    const answer = await fetch(`${whole.service.baseUrl}/results/${outcome.channelData.interaction.requestId}`, {
      headers: { authorization: `Bearer ${whole.service.secretKey}` },
    });
    return { outcome, record: (await answer.json()) as Record<string, string> };
  };
  const kept = () => keptBytes(whole.dataDir);

  it('is the customer’s own choices, and no document or receipt is sent or stored, if nobody is verified', async () => {
    const talk = await talkTo(whole);
    const { outcome: paid, record: payment } = await through(talk, 'payments');
    assert.match(
      paid.text,
      /Payment received[\s\S]*Amount: \$128\.40[\s\S]*Electricity and gas, November[\s\S]*receipt is on the payment page/,
    );
    const { outcome: signed, record: document } = await through(talk, 'document-signature');
    assert.match(signed.text, /Document signed[\s\S]*Solar panel consent[\s\S]*signed document is on the signing page/);
    const { outcome: filled, record: form } = await through(talk, 'e-form');
    assert.match(filled.text, /Form received[\s\S]*your answers are not shown/);
    const secrets = [
      payment.transactionId,
      new URL(document.url as string).pathname,
      ...(JSON.stringify(form.data).match(/[A-Z][a-z]+ [A-Z][a-z]+/g) ?? []),
    ];
    assert.ok(secrets.length > 2);
    const said = JSON.stringify(talk.messages());
    const bytes = kept();
    for (const secret of secrets) {
      assert.ok(secret && secret.length > 5);
      assert.ok(!said.includes(secret), `the chat holds ${secret}`);
      assert.ok(!bytes.includes(secret), `the database holds ${secret}`);
    }
  });

  it('is the document and the receipt if it is verified for their customer', async () => {
    const talk = await talkTo(whole);
    await through(talk, 'passkeys');
    const { outcome: paid, record: payment } = await through(talk, 'payments', true);
    assert.match(paid.text, new RegExp(`Transaction: ${payment.transactionId}`));
    const { outcome: signed } = await through(talk, 'document-signature', true);
    assert.match(signed.text, /Open the signed document: http/);
  });

  it('is no document any more once the customer has signed out', async () => {
    const talk = await talkTo(whole);
    await through(talk, 'passkeys');
    await talk.say('log out');
    await talk.say('pay');
    await talk.say(number);
    await talk.say('1');
    await talk.asks();
    const outcome = await until(() => talk.outcomes()[1], 'the outcome', 40_000);
    assert.doesNotMatch(outcome.text, /Transaction/);
  });
});

describe('which chat gets the link of a page', function () {
  this.timeout(180_000);
  const customer = '+12025550102';
  let whole: Whole;
  let channel: Channel;
  before(async () => {
    // A service that returns links to whoever asks, to a bot that may show them.
    whole = await startWhole({
      settings: { SERVICE_LINK_HOSTS: 'verify.example.com' },
      service: { publicUrl: 'https://verify.example.com', returnsLinks: true },
      turnRate: { points: 10_000, seconds: 1 },
    });
    channel = await openChannel();
  });
  after(async () => {
    await whole.close();
    await channel.close();
  });

  interface Chat {
    say(text: string): Promise<unknown>;
    sees(text: RegExp): Promise<unknown>;
    /** Everything that was ever sent into it. */
    holds(): string;
  }
  let chats = 0;
  const on =
    (channelId: string, user = `user-${channelId}`) =>
    async (): Promise<Chat> => {
      chats += 1;
      const conversation = `${channelId}-${chats}`;
      const talk = channelTalk(whole, channel, { conversation, user, channelId });
      return { say: talk.say, sees: talk.sees, holds: () => JSON.stringify(talk.replies()) };
    };
  const web = (request: Parameters<typeof talkTo>[1]) => async (): Promise<Chat> => {
    const talk = await talkTo(whole, request);
    return { say: talk.say, sees: talk.sees, holds: () => JSON.stringify([talk.messages(), talk.chatter.sets]) };
  };
  /** Whether it is asked for the number first, and whether it may hold a link. */
  const kinds: [string, () => Promise<Chat>, 'asked' | 'known', boolean][] = [
    ['our own web chat', web({}), 'asked', false],
    ['our own web chat, whose token names the number', web({ verified: { phoneNumber: customer } }), 'known', false],
    ['Teams', on('msteams'), 'asked', false],
    ['Slack', on('slack'), 'asked', false],
    ['Web Chat elsewhere', on('webchat'), 'asked', false],
    ['a channel that nobody knows', on('some-other', customer), 'asked', false],
    ['a voice call from the number', on('telephony', customer), 'known', false],
    ['a text message from nobody’s number', on('sms', 'anonymous'), 'asked', false],
    ['a text message from the number', on('sms', customer), 'known', true],
    ['WhatsApp from the number', on('whatsapp', `whatsapp:${customer}`), 'known', true],
  ];
  const requests: [string, string[], RegExp, boolean][] = [
    ['payments', ['1'], /Waiting for your payment/, true],
    ['form', ['3'], /Waiting for your form/, true],
    ['document', ['3', 'Sam', '2026-12-05', '4', 'continue', 'send'], /Waiting for your signature/, true],
    ['passkeys', ['send'], /Waiting for your passkey/, false],
  ];
  /** The token in every link that the service has sent so far, newest first. */
  const tokens = async (): Promise<string[]> => {
    await whole.service.settled();
    const messages = await (await fetch(`${whole.service.baseUrl}/outbox/messages`)).text();
    return [...messages.matchAll(/href="[^"]*\/r\/([A-Za-z0-9_-]+)"/g)].map(([, token = '']) => token);
  };
  const kept = () => keptBytes(whole.dataDir);

  for (const [what, begin, number, may] of kinds)
    it(`is ${may ? 'one on the very phone, and it holds its own' : 'not'} ${what}`, async () => {
      const before = new Set(await tokens());
      const begun: Chat[] = [];
      const own: string[] = [];
      for (const [app, answers, waiting, shows] of requests) {
        const chat = await begin();
        begun.push(chat);
        // The number of a caller is confirmed first; blanks are asked for one by one in text messages and calls.
        const first = number === 'asked' ? [customer] : what.startsWith('a voice call') ? ['yes'] : [];
        const said = /voice|text message/.test(what) ? answers.map((words) => (words === 'continue' ? 'yes' : words)) : answers;
        for (const words of ['hello', app, ...first, ...said]) await chat.say(words);
        await chat.sees(waiting);
        const [token = ''] = (await tokens()).filter((one) => !before.has(one) && !own.includes(one));
        assert.match(token, /^[\w-]{22,}$/);
        own.push(token);
        assert.equal(chat.holds().includes(token), may && shows, `${app} in ${what}`);
        // What stays open would be told to this customer when the same is asked for once more.
        await chat.say('cancel');
        await chat.sees(/cancelled/i);
      }
      for (const token of before) assert.ok(!begun.some((chat) => chat.holds().includes(token)), 'another’s');
      const [rows, lines] = [kept(), whole.lines.join('')];
      for (const token of own) {
        assert.ok(!rows.includes(token), 'the database holds a link');
        assert.ok(!lines.includes(token), 'the log holds a link');
      }
    });
});
