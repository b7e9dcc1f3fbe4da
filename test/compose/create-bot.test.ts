import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import restify from 'restify';
import { type Bot, createBot } from '../../src/compose/create-bot.ts';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { message } from '../support/activities.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { until } from '../support/until.ts';

describe('a bot that a program makes', () => {
  let folder: string;
  let bot: Bot;
  let channel: Channel;
  const servers: Server[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-create-'));
    channel = await openChannel();
    bot = createBot({
      service: { baseUrl: 'http://127.0.0.1:1', secretKey: 'k' },
      storage: { folder },
      lookupReplies: 'offer',
      log: makeLog('silent'),
    });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
    await bot.stop();
    await channel.close();
    rmSync(folder, { recursive: true });
  });

  const listen = async (server: Server, host = '127.0.0.1') => {
    servers.push(server);
    server.listen(0, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const post = (port: number, host = '127.0.0.1') =>
    fetch(`http://${host}:${port}/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message({ serviceUrl: channel.serviceUrl })),
    });
  const answers = async (port: number) => {
    assert.equal((await post(port)).status, 200);
    await until(() => channel.received.find(({ body }) => /How can I help you/.test(JSON.stringify(body))), 'the menu');
  };

  it('listens by itself, and says where', async () => {
    const { chatUrl, endpointUrl } = await bot.start({ port: 0 });
    assert.equal((await fetch(chatUrl)).status, 200);
    assert.match(endpointUrl, /^http:\/\/localhost:\d+\/api\/messages$/);
    await answers(Number(new URL(chatUrl).port));
  });

  it('is started once, and again after it was stopped', async () => {
    await bot.start();
    await assert.rejects(bot.start(), /has been started already/);
    await bot.stop();
    await bot.start();
  });

  it('reports what keeps it from starting, and leaves nothing open', async () => {
    const port = await listen(createServer());
    await assert.rejects(bot.start({ port }), (fault) => fault instanceof SettingsError && /PORT/.test(fault.message));
    await bot.start({ port: 0 });
  });

  const hosts: readonly (readonly [what: string, serverOf: (handler: Bot['handler']) => Server])[] = [
    ['node:http', (handler) => createServer((req, res) => void handler(req, res))],
    [
      'restify, which has read the body',
      (handler) => {
        const server = restify.createServer();
        server.use(restify.plugins.bodyParser());
        server.post('/api/messages', handler);
        return server.server as Server;
      },
    ],
    [
      'a framework with methods of its own under the names of others',
      (handler) => {
        // As Express names them.
        const names = {
          request: ['get', 'header', 'accepts', 'is', 'range', 'path', 'query', 'protocol', 'secure', 'ip', 'hostname', 'host', 'fresh'],
          response: [
            'status',
            'links',
            'send',
            'json',
            'type',
            'format',
            'append',
            'header',
            'set',
            'get',
            'cookie',
            'location',
            'redirect',
          ],
        };
        const refusing = (prototype: object, own: readonly string[]) =>
          Object.create(
            prototype,
            Object.fromEntries(own.map((name) => [name, { configurable: true, get: () => assert.fail(`${name} is another framework’s`) }])),
          );
        const request = refusing(IncomingMessage.prototype, names.request);
        const response = refusing(ServerResponse.prototype, names.response);
        const listener: RequestListener = (req, res) => {
          Object.setPrototypeOf(req, request);
          Object.setPrototypeOf(res, response);
          void handler(req, res);
        };
        return createServer(listener);
      },
    ],
  ];
  for (const [what, serverOf] of hosts)
    it(`answers on the server of ${what}`, async () => {
      await bot.start();
      const port = await listen(serverOf(bot.handler));
      await answers(port);
      if (what.startsWith('restify')) return;
      for (const [path, status] of [
        ['/', 200],
        ['/readyz', 200],
        ['/nothing', 404],
      ] as const)
        assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, status, path);
      assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`, { method: 'PUT' })).status, 405);
    });

  it('answers 503 on another’s server while it does not run', async () => {
    const port = await listen(createServer((req, res) => void bot.handler(req, res)));
    assert.equal((await post(port)).status, 503);
  });

  it('answers only its own machine without an identity, wherever the other server listens', async function () {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address && !address.internal && address.family === 'IPv4')?.address;
    if (outside === undefined) return this.skip();
    await bot.start();
    const port = await listen(
      createServer((req, res) => void bot.handler(req, res)),
      '0.0.0.0',
    );
    const answer = await fetch(`http://${outside}:${port}/healthz`);
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /local_only/);
  });

  it('takes the websockets of its web chat, and leaves others alone', async () => {
    const server = createServer((req, res) => void bot.handler(req, res));
    const others: string[] = [];
    server.on('upgrade', bot.upgrade);
    server.on('upgrade', ({ url = '' }, socket) => {
      if (url.startsWith('/v3/directline/')) return;
      others.push(url);
      socket.end('HTTP/1.1 418 A teapot\r\n\r\n');
    });
    const port = await listen(server);
    await bot.start();
    const upgrade = { headers: { connection: 'Upgrade', upgrade: 'websocket' } };
    const { request } = await import('node:http');
    const statusOf = (path: string) =>
      new Promise((resolve, reject) =>
        request({ port, path, host: '127.0.0.1', ...upgrade }, ({ statusCode }) => resolve(statusCode))
          .on('error', reject)
          .end(),
      );
    assert.equal(await statusOf('/mine'), 418);
    assert.deepEqual(others, ['/mine']);
    assert.equal(await statusOf('/v3/directline/conversations/x/stream?t=y'), 403);
  });
});
