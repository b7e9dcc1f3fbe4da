import assert from 'node:assert/strict';
import { HttpProblem } from '../../src/platform/http/http-problem.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { type Bot, call, chat, type DirectLineServer, echo, json, listen, startDirectLine } from '../support/direct-line.ts';
import { until } from '../support/until.ts';

describe('a conversation on Direct Line', () => {
  let line: DirectLineServer;
  const lines: DirectLineServer[] = [];
  const start = async (...options: Parameters<typeof startDirectLine>) => {
    const started = await startDirectLine(...options);
    lines.push(started);
    return started;
  };
  beforeEach(async () => {
    line = await start();
  });
  afterEach(async () => {
    for (const open of lines.splice(0)) await open.close();
  });

  it('notifies the bot once that it began, and streams the greeting', async () => {
    const { conversationId, userId, sees, token } = await chat(line);
    const greeting = await sees('the greeting', ({ text }) => text === 'Hello');
    assert.equal(greeting.replyToId, undefined);
    assert.deepEqual(greeting.from, { id: 'bot', name: 'Countersign', role: 'bot' });
    await call(line, 'POST', '/conversations', token);
    await call(line, 'GET', `/conversations/${conversationId}`, token);
    const [began, ...others] = line.turns;
    assert.equal(others.length, 0);
    assert.equal(began?.type, 'conversationUpdate');
    assert.equal(began?.locale, 'en');
    assert.deepEqual(
      began?.membersAdded?.map(({ id }) => id),
      ['bot', userId],
    );
  });

  it('answers a new conversation with 201 and one that is there with 200', async () => {
    const { token } = await line.directLine.issueToken();
    const first = await call(line, 'POST', '/conversations', token);
    assert.equal(first.status, 201);
    assert.equal(first.body.expires_in, 1800);
    assert.match(first.body.streamUrl, /^ws:\/\/127\.0\.0\.1:\d+\/v3\/directline\/conversations\/[^/]+\/stream\?watermark=0&t=/);
    assert.equal((await call(line, 'POST', '/conversations', first.body.token)).status, 200);
  });

  it("sets a message's sender and addresses itself, and shows the message before the bot's answer", async () => {
    const { conversationId, userId, post, sees, sets } = await chat(line, { verified: { phoneNumber: '+12025550101' } });
    const { status, body } = await post({
      type: 'message',
      id: 'forged',
      text: 'hi',
      locale: 'es',
      localTimestamp: '2026-11-20T09:00:00.000+01:00',
      from: { id: 'dl_someone-else', role: 'bot' },
      conversation: { id: 'elsewhere' },
      recipient: { id: 'another' },
      serviceUrl: 'https://evil.example',
      channelId: 'msteams',
      callerId: 'urn:botframework:aadappid:x',
      channelData: { clientActivityID: 'c1', verified: { phoneNumber: '+12025550102' }, 'webchat:sequence-id': 1, postBack: true },
    });
    assert.equal(status, 200);
    const turn = line.turns.find(({ type }) => type === 'message');
    assert.ok(turn);
    assert.equal(turn.id, body.id);
    assert.deepEqual(turn.from, { id: userId, role: 'user' });
    assert.deepEqual(turn.conversation, { id: conversationId });
    assert.equal(turn.recipient.id, 'bot');
    assert.equal(turn.serviceUrl, 'urn:countersign:directline');
    assert.equal(turn.channelId, 'directline');
    assert.equal(turn.callerId, undefined);
    assert.equal(turn.locale, 'es');
    assert.ok(turn.timestamp && turn.localTimestamp);
    assert.deepEqual(turn.channelData, {
      clientActivityID: 'c1',
      postBack: true,
      verified: { phoneNumber: '+12025550101', network: '127.0.0.1' },
    });

    const answer = await sees('the answer', ({ text }) => text === 'Echo: hi');
    assert.equal(answer.replyToId, body.id);
    const shown = sets.flatMap(({ activities }) => activities);
    const own = shown.find(({ id }) => id === body.id);
    assert.equal(own.channelData.clientActivityID, 'c1');
    assert.equal(own.channelData.verified, undefined);
    assert.ok(shown.indexOf(own) < shown.indexOf(answer));
    assert.ok(own.channelData['webchat:sequence-id'] < answer.channelData['webchat:sequence-id']);
  });

  it('lets a client continue from its watermark, over REST and over a new stream', async () => {
    const { conversationId, token, say, sees, sets } = await chat(line);
    await sees('the greeting', ({ text }) => text === 'Hello');
    await say('one');
    await sees('the answer', ({ text }) => text === 'Echo: one');
    const watermark = sets.at(-1)?.watermark;
    await say('two');
    const texts = (activities: { text: string }[]) => activities.map(({ text }) => text);
    const rest = await call(line, 'GET', `/conversations/${conversationId}/activities?watermark=${watermark}`, token);
    assert.deepEqual(texts(rest.body.activities), ['two', 'Echo: two']);
    const none = await call(line, 'GET', `/conversations/${conversationId}/activities?watermark=${rest.body.watermark}`, token);
    assert.deepEqual(none.body, { activities: [], watermark: rest.body.watermark });
    const all = await call(line, 'GET', `/conversations/${conversationId}/activities`, token);
    assert.deepEqual(texts(all.body.activities), ['Hello', 'one', 'Echo: one', 'two', 'Echo: two']);

    const resumed = await call(line, 'GET', `/conversations/${conversationId}?watermark=${watermark}`, token);
    const again = await listen(resumed.body.streamUrl);
    await until(() => again.sets.length > 0, 'the rest over the stream');
    assert.deepEqual(texts(again.sets.flatMap(({ activities }) => activities)), ['two', 'Echo: two']);
    again.socket.terminate();
  });

  it('reads a conversation of hundreds of activities in pages, none missing, none twice, whatever changes meanwhile', async () => {
    const { conversationId, token, sees } = await chat(line);
    const greeting = await sees('the greeting', ({ text }) => text === 'Hello');
    const { connector } = line.directLine;
    for (let index = 0; index < 180; index++) await connector.post(conversationId, { type: 'message', text: `${index}` });
    const read = async (watermark: string) =>
      (await call(line, 'GET', `/conversations/${conversationId}/activities?watermark=${watermark}`, token)).body;
    const seen = new Map<string, string>();
    let watermark = '';
    for (let round = 0; round < 20; round++) {
      const page = await read(watermark);
      for (const { id, text } of page.activities) seen.set(id, text);
      if (round === 1) await connector.update(conversationId, greeting.id, { type: 'message', text: 'Hello again' });
      if (page.activities.length === 0 && page.watermark === watermark) break;
      watermark = page.watermark;
    }
    assert.deepEqual([...seen.values()], ['Hello again', ...Array.from({ length: 180 }, (_, index) => `${index}`)]);
  });

  describe('a message that is sent again', () => {
    it('is answered with the first id and takes no second turn', async () => {
      const { say, sets } = await chat(line);
      const [first, ...others] = await Promise.all([say('pay', 'same'), say('pay', 'same'), say('pay', 'same')]);
      others.push(await say('pay', 'same'));
      for (const reply of others) assert.deepEqual(reply.body, first.body);
      assert.equal(line.turns.filter(({ type }) => type === 'message').length, 1);
      await until(() => sets.flatMap(({ activities }) => activities).some(({ text }) => text === 'Echo: pay'), 'the answer');
      assert.equal(sets.flatMap(({ activities }) => activities).filter(({ text }) => text === 'pay').length, 1);
    });

    it('runs its turn if the first attempt failed', async () => {
      let healthy = false;
      const bot: Bot = async (activity, connector) => {
        if (!healthy && activity.type === 'message') throw new Error('down');
        await echo(activity, connector);
      };
      const flaky = await start({ bot });
      const { say, sees } = await chat(flaky);
      const failed = await say('pay', 'same');
      assert.equal(failed.status, 502);
      assert.equal(failed.body.error.code, 'BotError');
      healthy = true;
      const { status, body } = await say('pay', 'same');
      assert.equal(status, 200);
      const answer = await sees('the answer', ({ text }) => text === 'Echo: pay');
      assert.equal(answer.replyToId, body.id);
    });

    it('runs its turn if the process died between storing it and the turn', async () => {
      const storage = await openNewStorage();
      const dying = await start({ storage, bot: () => new Promise(() => {}), postWaitMs: 20 });
      const { token, conversationId } = await chat(dying);
      const send = (to: DirectLineServer) =>
        call(
          to,
          'POST',
          `/conversations/${conversationId}/activities`,
          token,
          json({ type: 'message', text: 'pay', channelData: { clientActivityID: 'same' } }),
        );
      assert.equal((await send(dying)).status, 200);

      const next = await start({ storage });
      assert.equal((await send(next)).status, 200);
      assert.equal((await send(next)).status, 200);
      assert.deepEqual(
        next.turns.map(({ type, text }) => [type, text]),
        [['message', 'pay']],
      );
      lines.push({ ...next, close: () => storage.close() });
    });
  });

  it('shows and gives the bot no links that a page passes off as files, and the words beside them', async () => {
    const { conversationId, post, token } = await chat(line);
    const own = `${line.base}/v3/directline/conversations/${conversationId}/files/1`;
    for (const contentUrl of ['https://evil.example/login', own.replace('http:', 'https:')]) {
      const attachments = [{ contentType: 'application/pdf', contentUrl, name: 'Signed contract.pdf' }];
      assert.equal((await post({ type: 'message', text: 'here', attachments })).status, 200);
    }
    const { body } = await call(line, 'GET', `/conversations/${conversationId}/activities`, token);
    assert.equal(body.activities.filter(({ text }: { text: string }) => text === 'here').length, 2);
    assert.doesNotMatch(JSON.stringify([body, line.turns]), /evil\.example|Signed contract|files\/1/);
  });

  describe('whose turn takes long', () => {
    const slowly = (end: Promise<unknown>): Bot => {
      return async (activity, connector) => {
        if (activity.type === 'message') await end;
        await echo(activity, connector);
      };
    };

    it('is answered with its id, since it is stored, and its turn is run once, however often it is sent', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const line = await start({ bot: slowly(promise), postWaitMs: 20 });
      const { say, sees } = await chat(line);
      const first = await say('pay', 'same');
      const again = await say('pay', 'same');
      assert.deepEqual([first.status, again.status, again.body.id], [200, 200, first.body.id]);
      resolve();
      assert.equal((await sees('the answer', ({ text }) => text === 'Echo: pay')).replyToId, first.body.id);
      assert.equal((await say('pay', 'same')).body.id, first.body.id);
      assert.equal(line.turns.filter(({ text }) => text === 'pay').length, 1);
    });

    for (const fault of [new Error('down'), new HttpProblem(429, 'conversation_busy', 'Wait')])
      it(`and fails then (${fault.message}): the customer is told in the chat, once, and it is not run again`, async () => {
        const { promise, reject } = Promise.withResolvers<void>();
        promise.catch(() => {});
        const line = await start({ bot: slowly(promise), postWaitMs: 20 });
        const chatter = await chat(line);
        const path = `/conversations/${chatter.conversationId}`;
        for (const _ of [1, 2]) assert.equal((await chatter.say('pay', 'same')).status, 200);
        reject(fault);
        await chatter.sees('the apology', ({ text }) => text === 'Sorry');
        await until(async () => (await line.storage.chats.awaitingIn(chatter.conversationId)).length === 0, 'its end');
        await call(line, 'GET', path, chatter.token);
        const { body } = await call(line, 'GET', `${path}/activities`, chatter.token);
        assert.equal(body.activities.filter(({ text }: { text: string }) => text === 'Sorry').length, 1);
        assert.equal(line.turns.filter(({ text }) => text === 'pay').length, 1);
      });

    for (const [how, method, path] of [
      ['reconnects', 'GET', (id: string) => `/conversations/${id}`],
      ['loads its page again', 'POST', () => '/conversations'],
    ] as const)
      it(`in a process that dies, is run as soon as its client ${how}: in order, once`, async () => {
        const storage = await openNewStorage();
        const dying = await start({ storage, bot: () => new Promise(() => {}), postWaitMs: 20 });
        const { conversationId, say, token } = await chat(dying);
        for (const text of ['one', 'two']) assert.equal((await say(text, text)).status, 200);
        const next = await start({ storage });
        for (const _ of [1, 2]) await call(next, method, path(conversationId), token, method === 'POST' ? json({}) : {});
        await until(async () => (await storage.chats.awaitingIn(conversationId)).length === 0, 'their turns');
        assert.deepEqual(
          next.turns.flatMap(({ text }) => text ?? []),
          ['one', 'two'],
        );
        lines.push({ ...next, close: () => storage.close() });
      });
  });

  it('announces the beginning again if the process died during that turn, and shows one greeting', async () => {
    const storage = await openNewStorage();
    const silent = await start({ storage, bot: async () => Promise.reject(new Error('died')) });
    const before = await chat(silent);
    const greet: Bot = async ({ conversation, id }, connector) =>
      connector.post(conversation.id, { type: 'message', text: 'Hello', channelData: { deliveryKey: `${id}:greeting` } });
    const halfway = await start({
      storage,
      bot: async (activity, connector) => {
        await greet(activity, connector);
        throw new Error('died');
      },
    });
    const after = await chat(halfway);
    await after.sees('the greeting', ({ text }) => text === 'Hello');

    const next = await start({ storage, bot: greet });
    for (const { conversationId, token } of [before, after, before, after])
      await call(next, 'GET', `/conversations/${conversationId}`, token);
    await until(() => next.turns.length === 2, 'the beginnings');
    assert.deepEqual(
      next.turns.map(({ type, conversation }) => [type, conversation.id]),
      [before, after].map(({ conversationId }) => ['conversationUpdate', conversationId]),
    );
    for (const { conversationId, token } of [before, after]) {
      const read = async () => (await call(next, 'GET', `/conversations/${conversationId}/activities`, token)).body.activities;
      const greetings = await until(async () => ((await read()).length > 0 ? read() : undefined), 'the greeting');
      assert.deepEqual(
        greetings.map(({ text }: { text: string }) => text),
        ['Hello'],
      );
    }
    lines.push({ ...next, close: () => storage.close() });
  });

  it('shows typing without storing it', async () => {
    const { conversationId, token, sees } = await chat(line);
    await line.directLine.connector.post(conversationId, { type: 'typing' });
    await sees('typing', ({ type }) => type === 'typing');
    const { body } = await call(line, 'GET', `/conversations/${conversationId}/activities`, token);
    assert.ok(body.activities.every(({ type }: { type: string }) => type !== 'typing'));
  });
});
