import assert from 'node:assert/strict';
import { request } from 'undici';
import { type HttpServer, makeHttpServer } from '../../src/platform/http-server.ts';
import { makeLog } from '../../src/platform/log.ts';
import { admitLoopbackOnly, isLoopbackHost } from '../../src/platform/loopback.ts';

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

  let server: HttpServer;
  let port: number;
  before(async () => {
    server = makeHttpServer({ name: 'test', log: makeLog('silent'), admit: admitLoopbackOnly });
    server.route('POST', '/thing', () => ({ status: 200, body: {} }));
    port = await server.listen(0, '127.0.0.1', 'PORT');
  });
  after(() => server.close(0));

  const post = (host: string, body: string) =>
    request(`http://127.0.0.1:${port}/thing`, { method: 'POST', headers: { host, 'content-type': 'application/json' }, body });

  it('is what a page finds that bound its own name to 127.0.0.1', async () => {
    const refused = await post('evil.example', '{');
    assert.equal(refused.statusCode, 421);
    assert.equal(((await refused.body.json()) as { code: string }).code, 'wrong_host');
    const taken = await post(`localhost:${port}`, '{}');
    assert.equal(taken.statusCode, 200);
    await taken.body.dump();
  });
});
