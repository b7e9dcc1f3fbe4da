// The stream of a conversation: a websocket that shows a client everything that happens in it, with bounds on the
// memory that one client can take up.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { readFrames } from '../platform/http/read-frames.ts';
import { closeSockets, refuseUpgrade, routeUpgrades } from '../platform/http/upgrades.ts';
import { makeLimit } from '../platform/limits.ts';
import { faultFields } from '../platform/log.ts';
import { rates } from '../platform/rates.ts';
import { withTimeout } from '../platform/time/waits.ts';
import type { DirectLineContext } from './context.ts';
import { type ActivitySet, type Cursor, makePump, originForClient, type Pump, parseWatermark, present, readOn } from './reading.ts';
import type { Change } from './signals.ts';

export const streamLimits = {
  /** Sockets of one conversation. Another one replaces the oldest, which may be half open. */
  perConversation: 5,
  /** Milliseconds between pings. A socket that did not answer the previous one is dropped. */
  pingMs: 20_000,
  /** Milliseconds for a client to accept a frame. */
  sendMs: 15_000,
  /** Bytes of a frame from a client, which has nothing to send here. */
  incoming: 1024,
};

const path = /^\/v3\/directline\/conversations\/([^/?]+)\/stream$/;

/** Frames that are written at once have this many characters, or are the last of them. */
const writeSize = 64 * 1024;

/** How long (ms) an answer waits for streams, which a client may read slowly. */
const maxWaitMs = 500;

/** Close codes (RFC 6455, 7.4.1 and the registry). */
const close = { serverError: 1011, restart: 1012, gone: 4404, replaced: 4409 } as const;

export type Streams = ReturnType<typeof makeStreams>;

export const makeStreams = (
  { server, chats, signals, tokens, publicUrl, log, clock }: DirectLineContext,
  mayConnect: (request: IncomingMessage) => boolean,
  limits = streamLimits,
) => {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: limits.incoming, clientTracking: true });
  const open = new Map<string, Set<WebSocket>>();
  const takeFrame = makeLimit(rates.chatFrames).admits;
  const pumps = new WeakMap<WebSocket, Pump>();
  const answered = new WeakSet<WebSocket>();
  /** When the conversation's tokens end, in seconds of the epoch. */
  const ends = new WeakMap<WebSocket, number>();

  const admit = (conversationId: string, socket: WebSocket) => {
    const peers = open.get(conversationId) ?? new Set();
    open.set(conversationId, peers.add(socket));
    const [oldest] = peers;
    if (peers.size > limits.perConversation && oldest) {
      peers.delete(oldest);
      oldest.close(close.replaced);
    }
    return () => {
      peers.delete(socket);
      if (peers.size === 0 && open.get(conversationId) === peers) open.delete(conversationId);
    };
  };

  /** Sends a frame for each set, as many in one write as {@link writeSize} allows: a write costs more than its frames. */
  const send = async (socket: WebSocket, tcp: Duplex, sets: readonly ActivitySet[]) => {
    let next = 0;
    const sendSome = (resolve: () => void, reject: (fault: Error) => void) => {
      const slow = setTimeout(() => {
        socket.terminate();
        reject(new Error('the client does not read'));
      }, limits.sendMs);
      const accepted = (fault?: Error | null) => {
        clearTimeout(slow);
        if (fault) reject(fault);
        else resolve();
      };
      tcp.cork();
      for (let size = 0; next < sets.length && size < writeSize; ) {
        const frame = JSON.stringify(sets[next]);
        next += 1;
        size += frame.length;
        if (next === sets.length || size >= writeSize) socket.send(frame, accepted);
        else socket.send(frame);
      }
      tcp.uncork();
    };
    while (next < sets.length) await new Promise<void>(sendSome);
  };

  const serve = (socket: WebSocket, tcp: Duplex, conversationId: string, from: Cursor, origin: string) => {
    const leave = admit(conversationId, socket);
    const pump = makePump(
      from,
      (cursor) => readOn(chats, conversationId, cursor),
      (page) => present(tokens, conversationId, origin, page.activities),
      (sets) => send(socket, tcp, sets),
    );
    pumps.set(socket, pump);
    const cut = (fault: unknown) => {
      // A client that left in the middle is no fault of ours.
      if (socket.readyState !== socket.OPEN) return;
      log.warn({ ...faultFields(fault), component: 'directline', conversation: conversationId }, 'a stream was cut');
      socket.close(close.serverError);
    };
    const look = (change: Change = {}) => {
      pump.run(change).then((end) => end === 'gone' && socket.close(close.gone), cut);
    };
    const unsubscribe = signals.subscribe(conversationId, look);
    answered.add(socket);
    socket.on('pong', () => answered.add(socket));
    readFrames(
      socket,
      () => takeFrame(conversationId),
      () => answered.add(socket),
      cut,
    );
    socket.on('close', () => {
      unsubscribe();
      leave();
    });
    look();
  };

  const upgrade = async (request: IncomingMessage, tcp: Duplex, head: Buffer, { pathname, searchParams }: URL) => {
    const conversationId = decodeURIComponent(path.exec(pathname)?.[1] ?? '');
    const cursor = parseWatermark(searchParams.get('watermark'));
    const until = await tokens.opensStream(searchParams.get('t') ?? '', conversationId);
    if (!mayConnect(request) || until === undefined) return refuseUpgrade(tcp, 403);
    if (!cursor) return refuseUpgrade(tcp, 400);
    const chat = await chats.get(conversationId);
    if (!chat) return refuseUpgrade(tcp, 404);
    if (chat.ended) return refuseUpgrade(tcp, 403);
    const origin = originForClient(request, publicUrl);
    sockets.handleUpgrade(request, tcp, head, (socket) => {
      ends.set(socket, until);
      serve(socket, tcp, conversationId, cursor, origin);
    });
  };

  const stopRouting = routeUpgrades(server.node, { component: 'directline', log, takes: (asked) => path.test(asked), upgrade });

  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (clock.now() >= (ends.get(socket) ?? 0) * 1000) socket.close(close.gone);
      else if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, limits.pingMs);
  heartbeat.unref();

  return {
    /** Resolves when this process's streams of a conversation have shown all they know of, or cannot for a while. */
    shown: async (conversationId: string): Promise<void> => {
      const sending = [...(open.get(conversationId) ?? [])].map((socket) => pumps.get(socket)?.idle());
      if (sending.length > 0) await withTimeout(Promise.allSettled(sending), maxWaitMs, () => {});
    },

    /** Disconnects every client, to reconnect to another process, and resolves when all are gone. */
    close: async () => {
      clearInterval(heartbeat);
      stopRouting();
      await closeSockets(sockets, close.restart);
    },
  };
};
