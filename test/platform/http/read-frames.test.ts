import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { readFrames } from '../../../src/platform/http/read-frames.ts';
import { makeLimit } from '../../../src/platform/limits.ts';
import { until } from '../../support/until.ts';

/** `closeTimeout` (ms), how long ws waits for the other side to close, is missing in its types. */
const options = { port: 0, host: '127.0.0.1', closeTimeout: 200 } as ServerOptions;

describe('the frames of a websocket', () => {
  let server: WebSocketServer;
  let socket: WebSocket;
  const heard: string[] = [];
  const faults: unknown[] = [];
  beforeEach(async () => {
    heard.length = 0;
    faults.length = 0;
    server = new WebSocketServer(options);
    const { admits: take } = makeLimit({ points: 5, seconds: 60 });
    server.on('connection', (accepted) =>
      readFrames(
        accepted,
        () => take('one client'),
        async (data) => {
          heard.push(String(data));
          if (String(data) === 'bad') throw new TypeError('bad');
        },
        (fault) => void faults.push(fault),
      ),
    );
    await once(server, 'listening');
    socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await once(socket, 'open');
  });
  afterEach(() => {
    socket.terminate();
    server.close();
  });

  it('are heard in order, until there are too many', async () => {
    for (let count = 0; count < 20; count++) socket.send(String(count));
    assert.deepEqual([(await once(socket, 'close'))[0], heard], [1008, ['0', '1', '2', '3', '4']]);
  });

  it('are counted if they are pings, too', async () => {
    for (let count = 0; count < 6; count++) socket.ping();
    assert.equal((await once(socket, 'close'))[0], 1008);
  });

  it('are not read to the end from a client that goes on', async () => {
    (socket as unknown as { _receiver: { removeAllListeners(): void } })._receiver.removeAllListeners();
    const closed = once(socket, 'close');
    for (let count = 0; count < 1100; count++) socket.send('x');
    assert.equal((await closed)[0], 1006);
    assert.equal(heard.length, 5);
  });

  it('that cannot be handled go to whoever is told, and end nothing', async () => {
    socket.send('bad');
    socket.send('good');
    await until(() => heard.length === 2, 'both');
    assert.equal((faults[0] as Error).message, 'bad');
  });
});
