// Faults of a service on a websocket.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { SocketScript } from './scripted-service.ts';

const event = (type: string, payload: object) =>
  JSON.stringify({ id: 'e-canary', type, timestamp: '2026-11-20T08:26:17.000Z', payload: { ...payload, customer: { ref: 'canary' } } });
const says =
  (...frames: (string | Buffer)[]): SocketScript =>
  (socket) => {
    for (const frame of frames) socket.send(frame);
  };
const closes =
  (code?: number): SocketScript =>
  (socket) =>
    socket.close(code, code === undefined ? undefined : 'canary');

/** On an open socket. None of these says anything about the request in question. */
export const socketFaults: readonly (readonly [what: string, script: SocketScript])[] = [
  ['drops it', (socket: WebSocket) => socket.terminate()],
  ['closes it without a code', closes()],
  ...[1000, 1001, 1008, 1011, 4400, 4401, 4404].map((code) => [`closes it with ${code}`, closes(code)] as const),
  ['sends what is not JSON', says('<html>canary</html>', '{"id":', '')],
  ['sends JSON that is no event', says('null', '[]', '7', '{}', '{"id":1,"type":2,"timestamp":3}')],
  ['sends a binary frame', says(Buffer.from(event('task.succeeded', {})))],
  ['sends 65 KB', says(event('task.sent', { canary: 'x'.repeat(65 * 1024) }))],
  ['sends a nest of lists', says(`${'['.repeat(1000)}${']'.repeat(1000)}`)],
  ['sends events nobody knows', says(event('task.canary', {}), event('constructor', {}), event('__proto__', {}))],
  ['sends an error', says(JSON.stringify({ id: 'e', type: 'error', timestamp: 'x', error: { code: 'canary', token: 'canary' } }))],
  ['tells of the success of another request', says(event('task.succeeded', { request: { id: '01KAH5Z0V8Q2J9XW3N4M5P6R7S' } }))],
  ['tells of the success of another app', (socket, id) => socket.send(event('task.succeeded', { app: 'e-form', request: { id } }))],
  ['sends bytes that are no frame', (socket) => (socket as unknown as { _socket: Duplex })._socket.write(Buffer.alloc(64, 0xff))],
];

const answers =
  (answer: string) =>
  (tcp: Duplex): void => {
    tcp.end(answer);
  };

/** Instead of opening it. */
export const upgradeFaults: readonly (readonly [what: string, answer: (tcp: Duplex) => void])[] = [
  ['resets the connection', (tcp) => (tcp as unknown as { resetAndDestroy(): void }).resetAndDestroy()],
  ['says 401', answers('HTTP/1.1 401 Unauthorized\r\nContent-Length: 6\r\n\r\ncanary')],
  ['says 429', answers('HTTP/1.1 429 Too Many Requests\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n')],
  ['says 500', answers('HTTP/1.1 500 Oops\r\nContent-Length: 6\r\n\r\ncanary')],
  ['shows a page', answers('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ncanary')],
  ['points elsewhere', answers('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/canary\r\nContent-Length: 0\r\n\r\n')],
  ['speaks no HTTP', answers('SSH-2.0-canary\r\n')],
];
