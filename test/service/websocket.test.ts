import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { multiplexProtocol } from '../../src/contract/index.ts';
import { fingerprint } from '../../src/platform/log.ts';
import { productionLimits } from '../../src/service/limits.ts';
import { startTestService, type TestService } from '../support/running-service.ts';
import { sendBody } from '../support/sends.ts';
import { connectTo, openServiceSocket } from '../support/service-socket.ts';
import { until } from '../support/until.ts';

const sockets = { ...productionLimits.socket };

describe('the websocket of the service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const start = async (app: 'e-form' | 'passkeys' | 'payments' = 'payments') => {
    const { json } = await service.call('POST', `/${app}/send`, { body: sendBody(app) });
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, wsToken: json.wsToken as string, link: message?.link ?? '' };
  };
  const finish = (link: string, decision = 'accept') => service.open('POST', link, { body: new URLSearchParams({ decision }) });
  const whole = ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded'];

  it('tells what happens as it happens, and closes with 1000 after the end', async () => {
    const { requestId, wsToken, link } = await start();
    const socket = await connectTo(service.running.wsUrl, wsToken);
    await until(() => socket.frames.length === 1);
    await service.open('POST', `${link}/opened`);
    await until(() => socket.frames.length === 2);
    await service.open('POST', `${link}/started`);
    await until(() => socket.frames.length === 3);
    await finish(link);
    assert.equal(await socket.closed(), 1000);
    assert.deepEqual(socket.types(), whole);
    const last = socket.frames.at(-1);
    assert.equal(last?.payload?.status, 'success');
    assert.deepEqual(last?.payload?.request, { id: requestId });
    assert.deepEqual(last?.payload?.session, { ref: 'session-0001' });
    assert.deepEqual(last?.payload?.customer, { ref: 'cust-0102-mei' });
    assert.deepEqual(last?.payload?.delivery, { method: 'sms', phoneNumber: '+12025550102' });
    assert.equal(last?.payload?.app, 'payments');
    assert.equal(new Set(socket.frames.map(({ id }) => id)).size, 4);
  });

  it('replays everything that came before, to whoever connects and as often as they do', async () => {
    const { wsToken, link } = await start();
    await finish(link);
    for (let times = 0; times < 2; times += 1) {
      const socket = await connectTo(service.running.wsUrl, wsToken);
      assert.equal(await socket.closed(), 1000);
      assert.deepEqual(socket.types(), whole);
    }
  });

  it('goes on after a dropped connection with nothing missing', async () => {
    const { wsToken, link } = await start();
    const first = await connectTo(service.running.wsUrl, wsToken);
    await until(() => first.frames.length === 1);
    first.socket.terminate();
    await finish(link);
    const second = await connectTo(service.running.wsUrl, wsToken);
    await second.closed();
    assert.deepEqual(second.types(), whole);
  });

  it('tells the form, and its answers with the success only', async () => {
    const { json } = await service.call('POST', '/e-form/send', {
      body: { ...sendBody('e-form'), formId: '6f1c0000-0000-4000-8000-000000000003' },
    });
    const [message] = await service.outbox();
    const socket = await connectTo(service.running.wsUrl, json.wsToken);
    await service.open('POST', message?.link ?? '', { body: new URLSearchParams({ decision: 'accept', 'a.rating': 'good' }) });
    await socket.closed();
    const form = { id: '6f1c0000-0000-4000-8000-000000000003', title: 'Feedback' };
    assert.deepEqual(socket.frames[0]?.payload?.['e-form'], { form });
    assert.deepEqual(socket.frames.at(-1)?.payload?.['e-form'], {
      form,
      data: [
        { type: 'choice', key: 'rating', value: 'good' },
        { type: 'toggle', key: 'callBack', value: false },
      ],
    });
  });

  it('closes with 1000 and no final event when the request is withdrawn', async () => {
    const { requestId, wsToken } = await start();
    const socket = await connectTo(service.running.wsUrl, wsToken);
    await until(() => socket.frames.length === 1);
    await service.call('POST', `/requests/${requestId}/cancel`);
    assert.equal(await socket.closed(), 1000);
    assert.deepEqual(socket.types(), ['task.sent']);
  });

  const malformed: [string, string | Buffer][] = [
    ['another word', 'HELLO there-is-no-such-token'],
    ['no token', 'CONNECT'],
    ['small letters', 'connect abcdefghijklmnopqrstuvwxyz'],
    ['two tokens', 'CONNECT abcdefghijklmnopqrst abcdefghijklmnopqrst'],
    ['JSON', '{"type":"CONNECT"}'],
    ['a binary frame', Buffer.from('CONNECT abcdefghijklmnopqrstuvwxyz')],
    ['nothing', ''],
  ];
  for (const [what, frame] of malformed) {
    it(`closes with 4400 on ${what}`, async () => {
      const socket = openServiceSocket(service.running.wsUrl);
      await socket.opened();
      socket.send(frame);
      assert.equal(await socket.closed(), 4400);
    });
  }

  it('closes with 4400 on a second CONNECT that was not agreed upon', async () => {
    const { wsToken } = await start();
    const socket = await connectTo(service.running.wsUrl, wsToken);
    socket.send(`CONNECT ${wsToken}`);
    assert.equal(await socket.closed(), 4400);
  });

  it('closes with 4404 on an unknown token', async () => {
    const socket = await connectTo(service.running.wsUrl, 'abcdefghijklmnopqrstuvwxyz');
    assert.equal(await socket.closed(), 4404);
  });

  it('closes with 1009 on a frame over 64 KB', async () => {
    const socket = openServiceSocket(service.running.wsUrl);
    await socket.opened();
    socket.send(`CONNECT ${'x'.repeat(70_000)}`);
    assert.equal(await socket.closed(), 1009);
  });

  it('answers a ping', async () => {
    const { wsToken } = await start();
    const { socket } = await connectTo(service.running.wsUrl, wsToken);
    let answered = false;
    socket.on('pong', () => {
      answered = true;
    });
    socket.ping();
    await until(() => answered);
    socket.terminate();
  });

  it('is nowhere but at its address', async () => {
    const refused = new WebSocket(`${service.running.wsUrl}/elsewhere`);
    const status = await new Promise((resolve) => {
      refused.on('unexpected-response', (_, response) => resolve(response.statusCode));
      refused.on('error', () => {});
    });
    assert.equal(status, 404);
    assert.equal((await service.open('GET', '/ws')).status, 404);
  });

  it('survives peers that break off in the middle of the handshake', async () => {
    for (let times = 0; times < 20; times += 1) {
      const peer = connect(service.running.port, '127.0.0.1');
      peer.on('error', () => {});
      await new Promise((resolve) => peer.once('connect', resolve));
      peer.write('GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n');
      peer.resetAndDestroy();
    }
    assert.equal((await request(`${service.running.baseUrl}/healthz`)).statusCode, 200);
  });

  describe(`with ${multiplexProtocol}`, () => {
    it('carries several requests on one socket, and stays open when one has ended', async () => {
      const [first, second] = [await start(), await start()];
      const socket = await connectTo(service.running.wsUrl, first.wsToken, [multiplexProtocol]);
      assert.equal(socket.socket.protocol, multiplexProtocol);
      socket.send(`CONNECT ${second.wsToken}`);
      await until(() => socket.frames.length === 2);
      await finish(first.link);
      await until(() => socket.types().includes('task.succeeded'));
      await finish(second.link, 'decline');
      await until(() => socket.types().includes('task.failed'));
      const of = (id: string) => socket.frames.filter(({ payload }) => payload?.request?.id === id).map(({ type }) => type);
      assert.deepEqual(of(first.requestId), whole);
      assert.deepEqual(of(second.requestId), [...whole.slice(0, 3), 'task.failed']);
      assert.equal(socket.socket.readyState, WebSocket.OPEN);
      socket.socket.terminate();
    });

    it('answers an unknown token with an error that tells which, and goes on', async () => {
      const { wsToken } = await start();
      const unknown = 'abcdefghijklmnopqrstuvwxyz';
      const socket = await connectTo(service.running.wsUrl, unknown, [multiplexProtocol]);
      await until(() => socket.frames.length === 1);
      assert.equal(socket.frames[0]?.type, 'error');
      assert.deepEqual(socket.frames[0]?.error, { code: 'unknown_token', connect: fingerprint(unknown) });
      socket.send(`CONNECT ${wsToken}`);
      await until(() => socket.types().includes('task.sent'));
      socket.socket.terminate();
    });

    it('says so when a request is withdrawn', async () => {
      const { requestId, wsToken } = await start();
      const socket = await connectTo(service.running.wsUrl, wsToken, [multiplexProtocol]);
      await until(() => socket.frames.length === 1);
      await service.call('POST', `/requests/${requestId}/cancel`);
      await until(() => socket.frames.length === 2);
      assert.deepEqual(socket.frames[1]?.error, { code: 'cancelled', requestId });
      socket.socket.terminate();
    });

    it('still closes on a malformed message', async () => {
      const socket = await connectTo(service.running.wsUrl, 'abcdefghijklmnopqrstuvwxyz', [multiplexProtocol]);
      socket.send('HELLO');
      assert.equal(await socket.closed(), 4400);
    });
  });
});

