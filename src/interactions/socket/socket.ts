// The source of events: websockets to the service. Requests share them where the service allows it (decision 0014).
import PQueue from 'p-queue';
import { connectFrame } from '../../contract/index.ts';
import { faultFields, fingerprint, type Log } from '../../platform/log.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { monotonicClock } from '../../platform/time/clock.ts';
import type { EventSource, EventsRequest } from '../ports.ts';
import {
  type DownReason,
  readFrame,
  ServiceConnection,
  type ServiceConnectionListener,
  type ServiceConnectionOptions,
  type SocketLimits,
  usualSocketLimits,
} from './service-connection.ts';
import { SharedSocket } from './shared-socket.ts';

/** Concurrent handshakes: after a start thousands connect, and a listener's queue is short. */
const concurrentHandshakes = 200;

/**
 * Sockets to one service.
 * @param url - the service's websocket address, ws or wss
 * @param multiplex - whether requests share sockets where the service allows it; after it declines, it is not asked again
 * for ten minutes
 * @param clock - measures silence: monotonic, because the correction of a clock would count as silence
 * @throws {SettingsError} when the address cannot be one.
 */
export const makeEventSource = (
  url: string,
  multiplex: boolean,
  log: Log,
  limits: Partial<SocketLimits> = {},
  clock = monotonicClock,
): EventSource => {
  const address = URL.parse(url);
  if (!address || !/^wss?:$/.test(address.protocol) || `${address.username}${address.password}${address.hash}` !== '') {
    throw new SettingsError(['SERVICE_WS_URL: must be a ws or wss address without credentials or fragment.']);
  }
  const connection = { address, clock, bounds: { ...usualSocketLimits, ...limits } };
  const handshakes = new PQueue({ concurrency: concurrentHandshakes });
  const own: EventSource = (request) => new OwnSocket(request, connection, handshakes, log);
  return multiplex ? makeSharedSockets(connection, own, log) : own;
};

/** After a service declined, it is not asked again for this long (ms). */
const declinedFor = 600_000;

/**
 * An event source whose requests share sockets if the service allows it; otherwise each has its `own` (decision 0014).
 */
const makeSharedSockets = (connection: ServiceConnectionOptions, own: EventSource, log: Log): EventSource => {
  const sockets = new Set<SharedSocket>();
  let askAgainAt = 0;

  const socketFor = (requestId: string): SharedSocket | undefined => {
    for (const socket of sockets) if (socket.takes(requestId)) return socket;
    if (connection.clock.now() < askAgainAt) return undefined;
    const socket: SharedSocket = new SharedSocket(connection, log, own, (how) => {
      if (how === 'over') return void sockets.delete(socket);
      if (connection.clock.now() >= askAgainAt) log.info({ component: 'socket' }, 'the service does not let requests share a socket');
      askAgainAt = connection.clock.now() + declinedFor;
    });
    sockets.add(socket);
    return socket;
  };

  return (request: EventsRequest) => {
    const socket = request.requestId === undefined ? undefined : socketFor(request.requestId);
    return socket ? socket.follow(request) : own(request);
  };
};

/** Opens a socket and sends the token over it. Kept small: ten thousand of them wait at a time (decision 0014). */
class OwnSocket implements ServiceConnectionListener {
  readonly #request: EventsRequest;
  readonly #log: Log;
  #connection: ServiceConnection | undefined;
  #handshakeOver: () => void = () => {};
  #up = false;
  #over = false;
  #ignored = 0;
  #warned = false;

  /** @param handshakes limits concurrent handshakes */
  constructor(request: EventsRequest, options: ServiceConnectionOptions, handshakes: PQueue, log: Log) {
    this.#request = request;
    this.#log = log;
    void handshakes.add(() => this.#connect(options));
  }

  close(): void {
    this.#over = true;
    this.#connection?.close();
    this.#handshakeOver();
  }

  onOpen(): void {
    this.#handshakeOver();
    this.#connection?.send(connectFrame(this.#request.wsToken), () => this.#announce());
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    this.#announce();
    const read = isBinary ? ({ ignored: 'binary_frame' } as const) : readFrame(data);
    if ('ignored' in read) this.#ignore(read.ignored);
    // The listener may have closed it when it learnt that the socket is up.
    else if (!this.#over) this.#notify(() => this.#request.onEvent(read.type, read.frame));
  }

  onDown(reason: DownReason): void {
    this.#handshakeOver();
    this.#log.debug({ ...this.#about(), reason, count: this.#ignored }, 'the socket is down');
    this.#notify(() => this.#request.onDown(reason));
  }

  /** Resolves when the handshake is over, successful or not. */
  #connect(options: ServiceConnectionOptions): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      this.#handshakeOver = () => {
        this.#handshakeOver = () => {};
        resolve();
      };
      this.#connection = new ServiceConnection(options, this);
    });
  }

  #announce(): void {
    if (this.#over || this.#up) return;
    this.#up = true;
    this.#log.debug(this.#about(), 'the socket is up');
    this.#notify(() => this.#request.onUp());
  }

  #ignore(code: 'binary_frame' | 'malformed_frame' | 'unknown_event'): void {
    this.#ignored += 1;
    // Logged once per socket, since more will come from the same source. An unknown event is no fault: services may
    // have more.
    if (code === 'unknown_event') return;
    if (!this.#warned) this.#log.warn({ ...this.#about(), code }, 'a frame was ignored');
    this.#warned = true;
    if (!this.#over) this.#notify(() => this.#request.onMalformed?.());
  }

  /** Calls the listener. An exception must not end the process from inside a socket's event. */
  #notify(call: () => void): void {
    try {
      call();
    } catch (fault) {
      this.#log.error({ ...this.#about(), ...faultFields(fault) }, 'an event could not be handled');
    }
  }

  #about() {
    return { component: 'socket', token: fingerprint(this.#request.wsToken) };
  }
}
