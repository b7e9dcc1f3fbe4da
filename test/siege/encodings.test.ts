// Every route, upgrade and websocket of a bot and a service as they run, with paths, heads, bodies and frames that
// nobody sends by mistake. Nothing of it may end a process, be an error of ours, or go without an answer.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import sinon from 'sinon';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import { root } from '../architecture/imports.ts';
import { allSources } from '../architecture/sources.ts';
import { seedOfRun } from '../faults/random.ts';
import { signInAtDesk } from '../support/desk.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { gatewayKey } from '../support/voice-gateway.ts';

const restify = createRequire(join(root, 'src/platform/http/http-server.ts'))('restify') as {
  createServer(...options: unknown[]): unknown;
};

interface Route {
  readonly port: () => number;
  readonly method: string;
  readonly path: string;
}

/** Paths of upgrades, by the file that takes them. */
const upgrades: Readonly<Record<string, readonly string[]>> = {
  'src/desk/sockets/sockets.ts': ['/desk/socket', '/desk/panel/chatwoot/socket'],
  'src/voice/call-sockets.ts': ['/voice/audiocodes/conversations/:id/websocket'],
  'src/directline/streams.ts': ['/v3/directline/conversations/:id/stream'],
};

const odd = fc.oneof(
  fc.constantFrom(
    '%',
    '%%',
    '%zz',
    '%c3%28',
    '%00',
    '%0',
    '..',
    '%2e%2e%2f',
    '%F0%9F%98%80',
    '__proto__',
    'constructor',
    '\u00ff',
    '*',
    ';',
    "'",
    '"',
  ),
  fc.string({ maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constant('a'.repeat(9000)),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
);

const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
const body = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom('', '{', '{"a":}', '\u0000', '[]', 'null', '7', '1e999', '"x"', '{"__proto__":{"a":1},"constructor":{"prototype":{}}}'),
  fc.integer({ min: 30, max: 20_000 }).map(deep),
  fc
    .record({
      type: fc.anything(),
      text: fc.anything(),
      id: fc.anything(),
      value: fc.anything(),
      phoneNumber: fc.constantFrom<unknown>(1e308, -1, [], {}, null, '+', 'x'.repeat(5000)),
    })
    .map((value) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? ''),
);
const bytes = fc.oneof(
  body.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
);

const heads = fc.array(
  fc.constantFrom(
    ...['content-type: application/json', 'content-type: application/x-www-form-urlencoded', 'content-type: x', 'content-encoding: gzip'],
    ...['authorization: Bearer', 'authorization: Bearer a.b.c', 'authorization: Basic Og==', 'cookie: =;;a=%', 'origin: null', 'origin: %'],
    ...[
      'x-forwarded-for: %',
      'x-request-id: \u00e9',
      'accept-language: ,;q=',
      'if-none-match: ,',
      'range: bytes=-',
      'referer: \u0001',
      'expect: 100-continue',
    ],
    ...[`authorization: Bearer ${gatewayKey}`, 'transfer-encoding: gzip', 'te: x', 'forwarded: for=%'],
  ),
  { maxLength: 4 },
);

const websocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

/** The status of what these bytes are answered with; `cut`: the connection was closed without one. */
const statusOf = (port: number, message: Buffer): Promise<number | 'cut' | 'unanswered'> =>
  new Promise((resolve) => {
    let read = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(message));
    const end = (how: number | 'cut' | 'unanswered') => {
      clearTimeout(late);
      socket.destroy();
      resolve(how);
    };
    const late = setTimeout(() => end('unanswered'), 10_000);
    socket.on('data', (chunk) => {
      read += chunk.toString('latin1');
      const [, status] = /^HTTP\/1\.1 (?!100)(\d{3})/m.exec(read) ?? [];
      if (status) end(Number(status));
    });
    socket.on('error', () => end('cut'));
    socket.on('close', () => end('cut'));
  });