describe('the limits of the websocket', () => {
  let service: TestService;
  afterEach(() => service.close());

  it('closes with 4401 when no CONNECT comes', async () => {
    service = await startTestService({ limits: { socket: { ...sockets, connectMs: 20 } } });
    assert.equal(await openServiceSocket(service.running.wsUrl).closed(), 4401);
  });

  it('pings, keeps those that answer and drops those that do not', async () => {
    service = await startTestService({ limits: { socket: { ...sockets, pingMs: 30 } } });
    const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
    const living = await connectTo(service.running.wsUrl, json.wsToken);
    let pings = 0;
    living.socket.on('ping', () => {
      pings += 1;
    });
    const dead = new WebSocket(service.running.wsUrl, { autoPong: false });
    let code: number | undefined;
    dead.on('close', (given) => {
      code = given;
    });
    dead.on('open', () => dead.send(`CONNECT ${json.wsToken}`));
    await until(() => code !== undefined && pings >= 3);
    assert.equal(code, 1006);
    assert.equal(living.socket.readyState, WebSocket.OPEN);
    living.socket.terminate();
  });

  it('follows no more requests on one socket than it may', async () => {
    service = await startTestService({ limits: { socket: { ...sockets, requests: 1 } } });
    const send = async () => (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json.wsToken as string;
    const socket = await connectTo(service.running.wsUrl, await send(), [multiplexProtocol]);
    await until(() => socket.frames.length === 1);
    const second = await send();
    socket.send(`CONNECT ${second}`);
    await until(() => socket.frames.length === 2);
    assert.deepEqual(socket.frames[1]?.error, { code: 'too_many_requests', connect: fingerprint(second) });
    socket.socket.terminate();
  });

  it('says goodbye with 1001 when the service stops', async () => {
    service = await startTestService();
    const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
    const socket = await connectTo(service.running.wsUrl, json.wsToken);
    await until(() => socket.frames.length === 1);
    await service.restart();
    assert.equal(await socket.closed(), 1001);
  });
});
