import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { multiplexProtocol } from '../../../../src/contract/index.ts';
import { productionLimits } from '../../../../src/service/core/limits/limits.ts';
import { makeRandom } from '../../../../src/service/core/secrets/random.ts';
import { makeNewcomers } from '../../../../src/service/core/websocket/newcomers.ts';
import { openSockets } from '../../../../src/service/core/websocket/sockets.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { connectTo, openServiceSocket } from '../../../support/service-socket.ts';
import { acceptance } from '../../../support/stored-request.ts';
import { until } from '../../../support/until.ts';

const sockets = productionLimits.socket;
const unknown = (index: number) => `unknown-token-${String(index).padStart(8, '0')}`;

describe('unauthenticated websocket clients', () => {
  let service: TestService;
  afterEach(() => service.close());

  for (const protocols of [[], [multiplexProtocol]]) {
    const under = protocols[0] ?? 'no subprotocol';
    it(`are disconnected if no known token arrives in time, whatever else does (${under})`, async () => {
      service = await startTestService({ limits: { socket: { ...sockets, connectMs: 200 } } });
      const socket = await connectTo(service.running.wsUrl, unknown(1), protocols);
      assert.equal(await socket.closed(), protocols.length > 0 ? 4401 : 4404);
    });

    it(`have the same time limit as others, and those with a known token stay (${under})`, async () => {
      service = await startTestService({ limits: { socket: { ...sockets, connectMs: 200 } } });
      const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
      const known = await connectTo(service.running.wsUrl, json.wsToken, protocols);
      assert.equal(await openServiceSocket(service.running.wsUrl, protocols).closed(), 4401);
      assert.equal(known.socket.readyState, WebSocket.OPEN);
      known.socket.terminate();
    });
  }

  it('have two unknown tokens, and are disconnected at the third', async () => {
    service = await startTestService();
    const socket = await connectTo(service.running.wsUrl, unknown(1), [multiplexProtocol]);
    socket.send(`CONNECT ${unknown(2)}`);
    await until(() => socket.frames.length === 2);
    assert.equal(socket.socket.readyState, WebSocket.OPEN);
    socket.send(`CONNECT ${unknown(3)}`);
    assert.equal(await socket.closed(), 4404);
  });

  it('have a limit of sockets per network, also behind proxies, until a known token is sent or one closes', async () => {
    service = await startTestService({ proxies: 1, limits: { socket: { ...sockets, connectMs: 60_000, newcomers: 2 } } });
    const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
    /** Comes by a proxy; the entry before its own is anybody's to write. */
    const from = async (address: string): Promise<WebSocket | string> => {
      const socket = new WebSocket(service.running.wsUrl, { headers: { 'x-forwarded-for': `192.0.2.9, ${address}` } });
      return new Promise((resolve, reject) => {
        socket.on('open', () => resolve(socket));
        socket.on('unexpected-response', (_, { statusCode, headers }) => resolve(`${statusCode}, again in ${headers['retry-after']} s`));
        socket.on('error', reject);
      });
    };
    const held = async (address: string) => {
      const socket = await from(address);
      assert.ok(socket instanceof WebSocket, `${address}: ${socket}`);
      return socket;
    };
    const full = async (address: string) => assert.equal(await from(address), '429, again in 60 s', address);
    const [first, second] = [await held('203.0.113.7'), await held('203.0.113.7')];
    await full('203.0.113.7');
    const others = [
      await held('203.0.113.8'),
      await held('2001:db8:1:2::1'),
      await held('2001:db8:1:2:ffff::1'),
      await held('2001:db8:1:3::1'),
    ];
    await full('2001:db8:1:2::3');

    first.send(`CONNECT ${json.wsToken}`);
    await new Promise((resolve) => first.once('message', resolve));
    const third = await held('203.0.113.7');
    await full('203.0.113.7');
    second.terminate();
    const fourth = await until(async () => {
      const socket = await from('203.0.113.7');
      return socket instanceof WebSocket ? socket : undefined;
    }, 'a place is free');
    await full('203.0.113.7');
    for (const socket of [first, third, fourth, ...others]) socket.terminate();
  });

  it('that send a known token now and then are counted anew', async () => {
    service = await startTestService();
    const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
    const socket = await connectTo(service.running.wsUrl, unknown(1), [multiplexProtocol]);
    socket.send(`CONNECT ${unknown(2)}`);
    socket.send(`CONNECT ${json.wsToken}`);
    socket.send(`CONNECT ${unknown(3)}`);
    socket.send(`CONNECT ${unknown(4)}`);
    await until(() => socket.frames.filter(({ type }) => type === 'error').length === 4);
    assert.equal(socket.socket.readyState, WebSocket.OPEN);
    socket.send(`CONNECT ${unknown(5)}`);
    assert.equal(await socket.closed(), 4404);
  });
});

