// A socket for the events of one interaction.
import type PQueue from 'p-queue';
import { connectFrame } from '../contract/index.ts';
import { faultFields, fingerprint, type Log } from '../platform/log.ts';
import type { EventsRequest } from './ports.ts';
import {
  type DownReason,
  readFrame,
  ServiceConnection,
  type ServiceConnectionListener,
  type ServiceConnectionOptions,
} from './service-connection.ts';

/** Opens a socket and sends the token over it. Kept small: ten thousand of them wait at a time (decision 0015). */
export class OwnSocket implements ServiceConnectionListener {
  readonly #request: EventsRequest;
  readonly #log: Log;
  #connection: ServiceConnection | undefined;
  #handshakeOver: () => void = () => {};
  #up = false;
  #over = false;
  #ignored = 0;
  #warned = false;

  /** @param handshakes limits the handshakes at a time */
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
    // The listener may have closed it when it heard that the socket is up.
    else if (!this.#over) this.#notify(() => this.#request.onEvent(read.type, read.frame));
  }

  onDown(reason: DownReason | 'declined'): void {
    this.#handshakeOver();
    this.#over = true;
    const known = reason === 'declined' ? 'unreachable' : reason;
    this.#log.debug({ ...this.#about(), reason: known, count: this.#ignored }, 'the socket is down');
    this.#notify(() => this.#request.onDown(known));
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
    // Logged once per socket: where one comes from, more will. An unknown event is no fault: services may have more.
    if (code === 'unknown_event') return;
    if (!this.#warned) this.#log.warn({ ...this.#about(), code }, 'a frame was ignored');
    this.#warned = true;
    if (!this.#over) this.#notify(() => this.#request.onMalformed?.());
  }

  /** Calls the listener: what it throws must not end the process from inside a socket's event. */
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
