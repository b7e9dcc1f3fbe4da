// The websocket endpoint: CONNECT frames in, events out, and every peer that misbehaves or is gone let go.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type EventFrame, multiplexProtocol } from '../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { makeNameRequest } from '../../platform/request-id.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Listeners } from '../listeners.ts';
import type { Random } from '../random.ts';
import { hashToken } from '../seal.ts';
import type { Requests } from '../store/requests.ts';
import { errorFrame, nameOfToken } from './frame.ts';
import type { SubscriptionError } from './messages.ts';
import { follow } from './subscription.ts';

/** Where the endpoint is. */
export const socketPath = '/ws';

/** Why a socket was closed (decisions: Websocket). */
export const closeCodes = { done: 1000, goingAway: 1001, fault: 1011, malformed: 4400, noConnect: 4401, unknownToken: 4404 } as const;

export interface SocketsOptions {
  readonly node: Server;
  readonly requests: Requests;
  readonly listeners: Listeners;
  readonly limits: ServiceLimits['socket'];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface Sockets {
  /** Says goodbye to every peer and lets go of those that do not answer within a second. */
  close(): Promise<void>;
}

/** `CONNECT <token>`, and nothing else. */
const connectPattern = /^CONNECT ([A-Za-z0-9_-]{16,200})$/;
/** A peer that reads this much less than it is sent is let go. */
const mostBuffered = 1024 * 1024;

export const openSockets = ({ node, requests, listeners, limits, clock, random, log }: SocketsOptions): Sockets => {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(multiplexProtocol) ? multiplexProtocol : false),
  });
  const nameRequest = makeNameRequest();
  server.on('headers', (headers, request) => headers.push(`X-Request-Id: ${nameRequest(request.headers['x-request-id'])}`));

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer may vanish before the handshake is over.
    socket.on('error', () => socket.destroy());
    if (request.url?.split('?', 1)[0] !== socketPath) {
      socket.end(
        `HTTP/1.1 404 Not Found\r\nX-Request-Id: ${nameRequest(request.headers['x-request-id'])}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    }
    server.handleUpgrade(request, socket, head, accept);
  };
  node.on('upgrade', upgrade);

  const alive = new WeakSet<WebSocket>();
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.has(socket)) {
        socket.terminate();
        continue;
      }
      alive.delete(socket);
      socket.ping();
    }
  }, limits.pingMs);

  const accept = (socket: WebSocket) => {
    const multiplexed = socket.protocol === multiplexProtocol;
    const following = new Map<string, () => void>();
    let connects = 0;
    const impatience = setTimeout(() => socket.close(closeCodes.noConnect, 'no CONNECT'), limits.connectMs);

    const send = (frame: EventFrame) => {
      if (socket.bufferedAmount > mostBuffered) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
    };
    const refuse = (code: number, reason: string, error: SubscriptionError) => {
      if (multiplexed) send(errorFrame(random.id(clock.now()), clock.now(), error));
      else socket.close(code, reason);
    };

    const connect = async (token: string) => {
      const request = await requests.byWsToken(hashToken(token));
      if (socket.readyState !== socket.OPEN) return;
      if (!request) return refuse(closeCodes.unknownToken, 'unknown token', { code: 'unknown_token', connect: nameOfToken(token) });
      const requestId = request.id;
      // Asked for again, the events come again from the first on.
      following.get(requestId)?.();
      const stop = follow({
        requests,
        listeners,
        requestId,
        send,
        ended: (how) => {
          following.delete(requestId);
          if (!multiplexed) socket.close(closeCodes.done);
          else if (how === 'cancelled') refuse(closeCodes.done, 'cancelled', { code: 'cancelled', requestId });
        },
        failed,
      });
      following.set(requestId, stop);
    };

    const failed = (fault: unknown) => {
      log.error({ ...faultFields(fault), component: 'websocket' }, 'a socket could not be served');
      socket.close(closeCodes.fault);
    };

    const receive = (data: RawData, binary: boolean) => {
      alive.add(socket);
      const token = binary ? undefined : connectPattern.exec(data.toString())?.[1];
      if (token === undefined || (!multiplexed && connects > 0)) {
        socket.close(closeCodes.malformed, 'expected CONNECT and a token');
        return;
      }
      clearTimeout(impatience);
      connects += 1;
      if (following.size >= limits.requests) {
        send(errorFrame(random.id(clock.now()), clock.now(), { code: 'too_many_requests', connect: nameOfToken(token) }));
        return;
      }
      connect(token).catch(failed);
    };

    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('message', receive);
    // Oversized or broken frames: ws closes the socket by itself and only wants to be heard.
    socket.on('error', (fault) => log.debug({ ...faultFields(fault), component: 'websocket' }, 'a socket broke'));
    socket.on('close', () => {
      clearTimeout(impatience);
      for (const stop of following.values()) stop();
      following.clear();
    });
  };

  return {
    close: async () => {
      clearInterval(pings);
      node.removeListener('upgrade', upgrade);
      const closing = [...server.clients].map(
        (socket) =>
          new Promise<void>((resolve) => {
            const late = setTimeout(() => socket.terminate(), 1000);
            socket.once('close', () => {
              clearTimeout(late);
              resolve();
            });
            socket.close(closeCodes.goingAway);
          }),
      );
      await Promise.all(closing);
      server.close();
    },
  };
};
