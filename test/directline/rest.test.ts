import assert from 'node:assert/strict';
import { usualLimits } from '../../src/directline/index.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { HttpProblem } from '../../src/platform/http/http-problem.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { call, chat, type DirectLineServer, json, startDirectLine } from '../support/direct-line.ts';
import { keptActivity } from '../support/kept-activity.ts';
import { until } from '../support/until.ts';

describe('the REST side of Direct Line', () => {
  let line: DirectLineServer;
  before(async () => {
    line = await startDirectLine({ allowedOrigins: ['https://shop.example'] });
  });
  after(() => line.close());

  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const typed = (body: string, type = 'application/json') => ({ body, headers: { 'content-type': type } });
  const refusals: [string, number, string, object][] = [
    ['no activity', 400, 'BadArgument', {}],
    ['an activity without a type', 400, 'BadArgument', json({ text: 'x' })],
    ['an invoke', 400, 'BadArgument', json({ type: 'invoke', name: 'signin/verifyState' })],
    ['a conversationUpdate', 400, 'BadArgument', json({ type: 'conversationUpdate', membersAdded: [] })],
    ['text that is not text', 400, 'BadArgument', json({ type: 'message', text: { a: 1 } })],
    [
      'an attachment at an address inside',
      400,
      'BadArgument',
      json({ type: 'message', attachments: [{ contentType: 'image/png', contentUrl: 'http://169.254.169.254/' }] }),
    ],
    [
      'an attachment that says it is an uploaded file',
      400,
      'BadArgument',
      json({ type: 'message', attachments: [{ contentType: 'a/b', contentUrl: 'urn:countersign:file:x' }] }),
    ],
    ['a client id that is not text', 400, 'BadArgument', json({ type: 'message', text: 'x', channelData: { clientActivityID: 1 } })],
    ['an array', 400, 'BadArgument', json([])],
    ['broken JSON', 400, 'BadArgument', typed('{')],
    ['the event by which the bot asks for a person', 400, 'BadArgument', json({ type: 'event', name: 'handoff.initiate', value: {} })],
    [
      'the event by which a hub says that somebody came',
      400,
      'BadArgument',
      json({ type: 'event', name: 'handoff.status', value: { state: 'accepted' } }),
    ],
    [
      'the same, written in another way',
      400,
      'BadArgument',
      json({ type: 'event', name: ' Handoff.Status', value: { state: 'completed' } }),
    ],
    ['the same in other letters', 400, 'BadArgument', json({ type: 'event', name: ' Handoff.Initiate', value: {} })],
    ['JSON nested too deep', 400, 'BadArgument', typed(`{"type":"message","value":${nested(40)}}`)],
    ['another type of body', 415, 'BadArgument', typed('<a/>', 'text/xml')],
    ['a compressed body', 415, 'BadArgument', { body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } }],
    ['257 KB', 413, 'MessageSizeTooBig', json({ type: 'message', text: 'x'.repeat(257 * 1024) })],
  ];
  for (const [what, status, code, init] of refusals) {
    it(`refuses ${what} with ${status} ${code}, and nothing is kept`, async () => {
      const { conversationId, token, sees } = await chat(line);
      await sees('the greeting', ({ text }) => text === 'Hello');
      const reply = await call(line, 'POST', `/conversations/${conversationId}/activities`, token, init);
      assert.deepEqual([reply.status, reply.body.error.code], [status, code]);
      assert.equal((await line.storage.chats.get(conversationId))?.watermark, 1);
    });
  }

  it('takes a message beside whose words a language or a time cannot be read', async () => {
    const { post } = await chat(line);
    for (const fields of [{ locale: '../en' }, { locale: {} }, { localTimestamp: 'yesterday' }, { localTimezone: 1 }]) {
      const { status, body } = await post({ type: 'message', text: 'hi', ...fields });
      assert.equal(status, 200);
      const turn = line.turns.find(({ id }) => id === body.id);
      assert.deepEqual([turn?.text, turn?.[Object.keys(fields)[0] as 'locale']], ['hi', undefined]);
    }
  });

  it('drops fields about interactions, which only the bot may set', async () => {
    const { post, sees } = await chat(line);
    const channelData = { interaction: { app: 'payments', status: 'success' }, notification: { alert: true }, postBack: true };
    const { body } = await post({ type: 'message', text: 'paid', channelData });
    const seen = await sees('the message', ({ id }) => id === body.id);
    assert.deepEqual(Object.keys(seen.channelData).sort(), ['postBack', 'webchat:sequence-id']);
    assert.deepEqual(line.turns.find(({ id }) => id === body.id)?.channelData, { postBack: true, verified: { network: '127.0.0.1' } });
  });

  it('shows what the bot lets a page read out in the place of a card', async () => {
    const { conversationId, sees } = await chat(line);
    const channelData = { 'webchat:fallback-text': 'Paid.', 'webchat:sequence-id': 1, deliveryKey: 'k' };
    const { id } = await line.directLine.connector.post(conversationId, { type: 'message', channelData });
    const seen = await sees('the card', (activity) => activity.id === id);
    assert.equal(seen.channelData['webchat:fallback-text'], 'Paid.');
    assert.notEqual(seen.channelData['webchat:sequence-id'], 1);
    assert.equal(seen.channelData.deliveryKey, undefined);
  });

  it('stores and shows no card number, and passes the message to the bot unchanged', async () => {
    const { conversationId, post, sees } = await chat(line);
    const card = '4111 1111 1111 1111';
    const said = {
      type: 'message',
      text: `my card ${card}`,
      value: { action: 'pay', note: card },
      attachments: [{ contentType: 'text/plain', content: { deep: [card] }, name: card }],
      channelData: { clientActivityID: '4111111111111111', note: card },
    };
    const { status, body } = await post(said);
    assert.equal(status, 200);
    const seen = await sees('the message', ({ id }) => id === body.id);
    assert.equal(seen.text, 'my card •••• •••• •••• ••••');
    assert.equal(seen.channelData.clientActivityID, '4111111111111111');
    const kept = JSON.stringify(await keptActivity(line.storage.chats, conversationId, body.id));
    assert.doesNotMatch(kept, /4111 1111/);
    const turn = line.turns.find(({ id }) => id === body.id);
    assert.deepEqual([turn?.text, turn?.value], [said.text, said.value]);
    // The same again, as after a crash before the turn was over.
    assert.equal((await post(said)).body.id, body.id);
  });

  it('reads no more at once than fits, and limits answers that are not read', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const storage = await openNewStorage();
    let reads = 0;
    const page: typeof storage.chats.page = async (...asked) => {
      reads += 1;
      if (asked[1].since === 7) await held;
      return storage.chats.page(...asked);
    };
    const bound = await startDirectLine({
      storage: { ...storage, chats: { ...storage.chats, page } },
      limits: { ...usualLimits, requests: { points: 40, seconds: 60 }, reads: 2 },
    });
    try {
      const { conversationId, token, socket } = await chat(bound);
      socket.terminate();
      for (let count = 0; count < 4; count++) {
        await storage.chats.append(conversationId, { id: `a${count}`, type: 'message', text: 'x'.repeat(200 * 1024) });
      }
      const activities = `/conversations/${conversationId}/activities`;
      let watermark = '';
      const seen: string[] = [];
      while (seen.length < 4) {
        const { body } = await call(bound, 'GET', `${activities}?watermark=${watermark}`, token);
        assert.ok(JSON.stringify(body).length < 300 * 1024);
        seen.push(...body.activities.map(({ id }: { id: string }) => id).filter((id: string) => /^a\d$/.test(id)));
        ({ watermark } = body);
      }
      assert.deepEqual(seen, ['a0', 'a1', 'a2', 'a3']);

      reads = 0;
      const waiting = [1, 2].map(() => call(bound, 'GET', `${activities}?watermark=7`, token));
      await until(() => reads === 2, 'two reads');
      const third = await call(bound, 'GET', activities, token);
      assert.deepEqual([third.status, third.body.error.code], [429, 'TooManyRequests']);
      assert.match(third.headers.get('retry-after') ?? '', /^\d+$/);
      release();
      await Promise.all(waiting);
      await until(async () => (await call(bound, 'GET', activities, token)).status === 200, 'room for another read');

      const statuses = new Set<number>();
      for (let count = 0; count < 40; count++) statuses.add((await call(bound, 'POST', '/tokens/refresh', token)).status);
      assert.deepEqual([...statuses].sort(), [200, 429]);
    } finally {
      await bound.close();
      await storage.close();
    }
  });

  it('keeps no events, passes them on, and takes little beside the words', async () => {
    const line = await startDirectLine();
    try {
      const { conversationId, token, say, sees } = await chat(line);
      await sees('the greeting', ({ text }) => text === 'Hello');
      const post = (activity: object) => call(line, 'POST', `/conversations/${conversationId}/activities`, token, json(activity));
      const stored = async () =>
        (await line.storage.chats.page(conversationId, { since: 0, after: 0, limit: 50, bytes: 1e6 }))?.activities.length;
      const before = await stored();
      assert.equal(before, 1);
      assert.equal((await post({ type: 'event', name: 'page.opened', value: 'x'.repeat(4000) })).status, 200);
      assert.equal(await stored(), before);
      assert.ok(line.turns.some(({ name }) => name === 'page.opened'));
      for (const field of ['value', 'channelData', 'entities']) {
        const most = 'x'.repeat(70_000);
        const value = field === 'entities' ? [{ type: 'x', most }] : { most };
        assert.equal((await post({ type: 'event', name: 'page.opened', [field]: value })).status, 400, field);
        assert.equal((await post({ type: 'message', text: 'Hi', [field]: value })).status, 400, field);
      }
      assert.equal((await post({ type: 'event', name: 'page.opened', value: 'x'.repeat(4096) })).status, 400);
      assert.equal((await say('x'.repeat(20_000))).status, 200);
    } finally {
      await line.close();
    }
  });

  it('takes so many bytes from one network, over all its conversations', async () => {
    const line = await startDirectLine({ limits: { ...usualLimits, bytes: { points: 3000, seconds: 60 } } });
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 4; count++) statuses.push((await (await chat(line)).say('x'.repeat(900))).status);
      assert.deepEqual(statuses, [200, 200, 200, 429]);
    } finally {
      await line.close();
    }
  });

  it('accepts no more messages in a full conversation, while the bot may still answer', async () => {
    const small = await startDirectLine({ limits: { ...usualLimits, chat: { bytes: 2000, revisions: 100 } } });
    try {
      const { conversationId, say, sees } = await chat(small);
      await sees('the greeting', ({ text }) => text === 'Hello');
      assert.equal((await say('x'.repeat(1000))).status, 200);
      const full = await say('x'.repeat(1000));
      assert.deepEqual([full.status, full.body.error.code], [413, 'MessageSizeTooBig']);
      assert.equal(typeof (await small.directLine.connector.post(conversationId, { type: 'message', text: 'Paid' })).id, 'string');
    } finally {
      await small.close();
    }
  });

  it('asks clients to retry if the database is unreachable, in its own form', async () => {
    const storage = await openNewStorage();
    let away = false;
    const page: typeof storage.chats.page = async (...asked) => {
      if (away) throw new DatabaseUnavailable({ code: 'ECONNREFUSED' });
      return storage.chats.page(...asked);
    };
    const cut = await startDirectLine({ storage: { ...storage, chats: { ...storage.chats, page } } });
    try {
      const { conversationId, token } = await chat(cut);
      away = true;
      const { status, headers, body } = await call(cut, 'GET', `/conversations/${conversationId}/activities`, token);
      assert.deepEqual([status, headers.get('retry-after'), body.error.code], [503, '1', 'ServiceError']);
    } finally {
      await cut.close();
      await storage.close();
    }
  });

  it('asks whether a message is admitted before it stores any of it', async () => {
    const refusal = new HttpProblem(429, 'too_many_turns', 'Wait.', { headers: { 'Retry-After': '3' } });
    const asked: string[] = [];
    const strict = await startDirectLine({
      admit: async (userId) => {
        asked.push(userId);
        throw refusal;
      },
    });
    try {
      const { conversationId, userId, say, post, sees } = await chat(strict);
      await sees('the greeting', ({ text }) => text === 'Hello');
      for (const reply of [await say('hi'), await post({ type: 'typing' })]) {
        assert.deepEqual([reply.status, reply.body.error.code, reply.headers.get('retry-after')], [429, 'TooManyRequests', '3']);
      }
      assert.deepEqual(asked, [userId, userId]);
      assert.equal((await strict.storage.chats.get(conversationId))?.watermark, 1);
    } finally {
      await strict.close();
    }
  });

  it('refuses a watermark it did not hand out', async () => {
    const { conversationId, token } = await chat(line);
    for (const watermark of ['x', '-1', '1.2', '1e9', '9'.repeat(16), "1' OR '1"]) {
      const reply = await call(
        line,
        'GET',
        `/conversations/${conversationId}/activities?watermark=${encodeURIComponent(watermark)}`,
        token,
      );
      assert.equal(reply.status, 400);
    }
  });

  it('lets pages of listed origins in, and names no origin to others', async () => {
    const { conversationId, token } = await chat(line);
    const from = (origin: string) => call(line, 'GET', `/conversations/${conversationId}/activities`, token, { headers: { origin } });
    assert.equal((await from('https://shop.example')).headers.get('access-control-allow-origin'), 'https://shop.example');
    assert.equal((await from('https://evil.example')).headers.get('access-control-allow-origin'), null);
    const preflight = await call(line, 'OPTIONS', `/conversations/${conversationId}/activities`, undefined, {
      headers: { origin: 'https://shop.example' },
    });
    assert.equal(preflight.status, 204);
    assert.match(
      preflight.headers.get('access-control-allow-headers') ?? '',
      /authorization, content-type, x-ms-bot-agent, x-requested-with/,
    );
    assert.match(preflight.headers.get('vary') ?? '', /Origin/);
    const refused = await call(line, 'GET', `/conversations/${conversationId}`, 'nonsense', {
      headers: { origin: 'https://shop.example' },
    });
    assert.equal(refused.headers.get('access-control-allow-origin'), 'https://shop.example');
  });
});
