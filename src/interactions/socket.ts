// One websocket to the service for the events of one interaction: a hint of what happens, never the truth (decisions: Websocket).
import { WebSocket } from 'ws';
import { connectFrame, type EventFrame, type EventType } from '../contract/index.ts';
import { type Clock, monotonicClock } from '../platform/clock.ts';
import { faultFields, fingerprint, type Log } from '../platform/log.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { readFrame } from './read-frame.ts';

/**
 * Why a socket is down. `unreachable`: it never came up. `refused_<status>`: the service answered the upgrade with this HTTP status; a
 * redirect is one of them. `handshake_timeout`: it did not come up in time. `closed_<code>`: the service closed it (1000: nothing more
 * comes; 4404: the token is unknown). `lost`: the connection broke. `silent`: no sign of life. `oversized_frame`, `invalid_frame`: the
 * service sent what no websocket may.
 */
export type DownReason =
  | 'handshake_timeout'
  | 'invalid_frame'
  | 'lost'
  | 'oversized_frame'
  | 'silent'
  | 'unreachable'
  | `closed_${number}`
  | `refused_${number}`;

export interface EventsRequest {
  /** The token of the send. It travels in the first frame only: never in the address, never in a log. */
  readonly wsToken: string;
  /** The token is on its way to the service: the moment to read the result once. Called once, before any event. */
  onUp(): void;
  /** An event whose type is known. Others are ignored. */
  onEvent(type: EventType, frame: EventFrame): void;
  /** A frame came that cannot be read. It may have been the one that mattered, so the result tells more (faults: malformed frame). */
  onMalformed?(): void;
  /** The socket is gone. Called once, and nothing is called after it; not at all when this side closed it. */
  onDown(reason: DownReason): void;
}

/** Opens a socket for one token. It does not come back by itself: whoever opened it decides when to try again. Never throws. */
export type EventSource = (request: EventsRequest) => { close(): void };

export interface SocketLimits {
  /** Milliseconds until the handshake must be done. */
  readonly handshake: number;
  /** Bytes of one message. */
  readonly frame: number;
  /** Milliseconds between two pings. */
  readonly pingEvery: number;
  /** Milliseconds without any sign of life after which the other side counts as gone. */
  readonly deadAfter: number;
  /** Milliseconds that a closing handshake may take. */
  readonly close: number;
}

export interface EventSourceOptions {
  /** The service's websocket address, ws or wss. */
  readonly url: string;
  readonly log: Log;
  /** Measures silence; a clock that is corrected now and then would take a leap for silence. */
  readonly clock?: Clock;
  readonly limits?: Partial<SocketLimits>;
}

const usual: SocketLimits = { handshake: 5_000, frame: 64 * 1024, pingEvery: 20_000, deadAfter: 45_000, close: 2_000 };

/** Sockets to one service. @throws {SettingsError} when the address cannot be one. */
export const makeEventSource = ({ url, log, clock = monotonicClock, limits }: EventSourceOptions): EventSource => {
  const address = URL.parse(url);
  if (!address || !/^wss?:$/.test(address.protocol) || `${address.username}${address.password}${address.hash}` !== '') {
    throw new SettingsError(['SERVICE_WS_URL: must be a ws or wss address without credentials or fragment.']);
  }
  const bounds = { ...usual, ...limits };
  return (request) => openEvents(address, request, log, clock, bounds);
};

const openEvents = (
  address: URL,
  { wsToken, onUp, onEvent, onMalformed, onDown }: EventsRequest,
  log: Log,
  clock: Clock,
  bounds: SocketLimits,
) => {
  let over = false;
  let up = false;
  let ignored = 0;
  let warned = false;
  let heard = clock.now();
  let timer: NodeJS.Timeout | undefined;

  // Made for each line rather than kept in a child logger: ten thousand sockets wait, and hardly any of them ever logs.
  const about = () => ({ component: 'socket', token: fingerprint(wsToken) });
  const options = { maxPayload: bounds.frame, perMessageDeflate: false, followRedirects: false, closeTimeout: bounds.close };
  const socket = new WebSocket(address, options);

  /** Runs the other room's code: what it throws must not end the process from inside a socket's event. */
  const tell = (call: () => void) => {
    try {
      call();
    } catch (fault) {
      log.error({ ...about(), ...faultFields(fault) }, 'an event could not be handled');
    }
  };
  const end = () => {
    over = true;
    clearTimeout(timer);
  };
  const down = (reason: DownReason) => {
    if (over) return;
    end();
    log.debug({ ...about(), reason, count: ignored }, 'the socket is down');
    tell(() => onDown(reason));
  };
  const announce = () => {
    if (over || up) return;
    up = true;
    log.debug(about(), 'the socket is up');
    tell(onUp);
  };
  const ignore = (code: 'binary_frame' | 'malformed_frame' | 'unknown_event') => {
    ignored += 1;
    // Rubbish is told once per socket, since where it comes from there is more. An unknown event is none: services may have more than we know.
    if (code === 'unknown_event') return;
    if (!warned) log.warn({ ...about(), code }, 'a frame was ignored');
    warned = true;
    if (onMalformed && !over) tell(onMalformed);
  };

  /** Pings, and notices silence on the dot rather than at the next ping. */
  const watch = () => {
    const quiet = clock.now() - heard;
    if (quiet >= bounds.deadAfter) {
      down('silent');
      socket.terminate();
      return;
    }
    socket.ping();
    timer = setTimeout(watch, Math.min(bounds.pingEvery, bounds.deadAfter - quiet));
  };
  const alive = () => {
    heard = clock.now();
  };

  // Instead of the library's handshakeTimeout, which starts again with every byte that trickles in.
  timer = setTimeout(() => {
    down('handshake_timeout');
    socket.terminate();
  }, bounds.handshake);

  socket.on('open', () => {
    if (over) return;
    clearTimeout(timer);
    alive();
    socket.send(connectFrame(wsToken), (fault) => {
      if (!fault) announce();
    });
    timer = setTimeout(watch, bounds.pingEvery);
  });
  socket.on('ping', alive);
  socket.on('pong', alive);
  socket.on('message', (data, isBinary) => {
    if (over) return;
    alive();
    announce();
    const read = isBinary ? ({ ignored: 'binary_frame' } as const) : readFrame(data as Buffer);
    if ('ignored' in read) ignore(read.ignored);
    // Being told that the socket is up may have made the other room close it.
    else if (!over) tell(() => onEvent(read.type, read.frame));
  });
  socket.on('unexpected-response', (_req, res) => {
    down(`refused_${res.statusCode ?? 0}`);
    socket.terminate();
  });
  socket.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') down('oversized_frame');
    else if (fault.code?.startsWith('WS_ERR_')) down('invalid_frame');
    else down(up ? 'lost' : 'unreachable');
  });
  // 1006 is the library's own word for an end without a closing frame (RFC 6455, section 7.1.5).
  socket.on('close', (code) => down(code !== 1006 ? `closed_${code}` : up ? 'lost' : 'unreachable'));

  return {
    close: () => {
      if (over) return;
      end();
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      else socket.terminate();
    },
  };
};