describe('sockets without a token', () => {
  it('are counted by network, and each is removed once', () => {
    const { enter, isFull } = makeNewcomers(2);
    const [first, second] = [enter('one'), enter('one')];
    assert.deepEqual([isFull('one'), isFull('other')], [true, false]);
    first();
    first();
    enter('one');
    assert.ok(isFull('one'));
    second();
    assert.ok(!isFull('one'));
  });
});

describe('a websocket handshake', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ publicUrl: 'https://verify.example.com', hosts: ['service.internal'] });
  });
  after(() => service.close());

  const cases: readonly (readonly [string, Record<string, string>, number])[] = [
    ['a program on this machine', {}, 101],
    ['a program that asks the public address', { host: 'verify.example.com' }, 101],
    ['a program that asks the public address in capitals, with its port', { host: 'VERIFY.example.com:443' }, 101],
    ['a program that asks by a name of the operator', { host: 'service.internal:4010' }, 101],
    ['a page of the service itself', { host: 'verify.example.com', origin: 'https://verify.example.com' }, 101],
    ['a page from elsewhere', { origin: 'https://evil.example' }, 403],
    ['a page of the same name over http', { host: 'verify.example.com', origin: 'http://verify.example.com' }, 403],
    ['a page without an origin of its own', { origin: 'null' }, 403],
    ['a page whose name was made to point here', { host: 'evil.example:4010', origin: 'http://evil.example:4010' }, 403],
    ['a program that asks another name', { host: 'evil.example' }, 421],
    ['a program whose name only begins like ours', { host: 'verify.example.com.evil.example' }, 421],
    ['a host that is none', { host: 'verify.example.com@evil.example' }, 421],
  ];
  for (const [who, headers, status] of cases) {
    it(`by ${who} is answered with ${status}`, async () => {
      const socket = new WebSocket(service.running.wsUrl, { headers });
      const answered = await new Promise<number | undefined>((resolve, reject) => {
        socket.on('open', () => resolve(101));
        socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
        socket.on('error', reject);
      });
      socket.on('error', () => {});
      socket.terminate();
      assert.equal(answered, status);
    });
  }
});

describe('a flood at the websocket', () => {
  let node: Server;
  let opened: ReturnType<typeof openSockets>;
  /** How often a token was looked up since it was last asked, and the most between two turns of the event loop. */
  let lookUps = 0;
  let inOneTurn = 0;
  const known = acceptance('01KAH5Z0V8Q2J9XW3N4M5P6R7S').request;

  const start = async (limits = sockets) => {
    lookUps = 0;
    inOneTurn = 0;
    node = createServer((req, res) => res.end(req.url));
    let thisTurn = 0;
    const turn = () => {
      thisTurn = 0;
      if (node.listening) setImmediate(turn);
    };
    const requests = {
      byWsToken: async () => {
        lookUps += 1;
        thisTurn += 1;
        inOneTurn = Math.max(inOneTurn, thisTurn);
        return tokens === 'known' ? known : undefined;
      },
      get: async () => known,
      events: async () => [],
    };
    const log = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };
    const listeners = { on: () => () => {} };
    const core = {
      server: { node },
      storage: { requests },
      listeners,
      limits: { socket: limits },
      clock: { now: () => 0 },
      random: makeRandom(),
      log,
      publicUrl: () => new URL('https://verify.example.com'),
    };
    opened = openSockets(core as unknown as Parameters<typeof openSockets>[0], {});
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    turn();
    return `127.0.0.1:${(node.address() as AddressInfo).port}`;
  };
  let tokens: 'known' | 'unknown';
  afterEach(async () => {
    await opened.close();
    node.closeAllConnections();
    await new Promise((resolve) => node.close(resolve));
  });

  it('from twenty unauthenticated clients costs three look-ups each, and all others are served', async () => {
    tokens = 'unknown';
    const host = await start();
    const flooding = Array.from({ length: 20 }, () => openServiceSocket(`ws://${host}/ws`, [multiplexProtocol]));
    await Promise.all(flooding.map((socket) => socket.opened()));
    for (const socket of flooding) for (let index = 0; index < 2000; index += 1) socket.send(`CONNECT ${unknown(index)}`);
    const health = await request(`http://${host}/healthz`);
    assert.equal(await health.body.text(), '/healthz');
    await Promise.all(flooding.map((socket) => socket.closed()));
    assert.equal(lookUps, 60);
  });

  it('from a client with a known token is handled one frame at a time, up to a limit per second', async () => {
    tokens = 'known';
    const host = await start({ ...sockets, framesASecond: 100 });
    const socket = openServiceSocket(`ws://${host}/ws`, [multiplexProtocol]);
    await socket.opened();
    const begun = performance.now();
    for (let index = 0; index < 1000; index += 1) socket.send(`CONNECT ${unknown(index)}`);
    await until(() => lookUps > 100, 'the next second');
    assert.ok(performance.now() - begun > 900, 'the limit holds for a second');
    const health = await request(`http://${host}/healthz`);
    assert.equal(await health.body.text(), '/healthz');
    assert.ok(lookUps < 1000, 'the rest waits for its second');
    assert.equal(inOneTurn, 1);
    socket.socket.terminate();
  });
});
