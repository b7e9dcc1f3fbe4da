import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import sinon from 'sinon';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { EventFrame, EventType } from '../../../src/contract/index.ts';
import type { SocketLimits } from '../../../src/interactions/socket/service-connection.ts';
import { makeEventSource } from '../../../src/interactions/socket/socket.ts';
import { fingerprint, makeLog } from '../../../src/platform/log.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { monotonicClock } from '../../../src/platform/time/clock.ts';
import { until } from '../../support/until.ts';

const wsToken = 'token-canary-0001';

describe('the socket of an interaction', () => {
  const cleanups: (() => unknown)[] = [];
  let lines: string[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    assert.doesNotMatch(lines.join(''), /canary|2025550101/);
    lines = [];
  });

  /** What a socket told, in order: `up`, the events' types, and `down` with its reason. */
  const open = (url: string, limits: Partial<SocketLimits> = {}, onTold: (what: string) => void = () => {}, clock = monotonicClock) => {
    const told: string[] = [];
    const frames: EventFrame[] = [];
    const note = (what: string) => {
      told.push(what);
      onTold(what);
    };
    const log = makeLog('debug', { write: (line) => void lines.push(line) });
    const source = makeEventSource(url, false, log, limits, clock);
    const opened = source({
      wsToken,
      requestId: 'r-1',
      onUp: () => note('up'),
      onEvent: (type: EventType, frame) => {
        frames.push(frame);
        note(type);
      },
      onMalformed: () => note('malformed'),
      onDown: (reason) => note(`down ${reason}`),
    });
    const close = () => opened.close();
    cleanups.push(close);
    return { told, frames, close };
  };

  const about = { component: 'socket', token: fingerprint(wsToken) };
  /** Which socket the lines of a level are about. */
  const logged = (wanted: string) =>
    lines.map((line) => JSON.parse(line)).flatMap(({ component, level, token }) => (level === wanted ? [{ component, token }] : []));

  /** A websocket server, with what each connection began with. */
  const serve = async (onToken: (socket: WebSocket) => void = () => {}, options: ServerOptions = {}) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
    const received: string[] = [];
    const requests: { url: string | undefined; protocol: string | undefined; extensions: string | undefined }[] = [];
    server.on('connection', (socket, { url, headers }) => {
      requests.push({ url, protocol: headers['sec-websocket-protocol'], extensions: headers['sec-websocket-extensions'] });
      socket.on('error', () => {});
      socket.on('message', (data) => {
        received.push(String(data));
        onToken(socket);
      });
    });
    await once(server, 'listening');
    cleanups.push(() => {
      for (const client of server.clients) client.terminate();
      return new Promise((closed) => server.close(closed));
    });
    return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`, received, requests, server };
  };

  /** A plain TCP server, with the connections that are open. */
  const listen = async (server: Server) => {
    const connections = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      connections.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => connections.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      for (const socket of connections) socket.destroy();
      return new Promise((closed) => server.close(closed));
    });
    return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`, open: connections };
  };

  /** Accepts the websocket (RFC 6455, section 4.2.2), then reads on and says nothing, ever. */
  const shakeHandsAndFallSilent = (socket: Socket) => {
    socket.once('data', (request) => {
      const key = /sec-websocket-key: (\S+)/i.exec(String(request))?.[1];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(`HTTP/1.1 101 Now\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      socket.resume();
    });
  };

  const frame = (type: string, more: object = {}) => JSON.stringify({ id: 'e-1', type, timestamp: '2026-11-20T08:26:17.000Z', ...more });
  const isDown = ({ told }: { told: string[] }) => told.some((what) => what.startsWith('down'));

  it('sends its token in the first frame, and reports every known event in order', async () => {
    const types = [
      'task.sent',
      'task.bootstrapped',
      'task.started',
      'webauthn.timeout_or_cancelled',
      'biometrics.consent',
      'task.succeeded',
    ];
    const payload = { id: 'p-1', app: 'payments', request: { id: 'r-1' }, delivery: { method: 'sms', phoneNumber: '+12025550101' } };
    const { url, received, requests } = await serve((socket) => {
      for (const type of types) socket.send(frame(type, { payload }));
      socket.close(1000);
    });
    const opened = open(url);
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['up', ...types, 'down closed_1000']);
    assert.deepEqual(opened.frames[0], { id: 'e-1', type: 'task.sent', timestamp: '2026-11-20T08:26:17.000Z', payload });
    assert.deepEqual(received, [`CONNECT ${wsToken}`]);
    assert.deepEqual(requests, [{ url: '/ws', protocol: undefined, extensions: undefined }]);
  });

  it('is up before it reports an event, even one that comes with the handshake', async () => {
    const { url, server } = await serve();
    server.on('connection', (socket) => socket.send(frame('task.sent')));
    const opened = open(url);
    await until(() => opened.told.length === 2);
    assert.deepEqual(opened.told, ['up', 'task.sent']);
  });

  it('begins two hundred handshakes at a time, and another for each that is over', async () => {
    const begun: ((isAccepted: boolean) => void)[] = [];
    const { url } = await serve(() => {}, { verifyClient: (_, answer) => void begun.push(answer) });
    const source = makeEventSource(url, false, makeLog('silent'));
    const all = Array.from({ length: 204 }, () => source({ wsToken, onUp: () => {}, onEvent: () => {}, onDown: () => {} }));
    cleanups.push(() => {
      for (const one of all) one.close();
      for (const answer of begun) answer(false);
    });
    await until(() => begun.length >= 200);
    // One of another source, before which any others would have come.
    open(url);
    await until(() => begun.length >= 201);
    assert.equal(begun.length, 201);
    for (const end of [() => all[0]?.close(), () => begun.at(-1)?.(true), () => begun.at(-1)?.(false)]) {
      const { length } = begun;
      end();
      await until(() => begun.length === length + 1, 'the next handshake');
    }
  });

  it('treats task_bootstrapped as task.bootstrapped', async () => {
    const { url } = await serve((socket) => socket.send(frame('task_bootstrapped')));
    const opened = open(url);
    await until(() => opened.told.length === 2);
    assert.deepEqual(opened.told, ['up', 'task.bootstrapped']);
  });

  for (const [what, content] of [
    ['an unknown type', frame('task.canary')],
    ['an error frame', frame('error', { error: { canary: true } })],
  ] as const) {
    it(`ignores ${what} without a word`, async () => {
      const { url } = await serve((socket) => {
        for (let time = 0; time < 3; time++) socket.send(content);
        socket.send(frame('task.sent'));
      });
      const opened = open(url);
      await until(() => opened.told.includes('task.sent'));
      assert.deepEqual(opened.told, ['up', 'task.sent']);
      assert.ok(!lines.some((line) => line.includes('"level":"warn"')));
    });
  }

  const rubbish: [string, string | Buffer][] = [
    ['something that is not JSON', '{"canary"'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[1]'],
    ['a frame without a type', '{"id":"canary"}'],
    ['a type that is a number', JSON.stringify({ id: 'e-1', type: 1, timestamp: 'x' })],
    ['a payload of the wrong shape', frame('task.succeeded', { payload: 'canary' })],
    ['a request that is a list', frame('task.succeeded', { payload: { request: [] } })],
    ['33 levels of nesting', frame('task.succeeded', { error: JSON.parse(`${'['.repeat(33)}${']'.repeat(33)}`) })],
    ['a binary frame', Buffer.from(frame('task.succeeded'))],
  ];
  for (const [what, content] of rubbish) {
    it(`reports ${what}, logs it once, and continues`, async () => {
      const { url } = await serve((socket) => {
        for (let time = 0; time < 3; time++) socket.send(content);
        socket.send(frame('task.sent'));
      });
      const opened = open(url);
      await until(() => opened.told.includes('task.sent'));
      assert.deepEqual(opened.told, ['up', 'malformed', 'malformed', 'malformed', 'task.sent']);
      assert.deepEqual(logged('warn'), [about]);
    });
  }

  it('reports how many frames were ignored when it goes down', async () => {
    const { url } = await serve((socket) => {
      for (let time = 0; time < 3; time++) socket.send('?');
      socket.close(1000);
    });
    const opened = open(url);
    await until(() => isDown(opened));
    assert.match(lines.join(''), /"reason":"closed_1000","count":3/);
  });

  it('goes down on a frame over the limit, and takes one at the limit', async () => {
    const padded = (size: number) => frame('task.sent', { error: 'x'.repeat(size - frame('task.sent', { error: '' }).length) });
    const { url } = await serve((socket) => {
      socket.send(padded(64 * 1024));
      socket.send(padded(64 * 1024 + 1));
    });
    const opened = open(url);
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['up', 'task.sent', 'down oversized_frame']);
  });

  it('goes down on bytes that are no websocket frame', async () => {
    const { url, server } = await serve(() => {
      for (const client of server.clients) (client as unknown as { _socket: Socket })._socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    });
    const opened = open(url);
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['up', 'down invalid_frame']);
  });

  for (const code of [1000, 1001, 1008, 1011, 4400, 4401, 4404]) {
    it(`says so when the service closes with ${code}`, async () => {
      const { url } = await serve((socket) => socket.close(code, 'canary'));
      const opened = open(url);
      await until(() => isDown(opened));
      assert.deepEqual(opened.told, ['up', `down closed_${code}`]);
    });
  }

  it('says so when the service closes without a code', async () => {
    const { url } = await serve((socket) => socket.close());
    const opened = open(url);
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['up', 'down closed_1005']);
  });

  it('is lost when the connection breaks', async () => {
    const { url } = await serve((socket) => socket.terminate());
    const opened = open(url);
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['up', 'down lost']);
  });

  it('is unreachable when nobody listens', async () => {
    const server = createServer();
    const { url } = await listen(server);
    await new Promise((closed) => server.close(closed));
    const opened = open(url);
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['down unreachable']);
  });

  const answers: [string, string, string][] = [
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/canary\r\nContent-Length: 0\r\n\r\n', 'refused_302'],
    ['401', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 6\r\n\r\ncanary', 'refused_401'],
    ['a page', 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ncanary', 'refused_200'],
    ['503 without an end', 'HTTP/1.1 503 Busy\r\nContent-Length: 600\r\n\r\ncanary', 'refused_503'],
    [
      '101 without the right key',
      'HTTP/1.1 101 Now\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n',
      'unreachable',
    ],
  ];
  for (const [what, answer, reason] of answers) {
    it(`fails to connect after an answer of ${what}, and follows no redirect`, async () => {
      const { url } = await listen(createServer((socket) => void socket.once('data', () => socket.write(answer))));
      const opened = open(url);
      await until(() => isDown(opened));
      assert.deepEqual(opened.told, [`down ${reason}`]);
    });
  }

  it('is unreachable when the other side speaks no HTTP', async () => {
    const { url } = await listen(createServer((socket) => socket.end('SSH-2.0-canary\r\n')));
    const opened = open(url);
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['down unreachable']);
  });

  for (const [what, connected] of [
    ['says nothing', () => {}],
    [
      'says it byte by byte',
      (socket: Socket) => {
        const trickle = setInterval(() => socket.write('H'), 5);
        socket.on('close', () => clearInterval(trickle));
        socket.write('HTTP/1.1 101 S');
      },
    ],
  ] as [string, (socket: Socket) => void][]) {
    it(`gives up a handshake if the other side ${what}`, async () => {
      const { url } = await listen(createServer(connected));
      const opened = open(url, { handshake: 60 });
      await until(() => isDown(opened));
      assert.deepEqual(opened.told, ['down handshake_timeout']);
    });
  }

  describe('over time', () => {
    /** Only the timers of the code under test are made fast; the network keeps its own. */
    const fakeTime = () => {
      const time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      cleanups.push(() => time.restore());
      return time;
    };

    it('counts as dead 45 seconds after the last sign of life, and closes the connection', async () => {
      const { url, open: connections } = await listen(createServer(shakeHandsAndFallSilent));
      const time = fakeTime();
      const opened = open(url);
      await until(() => opened.told.length === 1);
      time.tick(44_999);
      assert.deepEqual(opened.told, ['up']);
      time.tick(1);
      assert.deepEqual(opened.told, ['up', 'down silent']);
      await until(() => connections.size === 0);
    });

    it('pings every 20 seconds, and stays up as long as answers come', async () => {
      const { url, received, server } = await serve();
      let pings = 0;
      server.on('connection', (socket) => socket.on('ping', () => pings++));
      const time = fakeTime();
      let heard = 0;
      const clock = {
        now: () => {
          heard += 1;
          return time.performance.now();
        },
      };
      const opened = open(url, {}, () => {}, clock);
      await until(() => received.length === 1 && opened.told.length === 1);
      for (let round = 1; round <= 6; round++) {
        time.tick(19_999);
        assert.equal(pings, round - 1);
        time.tick(1);
        const asked = heard;
        await until(() => pings === round && heard > asked, 'the answer to have come');
      }
      assert.deepEqual(opened.told, ['up']);
    });

    it('counts pings from the other side as signs of life', async () => {
      const { url, received, server } = await serve(() => {}, { autoPong: false });
      const time = fakeTime();
      const opened = open(url);
      await until(() => received.length === 1 && opened.told.length === 1);
      time.tick(44_000);
      const [client] = server.clients;
      assert.ok(client);
      client.ping();
      await once(client, 'pong');
      time.tick(44_000);
      assert.ok(!isDown(opened));
      time.tick(1_000);
      assert.ok(isDown(opened));
    });
  });

  describe('closed by this side', () => {
    it('reports nothing more, and closes with 1000', async () => {
      let left: number | undefined;
      const { url } = await serve((socket) => {
        socket.on('close', (code) => {
          left = code;
        });
      });
      const opened = open(url);
      await until(() => opened.told.length === 1);
      opened.close();
      opened.close();
      await until(() => left !== undefined);
      assert.equal(left, 1000);
      assert.deepEqual(opened.told, ['up']);
    });

    it('reports nothing if it never came up', async () => {
      const { url, open: connections } = await listen(createServer((socket) => void socket.resume()));
      const opened = open(url);
      await until(() => connections.size === 1);
      opened.close();
      await until(() => connections.size === 0);
      assert.deepEqual(opened.told, []);
    });

    it('reports nothing if it closes at the same moment', async () => {
      const { url, requests } = await serve();
      const opened = open(url);
      opened.close();
      const other = open(url);
      await until(() => other.told.length === 1);
      assert.deepEqual(opened.told, []);
      assert.equal(requests.length, 1);
    });

    for (const [when, sent] of [
      ['up', frame('task.sent')],
      ['up', '?'],
      ['task.sent', frame('task.sent')],
      ['malformed', '?'],
    ] as const) {
      it(`while it reports "${when}", reports nothing after that (${sent})`, async () => {
        const { url, server } = await serve();
        server.on('connection', (socket) => {
          for (let time = 0; time < 3; time++) socket.send(sent);
        });
        const opened = open(url, {}, (what) => {
          if (what === when) opened.close();
        });
        await until(() => isDown(opened) || (opened.told.includes(when) && server.clients.size === 0));
        assert.deepEqual(opened.told, [...new Set(['up', when])]);
      });
    }

    it('does not wait for a service that never answers its closing frame', async () => {
      const { url, open: connections } = await listen(createServer(shakeHandsAndFallSilent));
      const opened = open(url, { close: 30 });
      await until(() => opened.told.length === 1);
      opened.close();
      await until(() => connections.size === 0);
      assert.deepEqual(opened.told, ['up']);
    });
  });

  it('survives faults of its listener, and logs where it failed', async () => {
    const { url } = await serve((socket) => {
      socket.send(frame('task.sent'));
      socket.close(1000);
    });
    const opened = open(url, {}, () => {
      throw new Error('canary');
    });
    await until(() => isDown(opened));
    assert.deepEqual(opened.told, ['up', 'task.sent', 'down closed_1000']);
    assert.deepEqual(logged('error'), [about, about, about]);
  });

  for (const url of [
    '',
    'service.example/ws',
    'http://service.example/ws',
    'ws://jane:canary@service.example',
    'wss://service.example/#canary',
  ]) {
    it(`cannot be made for the address "${url}"`, () => {
      assert.throws(
        () => makeEventSource(url, false, makeLog('silent')),
        (fault) => fault instanceof SettingsError && /^SERVICE_WS_URL: /.test(fault.message) && !fault.message.includes('canary'),
      );
    });
  }
});
