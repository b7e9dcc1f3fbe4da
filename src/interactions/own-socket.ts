// A socket for the events of one interaction.
import type PQueue from 'p-queue';
import { connectFrame } from '../contract/index.ts';
import { faultFields, fingerprint, type Log } from '../platform/log.ts';
import type { EventsRequest } from './events.ts';
import { readFrame } from './read-frame.ts';
import { type DownReason, ServiceConnection, type ServiceConnectionListener, type ServiceConnectionOptions } from './service-connection.ts';

/** Opens a socket and sends the token over it. Methods rather than closures, and no logger of its own: ten thousand wait, and hardly any ever logs. */
export class OwnSocket implements ServiceConnectionListener {
  readonly #request: EventsRequest;
  readonly #log: Log;
  #connection: ServiceConnection | undefined;
  #shaken: () => void = () => {};
  #up = false;
  #over = false;
  #ignored = 0;
  #warned = false;

  /** `handshakes`: what it waits for before it begins one. */
  constructor(request: EventsRequest, options: ServiceConnectionOptions, handshakes: PQueue, log: Log) {
    this.#request = request;
    this.#log = log;
    void handshakes.add(() => this.#connect(options));
  }

  close(): void {
    this.#over = true;
    this.#connection?.close();
    this.#shaken();
  }

  onOpen(): void {
    this.#shaken();
    this.#connection?.send(connectFrame(this.#request.wsToken), () => this.#announce());
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    this.#announce();
    const read = isBinary ? ({ ignored: 'binary_frame' } as const) : readFrame(data);
    if ('ignored' in read) this.#ignore(read.ignored);
    // Being told that the socket is up may have made the other room close it.
    else if (!this.#over) this.#tell(() => this.#request.onEvent(read.type, read.frame));
  }

  onDown(reason: DownReason | 'declined'): void {
    this.#shaken();
    this.#over = true;
    const known = reason === 'declined' ? 'unreachable' : reason;
    this.#log.debug({ ...this.#about(), reason: known, count: this.#ignored }, 'the socket is down');
    this.#tell(() => this.#request.onDown(known));
  }

  /** Resolves when the handshake is over, however that ends. */
  #connect(options: ServiceConnectionOptions): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      this.#shaken = () => {
        this.#shaken = () => {};
        resolve();
      };
      this.#connection = new ServiceConnection(options, this);
    });
  }

  #announce(): void {
    if (this.#over || this.#up) return;
    this.#up = true;
    this.#log.debug(this.#about(), 'the socket is up');
    this.#tell(() => this.#request.onUp());
  }

  #ignore(code: 'binary_frame' | 'malformed_frame' | 'unknown_event'): void {
    this.#ignored += 1;
    // Rubbish is told once per socket, since where it comes from there is more. An unknown event is none: services may have more than we know.
    if (code === 'unknown_event') return;
    if (!this.#warned) this.#log.warn({ ...this.#about(), code }, 'a frame was ignored');
    this.#warned = true;
    if (!this.#over) this.#tell(() => this.#request.onMalformed?.());
  }

  /** Runs the other room's code: what it throws must not end the process from inside a socket's event. */
  #tell(call: () => void): void {
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
