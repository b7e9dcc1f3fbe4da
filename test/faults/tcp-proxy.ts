// A stretch of network that can be made bad: between two ends, byte by byte, without knowing what they say.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What happens to one connection, after so many bytes in one direction. */
export interface NetworkFault {
  /**
   * `latency`: every piece is late. `slicing`: every piece arrives in crumbs. `reset`: both ends see a reset.
   * `truncation`: the receiver sees an orderly end in the middle. `half-open`: nothing arrives any more and nobody is
   * told. `refused`: reset before the first byte.
   */
  readonly kind: 'half-open' | 'latency' | 'refused' | 'reset' | 'slicing' | 'truncation';
  readonly direction: 'answer' | 'request';
  readonly after: number;
  /** Milliseconds of lateness. */
  readonly delay: number;
}

export interface TcpProxy {
  readonly port: number;
  /** Faults that took effect so far, by kind. */
  readonly counts: Readonly<Record<NetworkFault['kind'], number>>;
  close(): Promise<void>;
}

export interface TcpProxyOptions {
  /** The port behind it at the moment; `undefined`: nobody there. */
  readonly to: () => number | undefined;
  /** What to do to the next connection. */
  readonly plan: () => NetworkFault | undefined;
}

/** How long (ms) a half-open connection lingers before this end forgets it too. */
const linger = 60_000;

/** Carries one direction, piece after piece, until the fault strikes. */
const carry = (from: Socket, to: Socket, fault: NetworkFault | undefined, strike: () => void) => {
  let passed = 0;
  let queue = Promise.resolve();
  let struck = false;
  const write = async (piece: Buffer) => {
    if (!fault || to.destroyed) {
      to.write(piece);
      return;
    }
    const slow = fault.kind === 'latency' || fault.kind === 'slicing';
    const left = Math.max(0, fault.after - passed);
    const whole = passed + piece.length < fault.after;
    passed += piece.length;
    if (whole) {
      to.write(piece);
      return;
    }
    if (!struck) strike();
    struck = true;
    if (!slow) {
      // What came before the fault still arrives.
      if (left > 0) to.write(piece.subarray(0, left));
      return;
    }
    if (fault.kind === 'latency') {
      await pause(fault.delay);
      to.write(piece);
      return;
    }
    const crumb = Math.max(1, Math.ceil(piece.length / 12));
    for (let at = 0; at < piece.length && !to.destroyed; at += crumb) {
      to.write(piece.subarray(at, at + crumb));
      await pause(2);
    }
  };
  from.on('data', (piece: Buffer) => {
    if (struck && fault?.kind !== 'latency' && fault?.kind !== 'slicing') return;
    queue = queue.then(() => write(piece));
  });
  from.on('end', () => {
    if (struck && fault?.kind === 'half-open') return;
    queue = queue.then(() => void to.end());
  });
};

export const startTcpProxy = async ({ to, plan }: TcpProxyOptions): Promise<TcpProxy> => {
  const counts = { 'half-open': 0, latency: 0, refused: 0, reset: 0, slicing: 0, truncation: 0 };
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    const port = to();
    const fault = plan();
    if (port === undefined || fault?.kind === 'refused') {
      if (fault?.kind === 'refused') counts.refused += 1;
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    keep(upstream);
    let silent = false;
    const strike = () => {
      if (!fault) return;
      silent = fault.kind === 'half-open';
      counts[fault.kind] += 1;
      if (fault.kind === 'reset') {
        client.resetAndDestroy();
        upstream.resetAndDestroy();
      }
      if (fault.kind === 'truncation') {
        // Behind what is still on its way.
        const [receiver, sender] = fault.direction === 'answer' ? [client, upstream] : [upstream, client];
        setImmediate(() => receiver.end());
        sender.on('data', () => {});
        setTimeout(() => sender.destroy(), 200).unref();
      }
      if (fault.kind === 'half-open') {
        const forget = setTimeout(() => {
          client.destroy();
          upstream.destroy();
        }, linger);
        forget.unref();
      }
    };
    carry(client, upstream, fault?.direction === 'request' ? fault : undefined, strike);
    carry(upstream, client, fault?.direction === 'answer' ? fault : undefined, strike);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => {
      if (!silent) client.destroy();
    });
    upstream.on('error', () => client.resetAndDestroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};
