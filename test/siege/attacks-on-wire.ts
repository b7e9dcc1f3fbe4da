// Hostile bytes where HTTP and websockets are expected, and clients that take their time.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Chance } from '../faults/random.ts';
import { junk, tokenLike } from './attack.ts';

export interface WireTarget {
  readonly botPort: number;
  readonly servicePort: number;
  /** Path and query of a stream that its token opens. */
  readonly streamPath: string;
}

/**
 * How an exchange of bytes ended: a status of HTTP, a code of a websocket, hung up, or still open when the time was up.
 */
export type WireEnd = { readonly status: number } | { readonly code: number } | 'gone' | 'hangs';

const patienceMs = 10_000;

/** Sends bytes, more once there is an answer of 101, and tells how the other side ended it. */
const exchange = (port: number, first: Buffer | string, then?: Buffer, halfClose = false): Promise<WireEnd> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const late = setTimeout(() => done('hangs'), patienceMs);
    let received: Buffer = Buffer.alloc(0);
    let upgraded = false;
    const done = (end: WireEnd) => {
      clearTimeout(late);
      socket.destroy();
      resolve(end);
    };
    socket.on('connect', () => (halfClose ? socket.end(first) : socket.write(first)));
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      const end = received.indexOf('\r\n\r\n');
      if (!upgraded) {
        if (end < 0) return;
        const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(received.toString('latin1', 0, 20))?.[1] ?? 0);
        // What is sent on is the server's own affair: an interim answer is none.
        if (status === 100) received = received.subarray(end + 4);
        else if (status !== 101 || then === undefined) return done({ status });
        else {
          upgraded = true;
          received = received.subarray(end + 4);
          socket.write(then);
        }
      }
      if (upgraded) {
        const code = closeCodeIn(received);
        if (code !== undefined) done({ code });
      }
    });
    socket.on('end', () => done('gone'));
    socket.on('close', () => done('gone'));
    socket.on('error', () => done('gone'));
  });

/** The code of the first close frame among a server's frames, which are never masked (RFC 6455, 5.2). */
const closeCodeIn = (bytes: Buffer): number | undefined => {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const opcode = (bytes[at] ?? 0) & 0x0f;
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    if (short === 127 || (short === 126 && at + 4 > bytes.length)) return undefined;
    const [length, head] = short === 126 ? [bytes.readUInt16BE(at + 2), 4] : [short, 2];
    if (at + head + length > bytes.length) return undefined;
    if (opcode === 8) return length >= 2 ? bytes.readUInt16BE(at + head) : 1005;
    at += head + length;
  }
  return undefined;
};

const head = (method: string, path: string, ...lines: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');

/** Bytes that are no request, or half of one after which nothing more is said. */
const requests: readonly ((chance: Chance) => Buffer | string)[] = [
  () => 'GARBAGE\r\n\r\n',
  (chance) => Buffer.concat([Buffer.from([chance.between(128, 256)]), randomOf(chance, 200), Buffer.from('\r\n\r\n')]),
  () => 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => Buffer.from('16030100a5010000a10303', 'hex'),
  () => head('GET', '/healthz', `X: ${'x'.repeat(20_000)}`),
  () => head('GET', '/healthz', ...Array.from({ length: 3000 }, (_, index) => `X-${index}: y`)),
  () => head('POST', '/api/messages', 'Content-Length: 10', 'Content-Length: 11'),
  () => head('POST', '/payments/send', 'Content-Length: 10', 'Transfer-Encoding: chunked'),
  () => `${head('POST', '/api/messages', 'Transfer-Encoding: chunked')}zz\r\n`,
  () => head('POST', '/payments/send', 'Content-Length: -1'),
  () => 'GET /healthz HTTP/1.1\r\n\r\n',
  () => 'GET /healthz HTTP/1.1\r\nHost: not a host\r\n\r\n',
  () => 'GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  () => 'GET /a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n',
  () => head('GET', '/healthz', 'Bad Header: x'),
  () => head('GET', '/healthz', 'X: a\rb'),
  () => head('CONNECT', 'evil.example:80'),
  (chance) => head('GET', '/ws', 'Connection: Upgrade', `Upgrade: ${chance.pick(['h2c', 'x', 'websocket'])}`),
  () => head('GET', '/ws', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: x'),
  (chance) => handshake(`/${tokenLike(chance, 20)}`),
  (chance) => handshake(`/v3/directline/conversations/${tokenLike(chance, 22)}/stream?t=${tokenLike(chance)}`),
  () => handshake('/v3/directline/conversations/%zz/stream'),
];

/** Requests that are broken off in their middle, one half of the connection closed. */
const halves: readonly ((chance: Chance) => string)[] = [
  () => 'GET /healthz HT',
  () => 'POST /payments/send HTTP/1.1\r\nHost: localhost\r\nContent-Le',
  (chance) =>
    `${head('POST', chance.pick(['/api/messages', '/payments/send', '/chat/token']), 'Content-Type: application/json', 'Content-Length: 100')}{"a"`,
  (chance) =>
    `${head('POST', chance.pick(['/api/messages', '/payments/send']), 'Content-Type: application/json', 'Transfer-Encoding: chunked')}5\r\n{"a"`,
];

function handshake(path: string, ...lines: string[]) {
  return head(
    'GET',
    path,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...lines,
  );
}

function randomOf(chance: Chance, most: number) {
  return Buffer.from(Array.from({ length: chance.between(1, most) }, () => chance.between(0, 256)));
}

interface Frame {
  readonly opcode: number;
  readonly payload?: Buffer | string;
  readonly more?: boolean;
  readonly reserved?: number;
  readonly bare?: boolean;
}

/** A client's frame, right or wrong (RFC 6455, 5.2). */
const frame = ({ opcode, payload = '', more = false, reserved = 0, bare = false }: Frame): Buffer => {
  const body = Buffer.from(payload);
  const first = (more ? 0 : 0x80) | (reserved << 4) | opcode;
  const masked = bare ? 0 : 0x80;
  const length = body.length < 126 ? [masked | body.length] : [masked | 126, body.length >> 8, body.length & 0xff];
  // A mask of zeros changes nothing, and is one.
  return Buffer.concat([Buffer.from([first, ...length]), ...(bare ? [] : [Buffer.alloc(4)]), body]);
};

/** Frames that no peer may send, whatever it speaks. */
const broken: readonly ((chance: Chance) => Buffer)[] = [
  () => frame({ opcode: 1, payload: 'x', bare: true }),
  (chance) => frame({ opcode: chance.pick([3, 5, 7, 11, 15]), payload: 'x' }),
  (chance) => frame({ opcode: 1, payload: 'x', reserved: chance.between(1, 8) }),
  () => frame({ opcode: 1, payload: Buffer.from([0xff, 0xfe, 0xc0]) }),
  () => frame({ opcode: 9, payload: 'x', more: true }),
  () => frame({ opcode: 9, payload: 'x'.repeat(126) }),
  () => frame({ opcode: 0, payload: 'x' }),
  () => frame({ opcode: 8, payload: Buffer.from([0x03, 0xe7]) }),
  () => frame({ opcode: 8, payload: 'x' }),
  // 70,000 bytes are announced, and so are 2^62.
  () => Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0x11, 0x70, 0, 0, 0, 0]),
  () => Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  () => Buffer.concat([frame({ opcode: 1, payload: 'x'.repeat(60_000), more: true }), frame({ opcode: 0, payload: 'x'.repeat(60_000) })]),
];

