import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { type AppId, appIds, multiplexProtocol } from '../../../src/contract/index.ts';
import { productionLimits } from '../../../src/service/core/limits/limits.ts';
import { assertValid, makeAt } from '../../support/documented.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { type Ending, sendBody } from '../../support/sends.ts';
import { until } from '../../support/until.ts';

/** A socket that keeps what it is told as it came. */
const listenTo = (url: string, messages: readonly (string | Buffer)[], protocols: string[] = []) => {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false });
  const heard: string[] = [];
  let code: number | undefined;
  socket.on('open', () => {
    for (const message of messages) socket.send(message);
  });
  socket.on('message', (data) => heard.push(data.toString()));
  socket.on('close', (closeCode) => {
    code = closeCode;
  });
  socket.on('error', () => {});
  return { socket, heard, closed: () => until(() => code, 'the socket is closed') };
};

describe('the websocket’s documented frames come', () => {
  let broken = false;
  let service: TestService;
  let at: ReturnType<typeof makeAt>;
  let documentedCodes: number[];
  const seen = new Set<number>();
  before(async () => {
    const clock = {
      now: () => {
        if (broken) throw new TypeError('no clock');
        return Date.now();
      },
    };
    const socket = { ...productionLimits.socket, connectMs: 500, requests: 2 };
    service = await startTestService({ clock, limits: { socket, expiryMs: { ...productionLimits.expiryMs } } });
    const { json } = await service.open('GET', '/asyncapi.json');
    at = makeAt(json);
    documentedCodes = [...(json.channels.events.description as string).matchAll(/(\d{4}): /g)].map(([, code]) => Number(code));
  });
  after(() => service.close());

  const holds = (frame: string) => {
    const told = JSON.parse(frame) as { type: string };
    const message = told.type === 'error' ? 'failure' : 'event';
    assertValid(at('channels', 'events', 'messages', message, 'payload'), told, frame);
    return told.type;
  };
  const send = async (app: AppId, ending: Ending) => (await service.call('POST', `/${app}/send`, { body: sendBody(app, ending) })).json;
  const linked = appIds.filter((id) => id !== 'one-time-passcode');
  const closes = async (code: number, closing: Promise<number>) => {
    assert.equal(await closing, code);
    assert.ok(documentedCodes.includes(code), `${code} is documented`);
    seen.add(code);
  };

  for (const [ending, last] of [
    ['0110', 'task.succeeded'],
    ['0111', 'task.failed'],
    ['0112', 'task.timed_out'],
  ] as const) {
    it(`from every app up to ${last}, after which the socket is closed with 1000`, async () => {
      await Promise.all(
        linked.map(async (app) => {
          const { wsToken } = await send(app, ending);
          assertValid(at('channels', 'events', 'messages', 'connect', 'payload'), `CONNECT ${wsToken}`, 'CONNECT');
          const { heard, closed } = listenTo(service.running.wsUrl, [`CONNECT ${wsToken}`]);
          await closes(1000, closed());
          const types = heard.map(holds);
          // A device may be there before it is noted that its message was sent.
          assert.ok(types.filter((type) => type === 'task.sent').length <= 1, app);
          assert.deepEqual(
            types.filter((type) => type !== 'task.sent'),
            ['task.bootstrapped', 'task.started', last],
            app,
          );
        }),
      );
    });
  }

  it('when errors concern one request of several', async () => {
    const [first, second] = [await send('payments', '0102'), await send('e-form', '0102')];
    const unknown = 'abcdefghijklmnopqrstuvwxyz';
    const { socket, heard } = listenTo(
      service.running.wsUrl,
      [first.wsToken, unknown, second.wsToken].map((token) => `CONNECT ${token}`),
      [multiplexProtocol],
    );
    await until(() => heard.length >= 3, 'all are answered');
    socket.send(`CONNECT ${unknown}`);
    await service.call('POST', `/requests/${first.requestId}/cancel`);
    await until(() => heard.filter((frame) => holds(frame) === 'error').length >= 3, 'errors are told');
    const codes = heard.map((frame) => JSON.parse(frame).error?.code).filter(Boolean);
    assert.deepEqual(new Set(codes), new Set(['unknown_token', 'too_many_requests', 'cancelled']));
    socket.terminate();
  });

  const closings: [number, string, () => Promise<number>][] = [
    [4400, 'something else than CONNECT', () => listenTo(service.running.wsUrl, ['HELLO']).closed()],
    [4401, 'no CONNECT at all', () => listenTo(service.running.wsUrl, []).closed()],
    [4404, 'an unknown token', () => listenTo(service.running.wsUrl, ['CONNECT abcdefghijklmnopqrstuvwxyz']).closed()],
    [1009, 'too much at once', () => listenTo(service.running.wsUrl, ['x'.repeat(70_000)]).closed()],
    [
      1011,
      'a fault of the service',
      async () => {
        broken = true;
        const code = await listenTo(service.running.wsUrl, ['CONNECT abcdefghijklmnopqrstuvwxyz'], [multiplexProtocol]).closed();
        broken = false;
        return code;
      },
    ],
    [
      1001,
      'the end of the service',
      async () => {
        const { wsToken } = await send('payments', '0102');
        const { heard, closed } = listenTo(service.running.wsUrl, [`CONNECT ${wsToken}`]);
        await until(() => heard.length > 0, 'it is connected');
        await service.restart();
        return closed();
      },
    ],
  ];
  for (const [code, what, provoke] of closings) {
    it(`when ${what} closes a socket with ${code}`, () => closes(code, provoke()));
  }

  it('with every documented closing code', () => {
    assert.deepEqual([...seen].toSorted(), documentedCodes.toSorted());
  });
});
