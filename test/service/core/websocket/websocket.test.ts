import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { productionLimits } from '../../../../src/service/core/limits/limits.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { TestService } from '../../../support/running-service.ts';
import { shortAnswer, shortForm } from '../../../support/sends.ts';
import { connectTo, openServiceSocket } from '../../../support/service-socket.ts';
import { until } from '../../../support/until.ts';

const _sockets = { ...productionLimits.socket };

onEachDatabase('the websocket of the service', (startTestService) => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const start = async () => {
    const { json } = await service.call('POST', '/e-form/send', { body: shortForm() });
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, wsToken: json.wsToken as string, link: message?.link ?? '' };
  };
  const finish = (link: string) => service.open('POST', link, { body: new URLSearchParams(shortAnswer) });
  const whole = ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded'];

  it('sends events as they happen, and closes with 1000 after the end', async () => {
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
    assert.equal(last?.payload?.app, 'e-form');
    assert.equal(new Set(socket.frames.map(({ id }) => id)).size, 4);
  });

  it('replays all earlier events at every connection', async () => {
    const { wsToken, link } = await start();
    await finish(link);
    for (let times = 0; times < 2; times += 1) {
      const socket = await connectTo(service.running.wsUrl, wsToken);
      assert.equal(await socket.closed(), 1000);
      assert.deepEqual(socket.types(), whole);
    }
  });

  it('continues after a dropped connection with nothing missing', async () => {
    const { wsToken, link } = await start();
    const first = await connectTo(service.running.wsUrl, wsToken);
    await until(() => first.frames.length === 1);
    first.socket.terminate();
    await finish(link);
    const second = await connectTo(service.running.wsUrl, wsToken);
    await second.closed();
    assert.deepEqual(second.types(), whole);
  });

  it('names the form, and sends its answers with the success only', async () => {
    const { json } = await service.call('POST', '/e-form/send', { body: shortForm() });
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

  it('closes with 4400 on a second CONNECT without the subprotocol', async () => {
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

  it('exists only at its address', async () => {
    const refused = new WebSocket(`${service.running.wsUrl}/elsewhere`);
    const status = await new Promise((resolve) => {
      refused.on('unexpected-response', (_, response) => resolve(response.statusCode));
      refused.on('error', () => {});
    });
    assert.equal(status, 404);
    assert.equal((await service.open('GET', '/ws')).status, 404);
  });

  it('survives clients that break off in the middle of the handshake', async () => {
    for (let times = 0; times < 20; times += 1) {
      const peer = connect(service.running.port, '127.0.0.1');
      peer.on('error', () => {});
      await new Promise((resolve) => peer.once('connect', resolve));
      peer.write('GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n');
      peer.resetAndDestroy();
    }
    assert.equal((await request(`${service.running.baseUrl}/healthz`)).statusCode, 200);
  });
});
