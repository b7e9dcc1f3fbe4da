import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fetch } from 'undici';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { HttpProblem } from '../../../src/platform/http/http-problem.ts';
import { type HttpServer, makeHttpServer } from '../../../src/platform/http/http-server.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { html } from '../../../src/platform/text/html.ts';

describe('the HTTP server', () => {
  const lines: string[] = [];
  let server: HttpServer;
  let base: string;

  before(async () => {
    server = makeHttpServer({ name: 'test', log: makeLog('info', { write: (line) => void lines.push(line) }) });
    server.route('POST', '/echo/:name', ({ params, body }) => ({ status: 200, body: { name: params.name, body } }));
    server.route('GET', '/page', () => ({ status: 200, body: html`<p title="${'"'}">${['<b>', html`<i>ok</i>`]}</p>` }));
    server.route('GET', '/refused', () => {
      throw new HttpProblem(409, 'conflict', 'No.');
    });
    server.route('GET', '/waiting', () => {
      throw new DatabaseUnavailable({ code: '53300' });
    });
    server.route('GET', '/broken', () => {
      throw new Error('secret +12025550101');
    });
    base = `http://127.0.0.1:${await server.listen(0, '127.0.0.1', 'PORT')}`;
  });
  after(() => server.close(0));

  const post = (body: string | Uint8Array | ReadableStream, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(`${base}/echo/a%20b`, { method: 'POST', body, headers, duplex: 'half' });

  it('hands over path parameters and a JSON body', async () => {
    const response = await post('{"a":[1]}');
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { name: 'a b', body: { a: [1] } });
    assert.match(response.headers.get('x-request-id') ?? '', /^[0-9A-Z]{26}$/);
  });

  it('asks clients to retry if the database is unreachable, and logs why', async () => {
    const response = await fetch(`${base}/waiting`);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.equal(((await response.json()) as { code: string }).code, 'unavailable');
    assert.match(lines.join(''), /"error":"DatabaseUnavailable","errorCode":"53300"/);
  });

  it('reads a form post as an object of strings', async () => {
    const response = await post('a=1&b=x+y', { 'content-type': 'application/x-www-form-urlencoded' });
    assert.deepEqual(((await response.json()) as { body: unknown }).body, { a: '1', b: 'x y' });
  });

  /** So many pieces of a kilobyte. */
  const inPieces = (count: number) => {
    const piece = new Uint8Array(1024).fill(0x20);
    return new ReadableStream({ pull: (stream) => (count-- > 0 ? stream.enqueue(piece) : stream.close()) });
  };
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const refusals: [string, number, string, () => ReturnType<typeof fetch>][] = [
    ['broken JSON', 400, 'malformed_json', () => post('{')],
    ['bytes that are not UTF-8', 400, 'malformed_json', () => post(new Uint8Array([0x22, 0xff, 0x22]))],
    ['33 levels of nesting', 400, 'too_deep', () => post(nested(34))],
    ['thirty thousand levels of nesting', 400, 'too_deep', () => post(nested(30_000))],
    ['a body over the limit', 413, 'too_large', () => post(`"${'x'.repeat(65 * 1024)}"`)],
    ['a body over the limit whose length is not announced', 413, 'too_large', () => post(inPieces(65))],
    [
      'a content encoding',
      415,
      'unsupported_encoding',
      () => post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    ],
    ['another type', 415, 'unsupported_media_type', () => post('<a/>', { 'content-type': 'text/xml' })],
    ['an unknown address', 404, 'not_found', () => fetch(`${base}/nowhere`)],
    ['an address that cannot be decoded', 404, 'not_found', () => fetch(`${base}/echo/%zz`, { method: 'POST' })],
    ['a wrong method', 405, 'method_not_allowed', () => fetch(`${base}/page`, { method: 'DELETE' })],
    ["a handler's refusal", 409, 'conflict', () => fetch(`${base}/refused`)],
  ];
  for (const [what, status, code, request] of refusals) {
    it(`answers ${what} with ${status} ${code} as problem+json`, async () => {
      const response = await request();
      assert.equal(response.status, status);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      const problem = (await response.json()) as Record<string, unknown>;
      assert.equal(problem.code, code);
      assert.equal(problem.status, status);
      assert.equal(typeof problem.detail, 'string');
    });
  }

  it('answers HEAD wherever it answers GET: the same headers, no body', async () => {
    const [full, head] = [await fetch(`${base}/page`), await fetch(`${base}/page`, { method: 'HEAD' })];
    assert.equal(head.status, 200);
    for (const name of ['content-type', 'content-length']) assert.equal(head.headers.get(name), full.headers.get(name));
    assert.ok(Number(full.headers.get('content-length')) > 0);
    assert.equal(await head.text(), '');
  });

  const methods: [string, string, number, string][] = [
    ['OPTIONS', '/page', 204, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', '/echo/a', 204, 'POST, OPTIONS'],
    ['DELETE', '/page', 405, 'GET, HEAD, OPTIONS'],
    ['HEAD', '/echo/a', 405, 'POST, OPTIONS'],
    ['PATCH', '/echo/a', 405, 'POST, OPTIONS'],
  ];
  for (const [method, path, status, allowed] of methods) {
    it(`answers ${method} ${path} with ${status}, and says what is allowed`, async () => {
      const response = await fetch(base + path, { method });
      assert.equal(response.status, status);
      assert.equal(response.headers.get('allow'), allowed);
    });
  }
  it('allows no methods at an unknown address', async () => {
    assert.equal((await fetch(`${base}/nowhere`, { method: 'OPTIONS' })).status, 404);
  });

  const unreadable: [string, string][] = [
    ['a Host header that is no host', 'GET /page HTTP/1.1\r\nHost: not a host\r\n\r\n'],
    ['a Host header with half an address', 'GET /page HTTP/1.1\r\nHost: [::1\r\n\r\n'],
    ['an address with half a host', 'GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a port that is none', 'GET /page HTTP/1.1\r\nHost: localhost:99999\r\n\r\n'],
    ['two Host headers', 'GET /page HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n'],
  ];
  for (const [what, bytes] of unreadable) {
    it(`answers ${what} with 400, and keeps running`, async () => {
      const peer = connect(Number(new URL(base).port), '127.0.0.1');
      peer.write(bytes);
      const [answer] = await once(peer, 'data', { signal: AbortSignal.timeout(5000) });
      peer.destroy();
      assert.match(String(answer), /^HTTP\/1\.1 400 /);
      assert.equal((await fetch(`${base}/page`)).status, 200);
    });
  }

  for (const [how, leave] of [
    ['hangs up', (peer: Socket) => peer.destroy()],
    ['says no more', (peer: Socket) => peer.end()],
  ] as const) {
    it(`does not log a fault if a client ${how} in the middle of a body`, async () => {
      const before = lines.length;
      const peer = connect(Number(new URL(base).port), '127.0.0.1');
      const reached = once(server.node, 'request');
      peer.write('POST /echo/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"');
      const [request] = await reached;
      const gone = new Promise((resolve) => request.once('close', resolve));
      leave(peer);
      await gone;
      assert.equal((await fetch(`${base}/page`)).status, 200);
      assert.deepEqual(lines.slice(before), []);
      peer.destroy();
    });
  }

  describe('with slow clients', () => {
    const times = { head: 300, request: 900, answer: 300 };
    let hasty: HttpServer;
    let port: number;
    before(async () => {
      hasty = makeHttpServer({ name: 'test', log: makeLog('silent'), times });
      hasty.route('POST', '/echo', ({ body }) => ({ status: 200, body: { body } }));
      hasty.route('GET', '/big', () => ({ status: 200, body: Buffer.alloc(32 * 1024 * 1024) }));
      port = await hasty.listen(0, '127.0.0.1', 'PORT');
    });
    after(() => hasty.close(0));

    /** How long (ms) the server bears with a client that sends one more byte now and then, for ever. */
    const borne = async (bytes: string, drop: string) => {
      const peer = connect(port, '127.0.0.1');
      const began = performance.now();
      peer.on('error', () => {});
      peer.resume();
      peer.write(bytes);
      const drip = setInterval(() => peer.write(drop), 50);
      // It may be cut off with a reset, which is no fault here.
      await new Promise((resolve) => peer.once('close', resolve));
      clearInterval(drip);
      return performance.now() - began;
    };
    it('disconnects clients that do not finish the head in time', async () => {
      const time = await borne('GET /big HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'x');
      assert.ok(time >= times.head && time < 5_000, `${time} ms`);
    });
    it('disconnects clients that do not finish the body in time', async () => {
      const head = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n';
      const time = await borne(head, ' ');
      assert.ok(time >= times.request && time < 5_000, `${time} ms`);
    });
    it('disconnects clients that do not read the answer in time', async () => {
      const peer = connect(port, '127.0.0.1');
      peer.on('error', () => {});
      peer.pause();
      const [socket] = await Promise.all([once(hasty.node, 'connection'), once(peer, 'connect')]);
      peer.write('GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket[0] as Socket, 'close', { signal: AbortSignal.timeout(5_000) });
      peer.destroy();
    });
    it('waits ten seconds for the head and thirty for the rest by default', () => {
      assert.deepEqual([server.node.headersTimeout, server.node.requestTimeout], [10_000, 30_000]);
      assert.equal((server.node as unknown as { connectionsCheckingInterval: number }).connectionsCheckingInterval, 1000);
    });
  });

  it('sends HSTS if it is reached by https, and only then', async () => {
    const strict = async (secure: boolean) => {
      const one = makeHttpServer({ name: 'test', log: makeLog('silent'), secure });
      one.route('GET', '/', () => ({ status: 200 }));
      const address = `http://127.0.0.1:${await one.listen(0, '127.0.0.1', 'PORT')}`;
      const told = [await fetch(address), await fetch(`${address}/nowhere`)].map(({ headers }) => headers.get('strict-transport-security'));
      await one.close(0);
      return told;
    };
    assert.deepEqual(await strict(true), ['max-age=31536000', 'max-age=31536000']);
    assert.deepEqual(await strict(false), [null, null]);
  });

  it('reveals nothing of a fault to the caller, and no message to the log', async () => {
    const response = await fetch(`${base}/broken`);
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /secret|2025550101/);
    assert.match(lines.join(''), /"error":"Error"/);
    assert.doesNotMatch(lines.join(''), /secret|2025550101/);
  });

  it('escapes what a page is given and keeps markup made here', async () => {
    const response = await fetch(`${base}/page`);
    assert.equal(await response.text(), '<!doctype html><p title="&quot;">&lt;b&gt;<i>ok</i></p>');
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  });

  it('refuses a taken port in words', async () => {
    const second = makeHttpServer({ name: 'second', log: makeLog('silent') });
    await assert.rejects(second.listen(Number(new URL(base).port), '127.0.0.1', 'PORT'), (fault) => {
      assert.ok(fault instanceof SettingsError);
      assert.match(fault.message, /^PORT: port \d+ is taken/);
      return true;
    });
  });

  it('closes although a connection waits for an upgrade', async () => {
    const closing = makeHttpServer({ name: 'test', log: makeLog('silent') });
    const socket = connect(await closing.listen(0, '127.0.0.1', 'PORT'), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(closing.node, 'upgrade');
    await closing.close(0);
    socket.destroy();
  });
});
