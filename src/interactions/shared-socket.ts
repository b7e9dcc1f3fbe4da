// One socket for the events of many interactions, under the subprotocol `multiplex.v1` (decisions: Websocket; decision 0013).
import { connectFrame, multiplexProtocol } from '../contract/index.ts';
import { faultFields, fingerprint, type Log } from '../platform/log.ts';
import type { EventSource, EventsRequest } from './events.ts';
import { readFrame } from './read-frame.ts';
import { type DownReason, ServiceConnection, type ServiceConnectionListener, type ServiceConnectionOptions } from './service-connection.ts';

export interface SharedSocketOptions {
  readonly connection: ServiceConnectionOptions;
  readonly log: Log;
  /** It takes no more. Called before anybody is told that it is down. */
  readonly onOver: () => void;
  /** The service does not speak the protocol. */
  readonly onDeclined: () => void;
  /** Where those who came meanwhile go then. */
  readonly instead: EventSource;
}

/** So many CONNECTs are handed to the connection before it is waited for. */
const together = 128;
/** An unreadable frame may concern anybody, so everybody is told; no more often than this (ms), however many come. */
const malformedEvery = 5_000;

/** One socket carries so many: few enough that one which breaks is no storm, many enough that sockets cost nothing. */
const mostOnOne = 1_000;

/** Somebody who follows a request. */
class Follower {
  readonly #socket: SharedSocket;
  readonly request: EventsRequest;
  /** Its CONNECT is on its way. */
  up = false;
  /** It wants to hear no more. */
  closed = false;
  /** The socket of its own, where it has one after all. */
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

/** Opens when it is made. Ends when the service or the network ends it, or when the last one who follows anything leaves. */
export class SharedSocket implements ServiceConnectionListener {
  readonly #options: SharedSocketOptions;
  readonly #connection: ServiceConnection;
  /** By request. */
  readonly #followers = new Map<string, Follower>();
  /** By the fingerprint of the token, as errors name it. */
  readonly #named = new Map<string, Follower>();
  /** Those whose CONNECT has not gone out, in the order they came. */
  #unsaid: Follower[] = [];
  #open = false;
  #sending = false;
  /** The service lets it follow no more at the moment. */
  #full = false;
  #warned = false;
  #toldOfRubbish: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SharedSocketOptions) {
    this.#options = options;
    this.#connection = new ServiceConnection({ ...options.connection, protocol: multiplexProtocol }, this);
  }

  /** Whether it has room for one more, and does not follow that request already. */
  takes(requestId: string): boolean {
    return !this.#full && this.#followers.size < mostOnOne && !this.#followers.has(nameOf({ requestId }));
  }

  /** Follows a request that it {@link takes}. */
  follow(request: EventsRequest): { close(): void } {
    const follower = new Follower(this, request);
    this.#followers.set(nameOf(request), follower);
    this.#named.set(fingerprint(request.wsToken), follower);
    this.#unsaid.push(follower);
    this.#sendConnects();
    return follower;
  }

  /** Follows a request no longer. The protocol has no word for that, so what still comes for it is ignored. */
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
    this.#options.log.debug({ component: 'socket', count: this.#followers.size }, 'a shared socket is up');
    this.#sendConnects();
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    const read = isBinary ? ({ ignored: 'binary_frame' } as const) : readFrame(data);
    if ('type' in read) {
      const { type, frame } = read;
      const requestId = frame.payload?.request?.id;
      const follower = requestId === undefined ? undefined : this.#followers.get(nameOf({ requestId }));
      if (requestId === undefined) this.#rubbish('unaddressed_frame');
      if (!follower) return;
      this.#announce(follower);
      this.#tell(follower, (request) => request.onEvent(type, frame));
    } else if (read.ignored !== 'unknown_event') this.#rubbish(read.ignored);
    else if (read.frame.type === 'error') this.#refused(read.frame.error);
  }

  onDown(reason: DownReason | 'declined'): void {
    const { log, onDeclined, instead } = this.#options;
    const followers = [...this.#followers.values()];
    this.#end();
    log.debug({ component: 'socket', reason, count: followers.length }, 'a shared socket is down');
    if (reason === 'declined') {
      onDeclined();
      for (const follower of followers) if (!follower.closed) follower.instead = instead(follower.request);
    } else for (const follower of followers) this.#tell(follower, (request) => request.onDown(reason));
  }

  /** So many at a time, and the next when those are on their way: a thousand at once would wait in memory. */
  #sendConnects(): void {
    if (!this.#open || this.#sending) return;
    const said = this.#unsaid.splice(0, together);
    const last = said.at(-1);
    if (!last) return;
    this.#sending = true;
    const arrived = () => {
      this.#sending = false;
      // They went out in this order: with the last one, all are on their way.
      for (const follower of said) this.#announce(follower);
      this.#sendConnects();
    };
    for (const follower of said) this.#connection.send(connectFrame(follower.request.wsToken), follower === last ? arrived : () => {});
  }

  #announce(follower: Follower): void {
    if (follower.up) return;
    follower.up = true;
    this.#tell(follower, (request) => request.onUp());
  }

  /** One request will hear nothing here, or nothing more; the others are not concerned. */
  #refused(error: unknown): void {
    const { code, connect, requestId } = (error ?? {}) as { code?: unknown; connect?: unknown; requestId?: unknown };
    const follower = typeof requestId === 'string' ? this.#followers.get(nameOf({ requestId })) : this.#named.get(String(connect));
    const reason = typeof code === 'string' && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
    if (!follower || !reason) return;
    const { wsToken } = follower.request;
    this.#options.log.debug({ component: 'socket', token: fingerprint(wsToken), reason }, 'a request is not followed');
    this.leave(follower);
    if (code === tooMany) this.#full = true;
    this.#tell(follower, (request) => request.onDown(reason));
  }

  /** Logged once per socket, since where it comes from there is more. */
  #rubbish(code: 'binary_frame' | 'malformed_frame' | 'unaddressed_frame'): void {
    const { log, connection } = this.#options;
    if (!this.#warned) log.warn({ component: 'socket', code }, 'a frame was ignored');
    this.#warned = true;
    if (this.#timer) return;
    const since = this.#toldOfRubbish === undefined ? malformedEvery : connection.clock.now() - this.#toldOfRubbish;
    if (since >= malformedEvery) this.#tellOfRubbish();
    else this.#timer = setTimeout(() => this.#tellOfRubbish(), malformedEvery - since);
  }

  #tellOfRubbish(): void {
    this.#timer = undefined;
    this.#toldOfRubbish = this.#options.connection.clock.now();
    for (const follower of [...this.#followers.values()]) this.#tell(follower, (request) => request.onMalformed?.());
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#open = false;
    this.#followers.clear();
    this.#named.clear();
    this.#unsaid = [];
    this.#options.onOver();
  }

  /** Runs the other room's code: what it throws must not end the process from inside a socket's event. */
  #tell(follower: Follower, call: (request: EventsRequest) => void): void {
    if (follower.closed) return;
    try {
      call(follower.request);
    } catch (fault) {
      this.#options.log.error({ component: 'socket', ...faultFields(fault) }, 'an event could not be handled');
    }
  }
}

const tooMany = 'too_many_requests';

/** What a socket of its own would have gone down by (decision 0013). */
const reasons: Readonly<Record<string, DownReason>> = {
  unknown_token: 'closed_4404',
  [tooMany]: 'refused_429',
  cancelled: 'closed_1000',
};
