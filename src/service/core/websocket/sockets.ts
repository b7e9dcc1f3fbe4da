// The websocket endpoint: CONNECT frames in, events out; peers that misbehave or are gone are disconnected.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type EventFrame, multiplexProtocol } from '../../../contract/index.ts';
import { clientAddress, networkOf } from '../../../platform/http/client-address.ts';
import { closeSockets } from '../../../platform/http/upgrades.ts';
import { faultFields, fingerprint } from '../../../platform/log.ts';
import { errorBoundary } from '../../../platform/process/faults.ts';
import { nameRequest } from '../../../platform/secrets/new-id.ts';
import { hashToken } from '../../../platform/secrets/sealing.ts';
import type { AppContext } from '../app-context.ts';
import type { CoreOptions } from '../options.ts';
import { makeAdmit } from './admission.ts';
import { errorFrame } from './frame.ts';
import type { SubscriptionError } from './messages.ts';
import { makeNewcomers } from './newcomers.ts';
import { follow } from './subscription.ts';

/** Where the endpoint is. */
export const socketPath = '/ws';

/** Why a socket was closed. The codes are part of the interface. */
export const closeCodes = { done: 1000, goingAway: 1001, fault: 1011, malformed: 4400, noConnect: 4401, unknownToken: 4404 } as const;

/** `CONNECT <token>`, and nothing else. */
const connectPattern = /^CONNECT ([A-Za-z0-9_-]{16,200})$/;
/** A peer that is this far behind in reading is disconnected. */
const maxBuffered = 1024 * 1024;
/** With this many frames waiting, nothing more is read from the socket: back pressure holds up the peer. */
const maxWaiting = 100;
/** Frames that a peer may have sent before it learned that the socket is closing. */
const maxLate = 1000;
/** Tokens cannot be guessed: a peer with this many unknown ones in a row is not looking for events. */
const maxUnknown = 3;

export const openSockets = (context: AppContext, { hosts = [], proxies = 0 }: Pick<CoreOptions, 'hosts' | 'proxies'>) => {
  const { server: http, storage, publicUrl, clock, random, log } = context;
  const { node } = http;
  const limits = context.limits.socket;
  const admit = makeAdmit(publicUrl, hosts);
  const newcomers = makeNewcomers(limits.newcomers);
  const networkFrom = (request: IncomingMessage) => networkOf(clientAddress(request, proxies));
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(multiplexProtocol) ? multiplexProtocol : false),
  });
  // After this time the current sockets have sent a token or are disconnected.
  const tooMany = `429 Too Many Requests\r\nRetry-After: ${Math.ceil(limits.connectMs / 1000)}`;
  server.on('headers', (headers, request) => headers.push(`X-Request-Id: ${nameRequest(request.headers['x-request-id'])}`));

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer may vanish before the handshake is over.
    socket.on('error', () => socket.destroy());
    const there = request.url?.split('?', 1)[0] === socketPath;
    const refused = there ? (admit(request) ?? (newcomers.isFull(networkFrom(request)) && tooMany)) : '404 Not Found';
    if (refused) {
      socket.end(
        `HTTP/1.1 ${refused}\r\nX-Request-Id: ${nameRequest(request.headers['x-request-id'])}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    }
    server.handleUpgrade(request, socket, head, accept);
  };
  const onUpgrade = errorBoundary(upgrade, (fault, _request, socket) => {
    log.error({ ...faultFields(fault), component: 'websocket' }, 'an upgrade failed');
    socket.destroy();
  });
  node.on('upgrade', onUpgrade);

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

  const accept = (socket: WebSocket, request: IncomingMessage) => {
    const known = newcomers.enter(networkFrom(request));
    const multiplexed = socket.protocol === multiplexProtocol;
    const following = new Map<string, () => void>();
    let connects = 0;
    let unknown = 0;
    let late = 0;
    const close = (code: number, reason?: string) => {
      frames.clear();
      socket.close(code, reason);
    };
    const impatience = setTimeout(() => close(closeCodes.noConnect, 'no CONNECT with a known token'), limits.connectMs);

    const send = (frame: EventFrame) => {
      if (socket.bufferedAmount > maxBuffered) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
    };
    const sendError = (error: SubscriptionError) => send(errorFrame(random.id(clock.now()), clock.now(), error));
    const refuse = (code: number, reason: string, error: SubscriptionError) => {
      if (multiplexed) sendError(error);
      else close(code, reason);
    };

    const connect = async (token: string) => {
      // Identifies the token without revealing it.
      const connect = fingerprint(token);
      if (following.size >= limits.requests) return sendError({ code: 'too_many_requests', connect });
      const request = await storage.requests.byWsToken(hashToken(token));
      if (socket.readyState !== socket.OPEN) return;
      if (!request) {
        unknown += 1;
        refuse(closeCodes.unknownToken, 'unknown token', { code: 'unknown_token', connect });
        if (unknown === maxUnknown) close(closeCodes.unknownToken, 'unknown tokens');
        return;
      }
      clearTimeout(impatience);
      known();
      unknown = 0;
      const requestId = request.id;
      // A repeated CONNECT gets all events again.
      following.get(requestId)?.();
      const stop = follow(context, requestId, {
        send,
        ended: (how) => {
          following.delete(requestId);
          if (!multiplexed) close(closeCodes.done);
          else if (how === 'cancelled') refuse(closeCodes.done, 'cancelled', { code: 'cancelled', requestId });
        },
        failed,
      });
      following.set(requestId, stop);
    };

    const failed = (fault: unknown) => {
      log.error({ ...faultFields(fault), component: 'websocket' }, 'a socket could not be served');
      close(closeCodes.fault);
    };
    const frames = new PQueue({ concurrency: 1, intervalCap: limits.framesASecond, interval: 1000 });
    frames.on('idle', () => socket.resume());
    const handle = async (token: string) => {
      await connect(token);
      // Other work gets its turn before the next one.
      await turn();
    };

    const receive = (data: RawData, binary: boolean) => {
      alive.add(socket);
      if (socket.readyState !== socket.OPEN) {
        late += 1;
        if (late > maxLate) socket.terminate();
        return;
      }
      const token = binary ? undefined : connectPattern.exec(data.toString())?.[1];
      if (token === undefined || (!multiplexed && connects > 0)) {
        close(closeCodes.malformed, 'expected CONNECT and a token');
        return;
      }
      connects += 1;
      frames.add(() => handle(token)).catch(failed);
      if (frames.size >= maxWaiting) socket.pause();
    };

    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('message', errorBoundary(receive, failed));
    // Oversized or broken frames: ws closes the socket, but needs a listener.
    socket.on('error', (fault) => log.debug({ ...faultFields(fault), component: 'websocket' }, 'a socket broke'));
    socket.on('close', () => {
      clearTimeout(impatience);
      known();
      frames.clear();
      for (const stop of following.values()) stop();
      following.clear();
    });
  };

  return {
    /** Closes every socket, and terminates those that do not answer within a second. */
    close: async () => {
      clearInterval(pings);
      node.removeListener('upgrade', onUpgrade);
      await closeSockets(server, closeCodes.goingAway);
    },
  };
};
