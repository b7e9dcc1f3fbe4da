import assert from 'node:assert/strict';
import { makeChatwootHub } from '../../src/handoff/chatwoot/chatwoot-hub.ts';
import type { HandoffRecord } from '../../src/handoff/record.ts';
import { answer, newestLink } from '../support/device.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

const canary = 'Canary4711';

describe('a person who works in Chatwoot', () => {
  let world: World;
  const open = async (settings: Record<string, string> = {}) => {
    world = await openWorld('chatwoot', settings);
  };
  afterEach(() => world.close());
  const theirs = () => {
    const { agents, conversations, ...rest } = world.chatwoot();
    const [mara, noa] = agents;
    return {
      ...rest,
      mara: mara as (typeof agents)[number],
      noa: noa as (typeof agents)[number],
      conversation: conversations.at(-1) as (typeof conversations)[number],
    };
  };
  const says = (text: string) => until(() => world.said().some((said) => said.includes(text)), text);
  const ask = async () => {
    await world.talk.say('agent');
    await until(() => world.requests().length > 0 && notes().some((note) => /asked for a person/.test(note)), 'the request');
  };
  const join = async () => {
    await ask();
    await world.accept();
  };
  const sayAll = async (...all: string[]) => {
    for (const words of all) await world.talk.say(words);
  };
  const notes = () =>
    theirs()
      .conversation.messages.filter((message) => message.private)
      .map(({ content }) => content as string);

  it('finds a conversation that does not identify the customer, with labels and a note', async () => {
    await open();
    await world.talk.say('+12025550110');
    await ask();
    const { conversation } = theirs();
    const [contact] = world.chatwoot().contacts;
    assert.match(contact?.name ?? '', /^Chat [0-9A-F]{6}$/);
    assert.match(contact?.identifier ?? '', /^[0-9a-f]{32}$/);
    assert.deepEqual(conversation.labels.sort(), ['cs-asked', 'cs-not-verified']);
    assert.match(notes().join(), /The customer asked for a person\. Not verified\./);
    assert.doesNotMatch(JSON.stringify(world.chatwoot().asked), /user-1|conversation-1/);
  });

  it('takes the chat by answering first, and the customer reads who it is', async () => {
    await open();
    await ask();
    const { conversation, noa, write, note } = theirs();
    await note(conversation.id, noa, `for my colleagues alone: ${canary}`);
    await write(conversation.id, noa, 'Hello, how can I help?');
    await says('Hello, how can I help?');
    const told = world.said().slice(-2);
    assert.match(told[0] ?? '', /Noa has joined/);
    assert.doesNotMatch(world.said().join(), new RegExp(canary));
  });

  it('sees the customer verified while they are on, beside labels and attributes of their own', async () => {
    await open();
    await join();
    const { conversation } = theirs();
    conversation.labels.push('vip');
    conversation.custom_attributes.contract = 'gold';
    assert.equal(conversation.custom_attributes.cs_verified, false);
    await world.talk.say('hello');
    const { chatwoot } = world;
    // A message after the end would open the conversation again.
    await until(() => conversation.messages.some(({ content }) => content === 'hello'), 'the message');
    assert.equal(chatwoot().asked.filter(({ operation }) => operation.startsWith('update-custom')).length, 0);
    // The passkey is asked for by the bot before, so that the chat is theirs again.
    await world.finish();
    for (const words of ['passkeys', '+12025550110', 'yes']) await world.talk.say(words);
    await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
    await world.talk.say('agent');
    await until(() => chatwoot().conversations.length === 2 && theirs().conversation.labels.length > 1, 'the second request');
    const second = theirs().conversation;
    assert.equal(second.contact, conversation.contact);
    assert.ok(second.labels.includes('cs-verified'));
    assert.equal(second.custom_attributes.cs_verified_method, 'passkeys');
    second.labels.push('vip');
    second.custom_attributes.contract = 'gold';
    // Whoever comes to the chat ends it.
    await world.talk.post({ type: 'conversationUpdate', membersAdded: [{ id: 'somebody-else' }] });
    await until(() => second.custom_attributes.cs_verified === false, 'the attributes');
    assert.deepEqual(second.labels.toSorted(), ['cs-asked', 'cs-expired', 'vip']);
    const { contract, cs_assertion, cs_customer_ref, cs_verified } = theirs().conversation.custom_attributes;
    assert.deepEqual([contract, cs_assertion, cs_customer_ref, cs_verified], ['gold', undefined, undefined, false]);
  });

  const ends: [string, () => Promise<unknown>][] = [
    ['somebody joins the chat', () => world.talk.post({ type: 'conversationUpdate', membersAdded: [{ id: 'somebody-else' }] })],
    ['another customer is chosen', () => sayAll('payments', 'another number', '+12025550102')],
    ['the customer logs out', () => sayAll('log out')],
    ['the customer goes back to the bot', () => world.accept().then(() => sayAll('bot', 'yes'))],
    ['an agent gives it back', () => world.accept().then(() => world.chatwoot().setStatus(theirs().conversation.id, 'pending'))],
    ['an agent resolves it', () => world.accept().then(() => world.finish())],
    ['nobody can come', () => world.decline()],
  ];
  for (const [when, end] of ends)
    it(`sees nobody verified any more once ${when}`, async () => {
      await open();
      await sayAll('hello', 'passkeys', '+12025550110', 'yes');
      await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
      await ask();
      const { conversation } = theirs();
      assert.equal(conversation.custom_attributes.cs_verified, true);
      await end();
      await until(() => conversation.custom_attributes.cs_verified === false, 'the attributes');
      const { cs_assertion, cs_customer_ref, cs_verification } = conversation.custom_attributes;
      assert.deepEqual([cs_assertion, cs_customer_ref, cs_verification], [undefined, undefined, 'expired']);
      assert.deepEqual([...conversation.labels].sort(), ['cs-asked', 'cs-expired']);
    });

  it('writes in an editor that stores Markdown, and the customer reads plain text', async () => {
    await open();
    await join();
    const { conversation, mara, write } = theirs();
    await write(conversation.id, mara, 'Hello,\\\nyour reference is **AB\\_12**, see [our site](https://x.example)');
    await says('Hello,\nyour reference is AB_12, see our site (https://x.example)');
  });

  it('is mentioned by no customer', async () => {
    await open();
    await world.talk.say('please ask [@Mara](mention://user/7/Mara)');
    await ask();
    await world.talk.say('or (mention://user/8/Noa)');
    await join();
    assert.deepEqual(world.chatwoot().mentioned, []);
  });

  it('learns from a note how a request ended, even after leaving', async () => {
    await open();
    for (const words of ['payments', '+12025550102', '1']) await world.talk.say(words);
    await join();
    await world.finish();
    await answer(world.whole, await newestLink(world.whole), 'accept');
    await until(() => notes().some((note) => /^payments: success/.test(note)), 'the note');
  });

  it('learns from a note that a message after the end reached nobody', async () => {
    await open();
    await join();
    await world.finish();
    const { conversation, mara, write } = theirs();
    await write(conversation.id, mara, `too late: ${canary}`);
    await until(() => notes().some((note) => /did not reach the customer/.test(note)), 'the note');
    assert.doesNotMatch(world.said().join(), new RegExp(canary));
  });

  it('gets no codes, card numbers or contents of documents, and the log no messages or tokens', async () => {
    await open();
    for (const words of ['hello', 'document signature', '+12025550102', '1', canary, 'my code is 483 920', 'agent'])
      await world.talk.say(words);
    await ask();
    await world.accept();
    for (const words of ['4111 1111 1111 1111', 'or 654 321', 'a meter reading']) await world.talk.say(words);
    await until(() => theirs().conversation.messages.some(({ content }) => content === 'a meter reading'), 'the last');
    const { asked, settings } = world.chatwoot();
    assert.doesNotMatch(JSON.stringify(asked), new RegExp(`${canary}|483.?920|4111.?1111|654.?321`));
    const log = world.whole.lines.join('\n');
    for (const secret of [settings.CHATWOOT_TOKEN, settings.CHATWOOT_CALLBACK_KEY, 'a meter reading', '2025550102'])
      assert.ok(!log.includes(secret as string), secret);
  });

  it('has one conversation if Chatwoot’s answer to its creation was lost', async () => {
    await open();
    const chatwoot = world.chatwoot();
    chatwoot.loses.push('newConversation', 'create-a-new-message-in-a-conversation');
    await world.talk.say('agent');
    await until(() => chatwoot.conversations.length > 0 && notes().length > 1, 'the request');
    assert.deepEqual([chatwoot.contacts.length, chatwoot.conversations.length, notes().length, chatwoot.loses], [1, 1, 2, []]);
  });

  it('sees a verification expire without an event', async () => {
    await open();
    await join();
    const { conversation, settings } = theirs();
    const { CHATWOOT_TOKEN: token = '', CHATWOOT_URL: url = '' } = settings;
    Object.assign(conversation.custom_attributes, {
      cs_verified: true,
      cs_verification: 'verified',
      cs_customer_ref: 'c',
      cs_assertion: 'a',
    });
    conversation.labels = ['cs-verified', 'vip'];
    const until = 1_700_000_000_000;
    const verification = { state: 'verified', method: 'passkeys', at: until - 900_000, until, customerRef: 'c', requestId: 'r' };
    const id = conversation.custom_attributes.cs_handoff;
    const handoff = { id, state: 'accepted', place: String(conversation.id), verification } as unknown as HandoffRecord;
    const look = (now: number) =>
      makeChatwootHub({ url, token, account: 3, inbox: 5, clock: { now: () => now } }).poll?.(handoff, AbortSignal.timeout(5_000));
    await look(until - 1);
    assert.equal(theirs().conversation.custom_attributes.cs_verified, true);
    await look(until);
    const { cs_assertion, cs_customer_ref, cs_verification, cs_verified, cs_verified_until } = theirs().conversation.custom_attributes;
    assert.deepEqual([cs_verified, cs_verification, cs_verified_until], [false, 'expired', new Date(until).toISOString()]);
    assert.deepEqual([cs_customer_ref, cs_assertion, theirs().conversation.labels], [undefined, undefined, ['vip', 'cs-expired']]);
  });

  it('leaves the customer to the bot if the conversation is deleted', async () => {
    await open();
    await join();
    const { call, conversation, remove } = theirs();
    remove(conversation.id);
    await call({ event: 'conversation_updated', id: conversation.id });
    await says('I am here again');
  });

  describe('sends callbacks, which', () => {
    it('are refused from elsewhere, and change nothing if they are forged', async () => {
      await open({ CHATWOOT_CALLBACK_SECRET: 'what-chatwoot-signs-with' });
      await ask();
      const { conversation, mara } = theirs();
      const forged = { event: 'message_created', message_type: 'outgoing', content: canary, id: 99, sender: mara, conversation };
      assert.equal(await world.chatwoot().call(forged, { 'x-chatwoot-signature': '' }), 401);
      assert.equal(await world.chatwoot().call(forged, { 'x-chatwoot-timestamp': '1', 'x-chatwoot-signature': 'sha256=00' }), 401);
      assert.equal(await world.chatwoot().call(forged, {}, '/chatwoot/callback/another-key'), 404);
      await world.accept();
      const { write } = theirs();
      await write(conversation.id, mara, 'This is Chatwoot itself.');
      await says('This is Chatwoot itself.');
      assert.doesNotMatch(world.said().join(), new RegExp(canary));
    });

    it('only prompt the bot to read', async () => {
      await open();
      await ask();
      const { conversation } = theirs();
      const bodies: unknown[] = [
        { event: 'message_created', message_type: 'outgoing', content: canary, id: 99, sender: { id: 7, type: 'user' }, conversation },
        { event: 'conversation_status_changed', id: conversation.id, status: 'resolved' },
        { event: 'conversation_updated', id: 4711, meta: { assignee: { id: 7, email: 'mara@example.com' } } },
        { event: 'message_created', conversation: { id: '../profile' } },
        { event: 'webwidget_triggered' },
        [],
        'no JSON at all',
      ];
      for (const body of bodies) assert.equal(await world.chatwoot().call(body), 204);
      await world.talk.say('agent');
      await until(() => world.said().some((said) => /I have already asked/.test(said)), 'that somebody is waited for');
      assert.doesNotMatch(world.said().join(), new RegExp(canary));
    });

    it('are limited if they are unauthenticated', async () => {
      await open();
      const statuses: number[] = [];
      for (let times = 0; times < 25; times += 1) statuses.push(await world.chatwoot().call({}, {}, '/chatwoot/callback/a-guess'));
      assert.deepEqual([statuses[0], statuses[19], statuses[20], statuses[24]], [404, 404, 429, 429]);
      // Chatwoot's own are not among them.
      assert.equal(await world.chatwoot().call({}), 204);
    });

    it('may not be larger than any of Chatwoot’s', async () => {
      await open();
      assert.equal(
        await world.chatwoot().call({ event: 'message_created', content: 'x'.repeat(600 * 1024), conversation: { id: 1 } }),
        413,
      );
    });

    it('count only with a recent signature, if Chatwoot signs', async () => {
      await open();
      const { isSignedByChatwoot } = await import('../../src/handoff/chatwoot/chatwoot-callback.ts');
      const { createHmac } = await import('node:crypto');
      const [raw, now] = [Buffer.from('{}'), 1_700_000_000_000];
      const signed = (time: number, secret = 'b') => `sha256=${createHmac('sha256', secret).update(`${time}.{}`).digest('hex')}`;
      const at = now / 1000;
      for (const [time, signature, expected] of [
        [String(at), signed(at), true],
        [String(at - 300), signed(at - 300), true],
        [String(at - 301), signed(at - 301), false],
        [String(at + 301), signed(at + 301), false],
        [String(at), signed(at, 'c'), false],
        [String(at), signed(at - 1), false],
        [String(at), signed(at).slice(7), false],
        ['', signed(at), false],
        [String(at), '', false],
      ] as const)
        assert.equal(isSignedByChatwoot(['a', 'b'], raw, time, signature, now), expected, `${time} ${signature}`);
    });
  });
});
