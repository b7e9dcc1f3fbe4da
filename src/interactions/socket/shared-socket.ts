// One socket for the events of many interactions, under the subprotocol `multiplex.v1` (decision 0014).
import { connectFrame, multiplexProtocol } from '../../contract/index.ts';
import { faultFields, fingerprint, type Log } from '../../platform/log.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { EventSource, EventsRequest } from '../ports.ts';
import {
  type DownReason,
  readFrame,
  ServiceConnection,
  type ServiceConnectionListener,
  type ServiceConnectionOptions,
} from './service-connection.ts';

/** CONNECT frames that are passed to the connection at a time. */
const connectBatch = 128;
/** An unreadable frame may concern any follower, so all are notified, at most once in this time (ms). */
const malformedEvery = 5_000;

/** Requests on one socket: few enough that a broken socket causes no storm, many enough that sockets cost little. */
const maxFollowers = 1_000;

/** A request that is followed over the socket. */
class Follower {
  readonly #socket: SharedSocket;
  readonly request: EventsRequest;
  /** Its CONNECT was sent. */
  up = false;
  /** Its user closed it; it is not called any more. */
  closed = false;
  /** Its own socket, if the service declined to share one. */
  instead: { close(): void } | undefined;

  constructor(socket: SharedSocket, request: EventsRequest) {
    this.#socket = socket;
    this.request = request;
  }

  close(): void {
    this.closed = true;
    this.instead?.close();
    this.#socket.leave(this);
  }
}

const nameOf = ({ requestId = '' }: Pick<EventsRequest, 'requestId'>) => requestId.toUpperCase();

