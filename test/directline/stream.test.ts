import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { makeSignals, type Signals } from '../../src/directline/signals.ts';
import { streamLimits } from '../../src/directline/streams.ts';
import { call, chat, type DirectLineServer, listen, startDirectLine } from '../support/direct-line.ts';
import { until } from '../support/until.ts';

/** The status an upgrade is refused with. */
const refusal = (url: string, headers: Record<string, string> = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    socket.once('unexpected-response', (_request, response) => {
      resolve(response.statusCode);
      response.resume();
    });
    socket.once('open', () => {
      socket.terminate();
      resolve(undefined);
    });
    socket.once('error', reject);
  });

const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));

describe('the stream of a conversation', () => {
  let now = Date.parse('2026-11-20T08:00:00Z');
  let line: DirectLineServer;
  const start = async (...options: Parameters<typeof startDirectLine>) => {
    line = await startDirectLine({ clock: { now: () => now }, ...options[0] });
    return line;
  };
  afterEach(() => line.close());

  it('opens with its own token only, for a minute, for its own conversation', async () => {
    await start();
    const [a, b] = [await chat(line), await chat(line)];
    const url = new URL(a.streamUrl);
    const t = url.searchParams.get('t') ?? '';
    const withToken = (token: string, conversationId = a.conversationId) =>
      `ws://127.0.0.1:${line.port}/v3/directline/conversations/${conversationId}/stream?watermark=&t=${token}`;
    assert.equal(await refusal(withToken(t)), undefined);
    assert.equal(await refusal(withToken('')), 403);
    assert.equal(await refusal(withToken(a.token)), 403);
    assert.equal(await refusal(withToken(t, b.conversationId)), 403);
    assert.equal(await refusal(`${withToken(t)}`.replace('watermark=', 'watermark=x')), 400);
    assert.equal((await call(line, 'GET', `/conversations/${a.conversationId}`, t)).status, 403);
    now += 61_000;
    assert.equal(await refusal(withToken(t)), 403);
  });

  it('opens for pages of our own origin and of those on the list, and for programs', async () => {
    await start({ allowedOrigins: ['https://shop.example'], publicUrl: 'https://chat.example' });
    const { conversationId, token } = await line.directLine.issueToken();
    const { body } = await call(line, 'POST', '/conversations', token);
    const url = body.streamUrl.replace('wss://chat.example', `ws://127.0.0.1:${line.port}`);
    assert.match(body.streamUrl, new RegExp(`^wss://chat\\.example/v3/directline/conversations/${conversationId}/stream`));
    assert.equal(await refusal(url), undefined);
    assert.equal(await refusal(url, { origin: 'https://chat.example' }), undefined);
    assert.equal(await refusal(url, { origin: `http://127.0.0.1:${line.port}` }), undefined);
    assert.equal(await refusal(url, { origin: 'https://shop.example' }), undefined);
    assert.equal(await refusal(url, { origin: 'https://evil.example' }), 403);
    assert.equal(await refusal(url, { origin: 'null' }), 403);
  });

  it('refuses an upgrade of an address that is not a stream', async () => {
    await start();
    assert.equal(await refusal(`ws://127.0.0.1:${line.port}/elsewhere`), 404);
    assert.equal(await refusal(`ws://127.0.0.1:${line.port}/v3/directline/conversations/%zz/stream`), 400);
  });

  it('reaches every open page of the conversation, and makes room for a new one by closing the oldest', async () => {
    await start();
    const { streamUrl, socket, say } = await chat(line);
    const others = [];
    for (let index = 1; index < streamLimits.perConversation; index++) others.push(await listen(streamUrl));
    await say('hi');
    for (const { sets } of others) {
      await until(() => sets.flatMap(({ activities }) => activities).some(({ text }) => text === 'Echo: hi'), 'the answer');
    }
    const code = closed(socket);
    await listen(streamUrl);
    assert.equal(await code, 4409);
  });

  it('closes on a client that sends more than a ping', async () => {
    await start();
    const { socket, say } = await chat(line);
    socket.send('');
    await say('still here');
    const code = closed(socket);
    socket.send('x'.repeat(streamLimits.incoming + 1));
    assert.equal(await code, 1009);
  });

  it('drops a client that does not answer pings', async () => {
    await start({ streamLimits: { ...streamLimits, pingMs: 400 } });
    const { socket: alive, streamUrl } = await chat(line);
    const silent = await listen(streamUrl, { autoPong: false });
    assert.equal(await closed(silent.socket), 1006);
    assert.equal(alive.readyState, WebSocket.OPEN);
  });

  it('shows each activity in a frame of its own, in order, however much there is at once', async () => {
    await start();
    const { conversationId, streamUrl } = await chat(line);
    const texts = Array.from({ length: 12 }, (_, index) => `${index} ${'x'.repeat(index % 2 === 0 ? 30_000 : 10)}`);
    for (const text of texts) await line.directLine.connector.post(conversationId, { type: 'message', text });
    const { socket, sets } = await listen(streamUrl);
    const said = () => sets.flatMap(({ activities }) => activities.map(({ text }) => text)).filter((text) => texts.includes(text ?? ''));
    await until(() => said().length === texts.length, 'all to be shown');
    assert.deepEqual(said(), texts);
    assert.ok(sets.every(({ activities }) => activities.length === 1));
    socket.terminate();
  });

  it('drops a client that does not read', async () => {
    let listening = 0;
    const signals = makeSignals();
    const counted: Signals = {
      notify: signals.notify,
      subscribe: (...subscription) => {
        const unsubscribe = signals.subscribe(...subscription);
        listening += 1;
        return () => {
          listening -= 1;
          return unsubscribe();
        };
      },
    };
    await start({ signals: counted, streamLimits: { ...streamLimits, sendMs: 1_000 } });
    const { conversationId, streamUrl } = await chat(line);
    const deaf = await listen(streamUrl);
    deaf.socket.pause();
    assert.equal(listening, 2);
    const text = 'x'.repeat(200_000);
    for (let index = 0; index < 100; index++) await line.directLine.connector.post(conversationId, { type: 'message', text });
    await until(() => listening === 1, 'the server to give up on it');
    deaf.socket.terminate();
  });

  it('sends clients away to come back when it closes', async () => {
    await start();
    const { socket } = await chat(line);
    const code = closed(socket);
    await line.directLine.close();
    assert.equal(await code, 1012);
  });
});