describe('odd encodings', function () {
  this.timeout(300_000);
  const seed = seedOfRun();
  const sandbox = sinon.createSandbox();
  let world: World;
  let routes: Route[];
  const botPort = () => world.whole.bot().port;
  const servicePort = () => Number(new URL(world.whole.service.baseUrl).port);
  before(async () => {
    const made = sandbox.spy(restify, 'createServer');
    world = await openWorld('chatwoot', { VOICE_GATEWAY_KEY: gatewayKey, MCP_KEY: 'the-key-of-the-agents-in-these-tests' });
    routes = made.returnValues.flatMap((server) => {
      const { router, server: node } = server as {
        router: { getRoutes(): Record<string, { method: string; path: string }> };
        server: { address(): { port: number } };
      };
      return Object.values(router.getRoutes()).map(({ method, path }) => ({ method, path: String(path), port: () => node.address().port }));
    });
  });
  after(async () => {
    sandbox.restore();
    await world.close();
  });

  /** After a batch: both are alive, and neither has complained. */
  const well = async () => {
    for (const port of [botPort(), servicePort()]) assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
    const complaints = world.whole.lines.filter((line) => /"level":"(?:error|fatal)"|unhandled/i.test(line));
    assert.deepEqual(complaints.slice(0, 3), []);
  };
  const hit = async (port: number, method: string, path: string, more: string, content: Buffer) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}`;
    const length = /transfer-encoding/.test(more) ? '' : `Content-Length: ${content.length}\r\n`;
    const status = await statusOf(port, Buffer.concat([Buffer.from(`${head}${length}\r\n`, 'latin1'), content]));
    assert.ok(status === 'cut' || (typeof status === 'number' && status < 500), `${method} ${path.slice(0, 80)}: ${status}`);
  };
  const fill = (path: string, parts: readonly string[]) => {
    let index = 0;
    return path.replace(/:\w+/g, () => parts[index++ % parts.length] ?? '');
  };
  const check = <Attack>(attack: fc.Arbitrary<Attack>, strike: (attack: Attack) => Promise<void>, numRuns: number) =>
    fc.assert(fc.asyncProperty(attack, strike), { seed, numRuns, endOnFailure: true });

  it('are tried on every route of both', async () => {
    assert.ok(routes.length > 100, `${routes.length} routes`);
    const methods = fc.constantFrom(
      undefined,
      undefined,
      undefined,
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'OPTIONS',
      'HEAD',
      'get',
      'FOO',
    );
    const attack = fc.record({ parts: fc.array(odd, { minLength: 1, maxLength: 3 }), query: odd, method: methods, heads, content: bytes });
    for (const route of routes) {
      await check(
        attack,
        async ({ parts, query, method, heads: more, content }) => {
          const path = `${fill(route.path, parts)}?${query}=${query}`;
          await hit(route.port(), method ?? route.method, path, more.map((one) => `${one}\r\n`).join(''), content);
        },
        12,
      );
    }
    await well();
  });

  it('are tried on every upgrade', async () => {
    const taking = allSources('ts').filter(({ file, text }) => file !== 'src/platform/http/upgrades.ts' && text.includes('routeUpgrades('));
    assert.deepEqual(taking.map(({ file }) => file).sort(), Object.keys(upgrades).sort());
    const paths = [...Object.values(upgrades).flat(), '/ws', '/elsewhere'];
    const attack = fc.record({ path: fc.constantFrom(...paths), part: odd, query: odd, heads, content: bytes });
    await check(
      attack,
      async ({ path, part, query, heads: more, content }) => {
        const given = `${fill(path, [part])}?t=${query}&watermark=${query}`;
        for (const port of [botPort(), servicePort()])
          await hit(port, 'GET', given, websocket + more.map((one) => `${one}\r\n`).join(''), content);
      },
      250,
    );
    await well();
  });

  it('are tried as frames of every websocket', async () => {
    const base = `http://localhost:${botPort()}`;
    const cookie = await signInAtDesk(world.whole.bot().links.desk ?? '', { id: 'mara@example.com', name: 'Mara' });
    const { token } = await world.whole.bot().directLine.issueToken({});
    const begun = await fetch(`${base}/v3/directline/conversations`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    const { streamUrl } = (await begun.json()) as { streamUrl: string };
    const sockets: Readonly<Record<string, () => WebSocket>> = {
      desk: () => new WebSocket(`${base.replace('http', 'ws')}/desk/socket`, { headers: { cookie, origin: base } }),
      stream: () => new WebSocket(streamUrl),
      voice: () =>
        new WebSocket(`${base.replace('http', 'ws')}/voice/audiocodes/conversations/c1/websocket`, {
          headers: { authorization: `Bearer ${gatewayKey}` },
        }),
      service: () => new WebSocket(`ws://127.0.0.1:${servicePort()}/ws`),
    };
    const frame = fc.oneof(
      bytes,
      body,
      fc.constantFrom(
        'CONNECT',
        'CONNECT x',
        `CONNECT ${'a'.repeat(43)}`,
        '{"type":"watch"}',
        '{"type":"watch","id":"__proto__","after":1e308}',
      ),
      fc.constantFrom('{"type":"find","ref":"1"}', '{"type":"act","id":{},"act":[]}', '{"type":"away","away":"yes"}'),
    );
    for (const open of Object.values(sockets))
      await check(
        fc.array(frame, { minLength: 1, maxLength: 20 }),
        async (frames) => {
          const socket = open();
          await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
          socket.on('error', () => {});
          for (const one of frames) socket.send(one);
          const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
          socket.close();
          await closed;
        },
        25,
      );
    await well();
  });
});
