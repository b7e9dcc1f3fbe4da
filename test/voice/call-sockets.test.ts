import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket } from 'ws';
import { makeSignals } from '../../src/directline/signals.ts';
import type { HttpServer } from '../../src/platform/http/http-server.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeCallSockets } from '../../src/voice/call-sockets.ts';
import { until } from '../support/until.ts';

describe('the websocket of a call', () => {
  let node: Server;
  let gateway: WebSocket;
  let waiting: object[];
  let taking: () => Promise<void>;
  let sockets: ReturnType<typeof makeCallSockets>;
  const tcp: Socket[] = [];
  beforeEach(async () => {
    waiting = [];
    taking = async () => {};
    node = createServer().listen(0);
    node.on('connection', (socket) => tcp.push(socket));
    const context = { server: { node } as unknown as HttpServer, signals: makeSignals(), log: makeLog('silent') };
    const take = async () => {
      const activities = waiting.splice(0);
      if (activities.length > 0) await taking();
      return { activities, giveBack: async () => void waiting.unshift(...activities) };
    };
    sockets = makeCallSockets(context, () => true, take);
    gateway = new WebSocket(`ws://localhost:${(node.address() as AddressInfo).port}/voice/audiocodes/conversations/c1/websocket`);
    await once(gateway, 'open');
    await until(async () => sockets.say('call_c1'), 'the call');
  });
  afterEach(async () => {
    gateway.terminate();
    await sockets.close();
    node.close();
  });

  it('takes messages to the gateway, each once', async () => {
    waiting.push({ id: '1' }, { id: '2' });
    const heard = once(gateway, 'message');
    assert.equal(await sockets.say('call_c1'), true);
    assert.deepEqual(JSON.parse(String((await heard)[0])), { conversation: 'c1', activities: [{ id: '1' }, { id: '2' }] });
    assert.deepEqual(waiting, []);
  });

  it('that breaks while they are taken gives them back: they go with the next answer', async () => {
    waiting.push({ id: '1' });
    taking = async () => {
      gateway.terminate();
      await until(() => tcp.every(({ destroyed }) => destroyed), 'the end of the connection');
    };
    assert.equal(await sockets.say('call_c1'), false);
    assert.deepEqual(waiting, [{ id: '1' }]);
  });
});
