// One websocket to the service: a handshake with a deadline, pings, one reason for going down, and the reading of
// frames.
import { type RawData, WebSocket } from 'ws';
import { type EventFrame, type EventType, eventFrame, eventType } from '../../contract/index.ts';
import { readJson } from '../../platform/http/bounded-json.ts';
import { errorBoundary } from '../../platform/process/faults.ts';
import type { Clock } from '../../platform/time/clock.ts';

/**
 * Why a socket is down. `unreachable`: it never came up. `refused_<status>`: the service answered the upgrade with this
 * HTTP status, redirects included. `handshake_timeout`: it did not come up in time. `closed_<code>`: the service closed
 * it (1000: no more events; 4404: the token is unknown). `lost`: the connection broke. `silent`: no sign of life.
 * `oversized_frame`, `invalid_frame`: the service broke the websocket protocol. `declined`: it does not speak the protocol
 * that was asked for.
 */
export type DownReason =
  | 'declined'
  | 'handshake_timeout'
  | 'invalid_frame'
  | 'lost'
  | 'oversized_frame'
  | 'silent'
  | 'unreachable'
  | `closed_${number}`
  | `refused_${number}`;

export type SocketLimits = typeof usualSocketLimits;
export const usualSocketLimits = {
  /** Milliseconds until the handshake must be done. */
  handshake: 5_000,
  /** Bytes of one message. */
  frame: 64 * 1024,
  /** Milliseconds between two pings. */
  pingEvery: 20_000,
  /** Milliseconds without a sign of life after which the other side counts as gone. */
  deadAfter: 45_000,
  /** Milliseconds that a closing handshake may take. */
  close: 2_000,
};

/** Options that every connection to the service shares. */
export interface ServiceConnectionOptions {
  readonly address: URL;
  /** Measures silence. */
  readonly clock: Clock;
  readonly bounds: SocketLimits;
  /** The subprotocol to ask for. */
  readonly protocol?: string;
}

/** Receives the events of a connection. */
export interface ServiceConnectionListener {
  /** The handshake is done, and the service speaks the protocol that was asked for. */
  onOpen(): void;
  onMessage(data: Buffer, isBinary: boolean): void;
  /** The connection is down. The last call. */
  onDown(reason: DownReason): void;
}

/** A class rather than closures, to save memory: ten thousand may be open. */
export class ServiceConnection {
  readonly #socket: WebSocket;
  readonly #options: ServiceConnectionOptions;
  readonly #listener: ServiceConnectionListener;
  #over = false;
  #up = false;
  #declined = false;
  #heard: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ServiceConnectionOptions, listener: ServiceConnectionListener) {
    const { address, bounds, clock, protocol } = options;
    this.#options = options;
    this.#listener = listener;
    this.#heard = clock.now();
    const settings = { maxPayload: bounds.frame, perMessageDeflate: false, followRedirects: false, closeTimeout: bounds.close };
    const socket = new WebSocket(address, protocol === undefined ? [] : [protocol], settings);
    this.#socket = socket;
    // Instead of the library's handshakeTimeout, which starts again with every byte that trickles in.
    this.#timer = setTimeout(() => this.#giveUp('handshake_timeout'), bounds.handshake);
    socket.on('open', () => this.#opened());
    const receive = (data: RawData, isBinary: boolean) => {
      if (this.#over) return;
      this.#alive();
      listener.onMessage(data as Buffer, isBinary);
    };
    socket.on(
      'message',
      errorBoundary(receive, () => this.#giveUp('invalid_frame')),
    );
    socket.on('ping', () => this.#alive());
    socket.on('pong', () => this.#alive());
    // For an answer without the protocol, the library's error differs from others only in its text.
    if (protocol !== undefined) {
      socket.on('upgrade', ({ headers }) => {
        this.#declined = headers['sec-websocket-protocol'] !== protocol;
      });
    }
    socket.on('unexpected-response', (_request, { statusCode }) => this.#giveUp(`refused_${statusCode ?? 0}`));
    socket.on('error', (fault) => this.#down(this.#meaningOf(fault)));
    // 1006 stands for an end without a closing frame (RFC 6455, section 7.1.5).
    socket.on('close', (code) => this.#down(code === 1006 ? this.#broken() : `closed_${code}`));
  }

  /** Sends a text; `sent` is called once it was sent, and never if it cannot be. */
  send(text: string, sent: () => void): void {
    this.#socket.send(text, (fault) => {
      if (fault || this.#over) return;
      this.#up = true;
      sent();
    });
  }

  /** Closes it. Its listener is not called any more. */
  close(): void {
    if (this.#over) return;
    this.#end();
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(1000);
    else this.#socket.terminate();
  }

  #opened(): void {
    clearTimeout(this.#timer);
    this.#alive();
    this.#timer = setTimeout(() => this.#ping(), this.#options.bounds.pingEvery);
    this.#listener.onOpen();
  }

  /** Pings. A silent connection ends when its time is up, rather than at the next ping. */
  #ping(): void {
    const { bounds, clock } = this.#options;
    const quiet = clock.now() - this.#heard;
    if (quiet >= bounds.deadAfter) {
      this.#giveUp('silent');
      return;
    }
    this.#socket.ping();
    this.#timer = setTimeout(() => this.#ping(), Math.min(bounds.pingEvery, bounds.deadAfter - quiet));
  }

  #alive(): void {
    this.#heard = this.#options.clock.now();
  }

  #giveUp(reason: DownReason): void {
    this.#down(reason);
    this.#socket.terminate();
  }

  #down(reason: DownReason): void {
    if (this.#over) return;
    this.#end();
    this.#listener.onDown(reason);
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #meaningOf({ code }: NodeJS.ErrnoException): DownReason {
    if (this.#declined) return 'declined';
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 'oversized_frame';
    return code?.startsWith('WS_ERR_') ? 'invalid_frame' : this.#broken();
  }

  #broken(): DownReason {
    return this.#up ? 'lost' : 'unreachable';
  }
}

/** The deepest nesting of a frame. */
const depth = 32;

/** The event, or a code for the log if there is none. An unknown type is no fault: services may have more types. */
export type FrameReading =
  | { readonly type: EventType; readonly frame: EventFrame }
  | { readonly ignored: 'unknown_event'; readonly frame: EventFrame }
  | { readonly ignored: 'malformed_frame' };

/** Reads a frame's bytes. */
export const readFrame = (data: Uint8Array): FrameReading => {
  const reading = readJson(data, depth);
  const parsed = 'value' in reading ? eventFrame.safeParse(reading.value) : undefined;
  if (!parsed?.success) return { ignored: 'malformed_frame' };
  const type = eventType(parsed.data.type);
  return type ? { type, frame: parsed.data } : { ignored: 'unknown_event', frame: parsed.data };
};
