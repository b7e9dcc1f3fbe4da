// The source of events: websockets to the service, shared where it allows that.
import PQueue from 'p-queue';
import { type Clock, monotonicClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { OwnSocket } from './own-socket.ts';
import type { EventSource, EventsRequest } from './ports.ts';
import type { ServiceConnectionOptions, SocketLimits } from './service-connection.ts';
import { SharedSocket } from './shared-socket.ts';

export interface EventSourceOptions {
  /** The service's websocket address, ws or wss. */
  readonly url: string;
  /** Whether requests share sockets where the service allows it. One that declines is not asked again for ten minutes. */
  readonly multiplex?: boolean;
  readonly log: Log;
  /** Measures silence. Monotonic: a clock that is corrected would count a leap as silence. */
  readonly clock?: Clock;
  readonly limits?: Partial<SocketLimits>;
}

const usual: SocketLimits = { handshake: 5_000, frame: 64 * 1024, pingEvery: 20_000, deadAfter: 45_000, close: 2_000 };

/** Handshakes at a time: after a start thousands connect, and a listener's queue is short. */
const concurrentHandshakes = 200;

/** Sockets to one service. @throws {SettingsError} when the address cannot be one. */
export const makeEventSource = ({ url, multiplex = false, log, clock = monotonicClock, limits }: EventSourceOptions): EventSource => {
  const address = URL.parse(url);
  if (!address || !/^wss?:$/.test(address.protocol) || `${address.username}${address.password}${address.hash}` !== '') {
    throw new SettingsError(['SERVICE_WS_URL: must be a ws or wss address without credentials or fragment.']);
  }
  const connection = { address, clock, bounds: { ...usual, ...limits } };
  const handshakes = new PQueue({ concurrency: concurrentHandshakes });
  const own: EventSource = (request) => new OwnSocket(request, connection, handshakes, log);
  return multiplex ? makeSharedSockets({ connection, own, log }) : own;
};

interface SharedSocketsOptions {
  readonly connection: ServiceConnectionOptions;
  /** For requests that cannot share one. */
  readonly own: EventSource;
  readonly log: Log;
}

/** How long (ms) a service that declined is not asked again. */
const declinedFor = 600_000;

/** An event source whose requests share sockets where the service allows that; elsewhere each has its own (decision 0014). */
const makeSharedSockets = ({ connection, own, log }: SharedSocketsOptions): EventSource => {
  const sockets = new Set<SharedSocket>();
  let askAgainAt = 0;

  const socketFor = (requestId: string): SharedSocket | undefined => {
    for (const socket of sockets) if (socket.takes(requestId)) return socket;
    if (connection.clock.now() < askAgainAt) return undefined;
    const socket: SharedSocket = new SharedSocket({
      connection,
      log,
      onOver: () => sockets.delete(socket),
      onDeclined: () => {
        if (connection.clock.now() >= askAgainAt) log.info({ component: 'socket' }, 'the service does not let requests share a socket');
        askAgainAt = connection.clock.now() + declinedFor;
      },
      instead: own,
    });
    sockets.add(socket);
    return socket;
  };

  return (request: EventsRequest) => {
    const socket = request.requestId === undefined ? undefined : socketFor(request.requestId);
    return socket ? socket.follow(request) : own(request);
  };
};
