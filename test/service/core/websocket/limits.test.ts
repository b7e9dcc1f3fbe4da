import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { multiplexProtocol } from '../../../../src/contract/index.ts';
import { fingerprint } from '../../../../src/platform/log.ts';
import { productionLimits } from '../../../../src/service/core/limits/limits.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { connectTo, openServiceSocket } from '../../../support/service-socket.ts';
import { until } from '../../../support/until.ts';

const sockets = { ...productionLimits.socket };

describe('a websocket for several requests', () => {
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
  const finish = (link: string, fields: Record<string, string> = shortAnswer) =>
    service.open('POST', link, { body: new URLSearchParams(fields) });
  const whole = ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded'];

  describe(`with ${multiplexProtocol}`, () => {
    it('carries several requests on one socket, and stays open when one has ended', async () => {
      const [first, second] = [await start(), await start()];
      const socket = await connectTo(service.running.wsUrl, first.wsToken, [multiplexProtocol]);
      assert.equal(socket.socket.protocol, multiplexProtocol);
      socket.send(`CONNECT ${second.wsToken}`);
      await until(() => socket.frames.length === 2);
      await finish(first.link);
      await until(() => socket.types().includes('task.succeeded'));
      await finish(second.link, { decision: 'decline' });
      await until(() => socket.types().includes('task.failed'));
      const of = (id: string) => socket.frames.filter(({ payload }) => payload?.request?.id === id).map(({ type }) => type);
      assert.deepEqual(of(first.requestId), whole);
      assert.deepEqual(of(second.requestId), [...whole.slice(0, 3), 'task.failed']);
      assert.equal(socket.socket.readyState, WebSocket.OPEN);
      socket.socket.terminate();
    });

    it('answers an unknown token with an error that identifies it, and goes on', async () => {
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

  it('limits the requests on one socket', async () => {
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
