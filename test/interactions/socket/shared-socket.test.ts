import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import sinon from 'sinon';
import { type WebSocket, WebSocketServer } from 'ws';
import { multiplexProtocol } from '../../../src/contract/index.ts';
import type { EventSource } from '../../../src/interactions/ports.ts';
import type { SocketLimits } from '../../../src/interactions/socket/service-connection.ts';
import { makeEventSource } from '../../../src/interactions/socket/socket.ts';
import { fingerprint, makeLog } from '../../../src/platform/log.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { until } from '../../support/until.ts';

const tokenOf = (requestId: string) => `token-canary-${requestId}`;

describe('a socket that requests share', () => {
  const cleanups: (() => unknown)[] = [];
  let lines: string[] = [];
  let now = 1_000_000;
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    assert.doesNotMatch(lines.join(''), /canary/);
    lines = [];
  });

  /** A service that grants the protocol, unless told otherwise, and remembers what it was sent on which connection. */
  const serve = async ({ grants = true, greeting }: { grants?: boolean; greeting?: string } = {}) => {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      handleProtocols: (offered) => (grants && offered.has(multiplexProtocol) ? multiplexProtocol : false),
    });
    const connections: { socket: WebSocket; protocol: string; received: string[]; offered: string | undefined }[] = [];
    server.on('connection', (socket, { headers }) => {
      const connection = { socket, protocol: socket.protocol, received: [] as string[], offered: headers['sec-websocket-protocol'] };
      connections.push(connection);
      socket.on('error', () => {});
      if (greeting !== undefined) socket.send(greeting);
      socket.on('message', (data) => connection.received.push(String(data)));
    });
    await once(server, 'listening');
    cleanups.push(() => {
      for (const client of server.clients) client.terminate();
      return new Promise((closed) => server.close(closed));
    });
    const asked = () => connections.flatMap(({ received }) => received);
    return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`, connections, asked };
  };

  const sourceOf = (url: string, limits: Partial<SocketLimits> = {}) => {
    const log = makeLog('debug', { write: (line) => void lines.push(line) });
    return makeEventSource(url, true, log, limits, { now: () => now });
  };

  /** Follows a request; what it was told, in order. */
  const follow = (source: EventSource, requestId: string, wsToken = tokenOf(requestId)) => {
    const told: string[] = [];
    const opened = source({
      wsToken,
      requestId,
      onUp: () => void told.push('up'),
      onEvent: (type) => void told.push(type),
      onMalformed: () => void told.push('malformed'),
      onDown: (reason) => void told.push(`down ${reason}`),
    });
    cleanups.push(() => opened.close());
    return { told, close: () => opened.close() };
  };
  const frame = (type: string, requestId?: string, more: object = {}) =>
    JSON.stringify({
      id: 'e',
      type,
      timestamp: '2026-11-20T08:26:17.000Z',
      ...(requestId && { payload: { request: { id: requestId } } }),
      ...more,
    });
  const refusal = (error: object) => frame('error', undefined, { error });

  /** Three who are up on one socket, and the service's end of it. */
  const three = async (limits: Partial<SocketLimits> = {}) => {
    const service = await serve();
    const source = sourceOf(service.url, limits);
    const [a, b, c] = ['r-a', 'r-b', 'r-c'].map((id) => follow(source, id)) as [Following, Following, Following];
    await until(() => [a, b, c].every(({ told }) => told.includes('up')));
    const socket = () => service.connections.at(-1)?.socket as WebSocket;
    return { service, source, a, b, c, socket };
  };
  type Following = ReturnType<typeof follow>;

  it('carries every token, in order, and reports each event to its request', async () => {
    const { service, a, b, c, socket } = await three();
    await until(() => service.asked().length === 3);
    assert.deepEqual(
      service.connections.map(({ offered, received }) => [offered, received]),
      [[multiplexProtocol, ['r-a', 'r-b', 'r-c'].map((id) => `CONNECT ${tokenOf(id)}`)]],
    );
    socket().send(frame('task.sent', 'r-b'));
    socket().send(frame('task_bootstrapped', 'R-A'));
    socket().send(frame('task.succeeded', 'r-b'));
    socket().send(frame('task.succeeded', 'r-nobody'));
    socket().send(frame('task.canary', 'r-c', { error: { code: 'cancelled', requestId: 'r-c' } }));
    socket().send(frame('task.sent', 'r-c'));
    await until(() => c.told.length === 2);
    assert.deepEqual(a.told, ['up', 'task.bootstrapped']);
    assert.deepEqual(b.told, ['up', 'task.sent', 'task.succeeded']);
    assert.deepEqual(c.told, ['up', 'task.sent']);
  });

  it('is up for a request before it reports an event, even one that comes with the handshake', async () => {
    const service = await serve({ greeting: frame('task.sent', 'r-a') });
    const a = follow(sourceOf(service.url), 'r-a');
    await until(() => a.told.length === 2);
    assert.deepEqual(a.told, ['up', 'task.sent']);
  });

  it('falls back to a socket each if the service does not support it, and is not tried again for ten minutes', async () => {
    const service = await serve({ grants: false });
    const source = sourceOf(service.url);
    const [a, b] = [follow(source, 'r-a'), follow(source, 'r-b')];
    await until(() => a.told.length + b.told.length === 2);
    const later = follow(source, 'r-c');
    await until(() => later.told.length === 1 && service.asked().length === 3);
    // The first connection only asked. It ended before anything was said on it.
    assert.deepEqual(
      service.connections.map(({ offered }) => offered),
      [multiplexProtocol, undefined, undefined, undefined],
    );
    assert.deepEqual(
      service.asked().sort(),
      ['r-a', 'r-b', 'r-c'].map((id) => `CONNECT ${tokenOf(id)}`),
    );
    for (const { socket, received } of service.connections.slice(1))
      socket.send(frame('task.sent', received[0]?.slice(`CONNECT ${tokenOf('')}`.length)));
    await until(() => [a, b, later].every(({ told }) => told.length === 2));

    now += 600_000;
    follow(source, 'r-d');
    await until(() => service.connections.some(({ offered }, index) => index > 3 && offered === multiplexProtocol));
  });

  it('is declined once in the log, however many were asked for at a time', async () => {
    const source = sourceOf((await serve({ grants: false })).url);
    const twice = [follow(source, 'r-a'), follow(source, 'r-a')];
    await until(() => twice.every(({ told }) => told.length === 1));
    assert.equal(lines.filter((line) => line.includes('does not let requests share')).length, 1);
  });

  it('that breaks is down for all requests, and they share the next one', async () => {
    const { service, source, a, b, c, socket } = await three();
    socket().terminate();
    await until(() => [a, b, c].every(({ told }) => told.length === 2));
    for (const { told } of [a, b, c]) assert.deepEqual(told, ['up', 'down lost']);
    const again = ['r-a', 'r-b', 'r-c'].map((id) => follow(source, id));
    await until(() => again.every(({ told }) => told.includes('up')));
    assert.equal(service.connections.length, 2);
  });

  for (const [what, happen, reason] of [
    ['a close', (socket: WebSocket) => socket.close(1012), 'closed_1012'],
    ['a frame over the limit', (socket: WebSocket) => socket.send('x'.repeat(64 * 1024 + 1)), 'oversized_frame'],
  ] as const) {
    it(`is down for all requests after ${what}`, async () => {
      const { a, b, c, socket } = await three();
      happen(socket());
      await until(() => [a, b, c].every(({ told }) => told.length === 2));
      for (const { told } of [a, b, c]) assert.deepEqual(told, ['up', `down ${reason}`]);
    });
  }

  it('is down for all requests if it cannot connect', async () => {
    const source = sourceOf('ws://127.0.0.1:9/ws');
    const [a, b] = [follow(source, 'r-a'), follow(source, 'r-b')];
    await until(() => a.told.length + b.told.length === 2);
    assert.deepEqual([a.told, b.told], [['down unreachable'], ['down unreachable']]);
  });

  for (const [what, error, reason] of [
    ['its token is unknown', { code: 'unknown_token', connect: fingerprint(tokenOf('r-b')) }, 'closed_4404'],
    ['it was withdrawn', { code: 'cancelled', requestId: 'r-b' }, 'closed_1000'],
  ] as const) {
    it(`is down for one request only when ${what}`, async () => {
      const { source, a, b, c, socket } = await three();
      socket().send(refusal(error));
      socket().send(frame('task.sent', 'r-b'));
      await until(() => b.told.length === 2);
      const again = follow(source, 'r-b');
      b.close();
      await until(() => again.told.length === 1);
      socket().send(frame('task.started', 'r-b'));
      for (const id of ['r-a', 'r-c']) socket().send(frame('task.sent', id));
      await until(() => c.told.length === 2);
      assert.deepEqual(
        [a.told, b.told, c.told],
        [
          ['up', 'task.sent'],
          ['up', `down ${reason}`],
          ['up', 'task.sent'],
        ],
      );
      assert.deepEqual(again.told, ['up', 'task.started']);
    });
  }

  for (const error of [
    undefined,
    null,
    'canary',
    {},
    { code: 'constructor', requestId: 'r-b' },
    { code: 'unknown_token', connect: 'canary' },
    { code: 7 },
  ]) {
    it(`is not affected by a meaningless error: ${JSON.stringify(error)}`, async () => {
      const { a, b, c, socket } = await three();
      socket().send(refusal(error as never));
      for (const id of ['r-a', 'r-b', 'r-c']) socket().send(frame('task.sent', id));
      await until(() => [a, b, c].every(({ told }) => told.includes('task.sent')));
      for (const { told } of [a, b, c]) assert.deepEqual(told, ['up', 'task.sent']);
    });
  }

  it('accepts no more requests once the service says so, until one leaves', async () => {
    const { service, source, a, c, socket } = await three();
    socket().send(refusal({ code: 'too_many_requests', connect: fingerprint(tokenOf('r-c')) }));
    await until(() => c.told.includes('down refused_429'));
    const next = follow(source, 'r-c');
    await until(() => next.told.includes('up'));
    assert.equal(service.connections.length, 2);
    a.close();
    const then = follow(source, 'r-d');
    await until(() => then.told.includes('up') && service.connections[0]?.received.length === 4);
    assert.deepEqual(service.connections[0]?.received.at(-1), `CONNECT ${tokenOf('r-d')}`);
  });

  for (const [what, content] of [
    ['what is not JSON', '{"canary"'],
    ['an event of no request', frame('task.succeeded')],
    ['a binary frame', Buffer.from(frame('task.succeeded', 'r-a'))],
  ] as const)
    it(`reports ${what} to everyone, since it may concern them, but only once in 5 s`, async () => {
      const { a, b, c, socket } = await three();
      const time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      cleanups.push(() => time.restore());
      const malformed = (times: number) => Array.from({ length: times }, () => 'malformed');
      let rounds = 0;
      const send = async (reported: number) => {
        rounds += 1;
        for (let count = 0; count < 100; count += 1) socket().send(content);
        socket().send(frame('task.sent', 'r-c'));
        await until(() => c.told.filter((told) => told === 'task.sent').length === rounds);
        assert.deepEqual(
          [a.told, b.told],
          [
            ['up', ...malformed(reported)],
            ['up', ...malformed(reported)],
          ],
        );
      };
      await send(1);
      time.tick(4_999);
      assert.equal(b.told.length, 2);
      time.tick(1);
      assert.deepEqual(b.told, ['up', ...malformed(2)]);
      now += 5_000;
      await send(3);
      assert.equal(lines.filter((line) => line.includes('"level":"warn"')).length, 1);
    });

  it('reports nothing to a request that has left, and closes with the last', async () => {
    const { service, a, b, c, socket } = await three();
    a.close();
    socket().send(frame('task.sent', 'r-a'));
    socket().send(frame('task.sent', 'r-b'));
    await until(() => b.told.length === 2);
    assert.deepEqual(a.told, ['up']);
    const closed = once(socket(), 'close');
    b.close();
    c.close();
    assert.equal((await closed)[0], 1000);
    assert.deepEqual([b.told, c.told], [['up', 'task.sent'], ['up']]);
    assert.equal(service.connections.length, 1);
  });

  it('reports nothing to a request that leaves because of another’s event', async () => {
    const service = await serve();
    const source = sourceOf(service.url);
    const told: string[] = [];
    const others: { close(): void }[] = [];
    for (const id of ['r-a', 'r-b', 'r-c']) {
      const opened = source({
        wsToken: tokenOf(id),
        requestId: id,
        onUp: () => void told.push(`${id} up`),
        onEvent: () => {},
        onDown: (reason) => {
          told.push(`${id} ${reason}`);
          for (const other of others) other.close();
        },
      });
      others.push(opened);
    }
    await until(() => told.length === 3);
    service.connections[0]?.socket.terminate();
    await until(() => told.length === 4);
    assert.deepEqual(told, ['r-a up', 'r-b up', 'r-c up', 'r-a lost']);
  });

  it('keeps working if a listener throws', async () => {
    const service = await serve();
    const source = sourceOf(service.url);
    const request = { wsToken: tokenOf('r-a'), requestId: 'r-a', onUp: () => assert.fail('canary'), onEvent: () => {}, onDown: () => {} };
    const a = source(request);
    cleanups.push(() => a.close());
    const b = follow(source, 'r-b');
    await until(() => b.told.includes('up'));
    assert.match(lines.join(''), /an event could not be handled/);
  });

  it('is one of several for thousands of requests, and none is left out', async () => {
    const service = await serve();
    const source = sourceOf(service.url);
    const all = Array.from({ length: 2_500 }, (_, index) => follow(source, `r-${index}`));
    await until(() => all.every(({ told }) => told.includes('up')) && service.asked().length === 2_500);
    assert.deepEqual(
      service.connections.map(({ received }) => received.length),
      [1000, 1000, 500],
    );
    assert.equal(new Set(service.asked()).size, 2_500);
  });

  it('is not shared by two followers of the same request, nor by one without a request id', async () => {
    const service = await serve();
    const source = sourceOf(service.url);
    const twice = [follow(source, 'r-a'), follow(source, 'r-a')];
    const told: string[] = [];
    const nameless = source({ wsToken: tokenOf('none'), onUp: () => void told.push('up'), onEvent: () => {}, onDown: () => {} });
    cleanups.push(() => nameless.close());
    await until(() => twice.every(({ told }) => told.includes('up')) && told.length === 1);
    assert.deepEqual(service.connections.map(({ offered }) => offered).sort(), [multiplexProtocol, multiplexProtocol, undefined]);
  });

  describe('of the reference service', () => {
    let service: TestService;
    before(async () => {
      service = await startTestService();
    });
    after(() => service.close());

    const send = async (phoneNumber: string, customerRef: string) => {
      const body = { sessionRef: 'session-0001', phoneNumber, customerRef, productId: 'fibre-router' };
      const { json } = await service.call('POST', '/payments/send', { body });
      return json as { requestId: string; wsToken: string };
    };

    it('delivers every event of several requests, whatever happens to an unknown one', async () => {
      const source = sourceOf(service.running.wsUrl);
      const [one, two] = [await send('+12025550110', 'cust-0110-samira'), await send('+12025550111', 'cust-0111-tomas')];
      const stranger = follow(source, '01KAH5Z0V8Q2J9XW3N4M5P6R7S', 'a-token-that-nobody-gave-out');
      const [good, bad] = [follow(source, one.requestId, one.wsToken), follow(source, two.requestId, two.wsToken)];
      await until(() => good.told.includes('task.succeeded') && bad.told.includes('task.failed'));
      assert.deepEqual(stranger.told, ['up', 'down closed_4404']);
      // On a busy machine somebody may act on a message before it is noted that it was sent; nothing is noted then.
      for (const { told } of [good, bad])
        assert.deepEqual(told.filter((type) => type !== 'task.sent').slice(0, 2), ['up', 'task.bootstrapped']);
    });
  });
});
