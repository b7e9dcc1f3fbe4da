// The websockets of calls, over which a gateway receives the bot's unrequested messages: an outcome, or that we
// are still waiting.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { HttpServer } from '../platform/http-server.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { callPrefix } from './activity.ts';
import type { Signals } from './connector.ts';

export interface CallSocketsOptions {
  readonly server: HttpServer;
  readonly signals: Signals;
  readonly isGateway: (authorization: string | undefined) => boolean;
  /** Takes the messages of a call that are due now. */
  readonly take: (chatId: string) => Promise<object[]>;
  readonly log: Log;
}

const path = /^\/voice\/audiocodes\/conversations\/([\w.:%-]{1,300})\/websocket$/;
/** The gateway sends nothing here. */
const incoming = 1024;
const close = { serverError: 1011, restart: 1012, replaced: 4409 } as const;

const reasons: Readonly<Record<number, string>> = { 401: 'Unauthorized', 404: 'Not Found' };
const refuse = (tcp: Duplex, status: number) => {
  tcp.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

export const makeCallSockets = ({ server, signals, isGateway, take, log }: CallSocketsOptions) => {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: incoming, clientTracking: true });
  const open = new Map<string, { readonly socket: WebSocket; say(first?: readonly object[]): Promise<void> }>();

  const serve = (socket: WebSocket, conversation: string) => {
    const chatId = callPrefix + conversation;
    open.get(chatId)?.socket.close(close.replaced);
    let last: Promise<void> = Promise.resolve();
    // One after the other, so that messages stay in order.
    const say = (first: readonly object[] = []) => {
      last = last
        .then(async () => {
          if (socket.readyState !== socket.OPEN) return;
          const activities = [...first, ...(await take(chatId))];
          if (activities.length > 0) socket.send(JSON.stringify({ conversation, activities }));
        })
        .catch((fault: unknown) => {
          log.warn({ ...faultFields(fault), component: 'voice', conversation: chatId }, 'a call could not be spoken to');
          socket.close(close.serverError);
        });
      return last;
    };
    const entry = { socket, say };
    open.set(chatId, entry);
    const unsubscribe = signals.subscribe(chatId, (change) => {
      if (!change?.passing) void say();
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      unsubscribe();
      if (open.get(chatId) === entry) open.delete(chatId);
    });
    void say();
  };

  const onUpgrade = (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    tcp.on('error', () => tcp.destroy());
    const conversation = path.exec(request.url ?? '')?.[1];
    if (conversation === undefined) {
      // restify's relay and the chats' streams listen too, and ignore requests that are not theirs.
      if (server.node.listenerCount('upgrade') <= 3 && !request.url?.startsWith('/v3/directline/')) refuse(tcp, 404);
    } else if (!isGateway(request.headers.authorization)) refuse(tcp, 401);
    else sockets.handleUpgrade(request, tcp, head, (socket) => serve(socket, decodeURIComponent(conversation)));
  };
  server.node.on('upgrade', onUpgrade);

  return {
    /** Sends a call's pending messages over its websocket, `first` before them; `false`: it has no websocket here. */
    say: async (chatId: string, first: readonly object[]): Promise<boolean> => {
      const entry = open.get(chatId);
      await entry?.say(first);
      return entry !== undefined;
    },

    close: async () => {
      server.node.off('upgrade', onUpgrade);
      for (const socket of sockets.clients) socket.close(close.restart);
      sockets.close();
    },
  };
};
