import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { type HttpServer, makeHttpServer } from '../../../src/platform/http/http-server.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { admitLoopbackOnly, isFromThisMachine, isLoopbackHost } from '../../../src/platform/outgoing/loopback.ts';

describe('a server for this machine only', () => {
  for (const host of ['localhost', 'localhost:3978', 'LOCALHOST:3978', '127.0.0.1:1', '[::1]:3978', '[::1]']) {
    it(`answers to ${host}`, () => assert.equal(isLoopbackHost(host), true));
  }
  for (const host of [
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.example:3978',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    'localhost:',
    '::1',
    'a@localhost',
    'localhost, x',
  ]) {
    it(`does not answer to ${host}`, () => assert.equal(isLoopbackHost(host), false));
  }

  describe('and its private pages', () => {
    const asked = (remoteAddress: string, headers: Record<string, string> = {}, httpVersion = '1.1') =>
      isFromThisMachine({
        remoteAddress,
        headers: { host: 'localhost:4010', 'user-agent': 'x', 'x-request-id': '1', ...headers },
        httpVersion,
      });

    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      it(`treat ${address} as this machine`, () => assert.equal(asked(address), true));
    }
    for (const address of ['', '10.0.0.1', '203.0.113.7', '::ffff:10.0.0.1', 'fe80::1', 'localhost']) {
      it(`do not treat “${address}” as this machine`, () => assert.equal(asked(address), false));
    }
    it('do not answer HTTP/1.0, as used by proxies that add no headers', () => assert.equal(asked('127.0.0.1', {}, '1.0'), false));
    for (const host of ['verify.example.com', '127.0.0.1.evil.example', '']) {
      it(`do not answer to “${host}”`, () => assert.equal(asked('127.0.0.1', { host }), false));
    }
    for (const header of [
      ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded', 'x-real-ip'],
      ...['cf-connecting-ip', 'cf-ray', 'true-client-ip', 'x-client-ip', 'x-cluster-client-ip', 'client-ip', 'x-original-forwarded-for'],
      ...['x-original-host', 'x-envoy-external-address', 'x-azure-clientip', 'x-arr-log-id', 'x-amzn-trace-id', 'x-appengine-user-ip'],
      ...['fly-client-ip', 'fastly-client-ip', 'cdn-loop', 'wl-proxy-client-ip', 'x-proxyuser-ip', 'do-connecting-ip', 'x-vercel-id'],
    ]) {
      it(`treat a request with ${header} as forwarded`, () => assert.equal(asked('127.0.0.1', { [header]: '127.0.0.1' }), false));
    }
  });

  let server: HttpServer;
  let port: number;
  before(async () => {
    server = makeHttpServer({ name: 'test', log: makeLog('silent'), admit: admitLoopbackOnly });
    server.route('POST', '/thing', () => ({ status: 200, body: {} }));
    port = await server.listen(0, '127.0.0.1', 'PORT');
  });
  after(() => server.close(0));

  const post = (host: string, body: string, headers: Record<string, string> = {}) =>
    request(`http://127.0.0.1:${port}/thing`, { method: 'POST', headers: { host, 'content-type': 'application/json', ...headers }, body });

  it('refuses a page whose name resolves to 127.0.0.1', async () => {
    const refused = await post('evil.example', '{');
    assert.equal(refused.statusCode, 421);
    assert.equal(((await refused.body.json()) as { code: string }).code, 'wrong_host');
    const taken = await post(`localhost:${port}`, '{}');
    assert.equal(taken.statusCode, 200);
    await taken.body.dump();
  });

  it('refuses a local proxy that sends our own Host and a forwarding header', async () => {
    const refused = await post(`localhost:${port}`, '{}', { 'x-real-ip': '203.0.113.7' });
    assert.equal(refused.statusCode, 421);
    await refused.body.dump();
  });

  it('refuses a local proxy that speaks HTTP/1.0', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`POST /thing HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    assert.match(await text(socket), /^HTTP\/1\.1 421 /);
  });
});