/** Frames that are right, and say what nobody may. */
const wrong: readonly ((chance: Chance) => Buffer)[] = [
  (chance) => frame({ opcode: 1, payload: `CONNECT ${tokenLike(chance, 32)}` }),
  (chance) => frame({ opcode: 1, payload: junk(chance).toWellFormed() }),
  (chance) => frame({ opcode: 2, payload: randomOf(chance, 200) }),
  () => frame({ opcode: 1, payload: '' }),
  (chance) => frame({ opcode: 1, payload: `CONNECT  ${tokenLike(chance, 32)}` }),
  () =>
    Buffer.concat([
      frame({ opcode: 1, payload: 'C', more: true }),
      ...Array.from({ length: 500 }, () => frame({ opcode: 0, more: true })),
      frame({ opcode: 0 }),
    ]),
];

const refusedBy = (codes: readonly number[]) => (end: WireEnd) =>
  typeof end === 'object' && ('code' in end ? codes.includes(end.code) : end.status >= 400 && end.status < 500);
const refusedOrGone = (end: WireEnd) =>
  end === 'gone' || (typeof end === 'object' && 'status' in end && end.status >= 400 && end.status < 500);

/** How often each kind comes; what it does; whether its end is one that may be. */
export const attacksOnWire: Readonly<
  Record<string, readonly [number, (chance: Chance, target: WireTarget) => Promise<WireEnd>, (end: WireEnd) => boolean]>
> = {
  'bytes that are no request': [
    2,
    (chance, { botPort, servicePort }) => {
      const bytes = chance.pick(requests)(chance);
      // A beginning that could still become a request is followed by nothing.
      return exchange(chance.pick([botPort, servicePort]), bytes, undefined, true);
    },
    refusedOrGone,
  ],
  'half a request': [
    1,
    (chance, { botPort, servicePort }) => exchange(chance.pick([botPort, servicePort]), chance.pick(halves)(chance), undefined, true),
    refusedOrGone,
  ],
  'frames to the service': [
    1.5,
    (chance, { servicePort }) => exchange(servicePort, handshake('/ws'), chance.pick([...broken, ...wrong])(chance)),
    refusedBy([1002, 1003, 1007, 1009, 4400, 4404]),
  ],
  // Who asks faster than it is answered is hung up on.
  'a flood of pings': [
    0.2,
    (_chance, { servicePort }) =>
      exchange(
        servicePort,
        handshake('/ws'),
        Buffer.concat([...Array.from({ length: 200 }, () => frame({ opcode: 9, payload: 'x' })), frame({ opcode: 1, payload: 'x' })]),
      ),
    (end) => end === 'gone' || refusedBy([4400])(end),
  ],
  'frames to a stream': [
    0.5,
    (chance, { botPort, streamPath }) => exchange(botPort, handshake(streamPath), chance.pick(broken)(chance)),
    refusedBy([1002, 1007, 1009, 4409]),
  ],
};

export interface SlowClient {
  readonly socket: Socket;
  /** When the other side had enough, milliseconds of the monotonic clock. */
  droppedAt(): number | undefined;
  close(): void;
}

/** Sends a request's head a letter a second, and never its end. */
export const openSlowClient = (port: number): SlowClient => {
  const socket = connect({ port, host: '127.0.0.1' });
  let dropped: number | undefined;
  socket.on('error', () => {});
  socket.on('close', () => {
    dropped = performance.now();
    clearInterval(dripping);
  });
  socket.resume();
  socket.write('POST /payments/send HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const dripping = setInterval(() => socket.write('x'), 1000);
  return {
    socket,
    droppedAt: () => dropped,
    close: () => {
      clearInterval(dripping);
      socket.destroy();
    },
  };
};