/** Opens when it is created. Ends when the service or the network ends it, or when the last follower leaves. */
export class SharedSocket implements ServiceConnectionListener {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #instead: EventSource;
  readonly #ended: (how: 'declined' | 'over') => void;
  readonly #connection: ServiceConnection;
  /** By request. */
  readonly #followers = new Map<string, Follower>();
  /** By the token's fingerprint, which errors contain. */
  readonly #named = new Map<string, Follower>();
  /** Followers whose CONNECT has not been sent, in order. */
  readonly #pending: Follower[] = [];
  #open = false;
  #sending = false;
  /** The service accepts no more requests on it for now. */
  #full = false;
  #warned = false;
  #malformedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param instead - opens separate sockets for followers that joined before the service declined
   * @param ended - called when the socket is `over`, before its followers learn that it is down, and then if the service
   * has `declined`: it does not speak the protocol
   */
  constructor(options: ServiceConnectionOptions, log: Log, instead: EventSource, ended: (how: 'declined' | 'over') => void) {
    [this.#clock, this.#log, this.#instead, this.#ended] = [options.clock, log, instead, ended];
    this.#connection = new ServiceConnection({ ...options, protocol: multiplexProtocol }, this);
  }

  /** Whether it has room for one more, and does not follow that request already. */
  takes(requestId: string): boolean {
    return !this.#full && this.#followers.size < maxFollowers && !this.#followers.has(nameOf({ requestId }));
  }

  /** Follows a request that it {@link takes}. */
  follow(request: EventsRequest): { close(): void } {
    const follower = new Follower(this, request);
    this.#followers.set(nameOf(request), follower);
    this.#named.set(fingerprint(request.wsToken), follower);
    this.#pending.push(follower);
    this.#sendConnects();
    return follower;
  }

  /** Stops following a request. The protocol has no message for that, so later frames for it are ignored. */
  leave(follower: Follower): void {
    const { request } = follower;
    if (this.#followers.get(nameOf(request)) !== follower) return;
    this.#followers.delete(nameOf(request));
    this.#named.delete(fingerprint(request.wsToken));
    this.#full = false;
    if (this.#followers.size > 0) return;
    this.#end();
    this.#connection.close();
  }

  onOpen(): void {
    this.#open = true;
    this.#log.debug({ component: 'socket', count: this.#followers.size }, 'a shared socket is up');
    this.#sendConnects();
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    const read = isBinary ? ({ ignored: 'binary_frame' } as const) : readFrame(data);
    if ('type' in read) {
      const { type, frame } = read;
      const requestId = frame.payload?.request?.id;
      const follower = requestId === undefined ? undefined : this.#followers.get(nameOf({ requestId }));
      if (requestId === undefined) this.#malformed('unaddressed_frame');
      if (!follower) return;
      this.#announce(follower);
      this.#notify(follower, (request) => request.onEvent(type, frame));
    } else if (read.ignored !== 'unknown_event') this.#malformed(read.ignored);
    else if (read.frame.type === 'error') this.#refused(read.frame.error);
  }

  onDown(reason: DownReason): void {
    const followers = [...this.#followers.values()];
    this.#end();
    this.#log.debug({ component: 'socket', reason, count: followers.length }, 'a shared socket is down');
    if (reason === 'declined') {
      this.#ended('declined');
      for (const follower of followers) if (!follower.closed) follower.instead = this.#instead(follower.request);
    } else for (const follower of followers) this.#notify(follower, (request) => request.onDown(reason));
  }

  /** Sends in batches, each after the previous one was sent: a thousand frames at once would fill memory. */
  #sendConnects(): void {
    if (!this.#open || this.#sending) return;
    const batch = this.#pending.splice(0, connectBatch);
    const last = batch.at(-1);
    if (!last) return;
    this.#sending = true;
    const arrived = () => {
      this.#sending = false;
      // Frames are sent in order: after the last one, all are out.
      for (const follower of batch) this.#announce(follower);
      this.#sendConnects();
    };
    for (const follower of batch) this.#connection.send(connectFrame(follower.request.wsToken), follower === last ? arrived : () => {});
  }

  #announce(follower: Follower): void {
    if (follower.up) return;
    follower.up = true;
    this.#notify(follower, (request) => request.onUp());
  }

  /** The service refuses one request, or stops following it. The others continue. */
  #refused(error: unknown): void {
    const { code, connect, requestId } = (error ?? {}) as { code?: unknown; connect?: unknown; requestId?: unknown };
    const follower = typeof requestId === 'string' ? this.#followers.get(nameOf({ requestId })) : this.#named.get(String(connect));
    const reason = typeof code === 'string' ? ownValue(reasons, code) : undefined;
    if (!follower || !reason) return;
    const { wsToken } = follower.request;
    this.#log.debug({ component: 'socket', token: fingerprint(wsToken), reason }, 'a request is not followed');
    this.leave(follower);
    if (code === tooMany) this.#full = true;
    this.#notify(follower, (request) => request.onDown(reason));
  }

  /** Logged once per socket, since more will come from the same source. */
  #malformed(code: 'binary_frame' | 'malformed_frame' | 'unaddressed_frame'): void {
    if (!this.#warned) this.#log.warn({ component: 'socket', code }, 'a frame was ignored');
    this.#warned = true;
    if (this.#timer) return;
    const since = this.#malformedAt === undefined ? malformedEvery : this.#clock.now() - this.#malformedAt;
    if (since >= malformedEvery) this.#reportMalformed();
    else this.#timer = setTimeout(() => this.#reportMalformed(), malformedEvery - since);
  }

  #reportMalformed(): void {
    this.#timer = undefined;
    this.#malformedAt = this.#clock.now();
    for (const follower of [...this.#followers.values()]) this.#notify(follower, (request) => request.onMalformed?.());
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#followers.clear();
    this.#named.clear();
    this.#ended('over');
  }

  /** Calls a follower. An exception must not end the process from inside a socket's event. */
  #notify(follower: Follower, call: (request: EventsRequest) => void): void {
    if (follower.closed) return;
    try {
      call(follower.request);
    } catch (fault) {
      this.#log.error({ component: 'socket', ...faultFields(fault) }, 'an event could not be handled');
    }
  }
}

const tooMany = 'too_many_requests';

/** The reason by which a separate socket for this request would have gone down (decision 0014). */
const reasons: Readonly<Record<string, DownReason>> = {
  unknown_token: 'closed_4404',
  [tooMany]: 'refused_429',
  cancelled: 'closed_1000',
};
