// A verification service that costs as little as one can: whoever drives a bench has it, and the sides wait on it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ulid } from 'ulid';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServiceAccess } from '../../../src/compose/start/service.ts';
import { multiplexProtocol } from '../../../src/contract/index.ts';
import { paymentRequest, paymentResult, samples } from '../../support/service-samples.ts';

export interface BenchService {
  /** How a bot reaches it. */
  readonly access: ServiceAccess;
  /** How many requests are followed over some socket at this moment. */
  readonly followed: number;
  readonly sockets: number;
  /** How many CONNECTs there have been. */
  readonly connects: number;
  /** Hears of every request that begins to be followed, from now on. */
  hear(listener: (requestId: string) => void): void;
  /** Ends a request: its result can be read, and whoever follows it is told. `false`: nobody does. */
  finish(requestId: string): boolean;
  close(): Promise<void>;
}

export interface BenchServiceOptions {
  /** Whether several requests may share a socket. */
  readonly multiplex?: boolean;
}

export const tokenOf = (requestId: string) => `token-of-${requestId}`;
const idOf = (frame: string) => frame.slice('CONNECT token-of-'.length);

export const openBenchService = async ({ multiplex = false }: BenchServiceOptions = {}): Promise<BenchService> => {
  const finished = new Set<string>();
  const followed = new Map<string, WebSocket>();
  let connects = 0;
  let listener: ((requestId: string) => void) | undefined;

  const json = (res: ServerResponse, status: number, body: object) => {
    res.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'application/problem+json' });
    res.end(JSON.stringify(body));
  };
  const result = (id: string) => ({ ...paymentResult, id, timestamp: new Date().toISOString() });
  const answer = ({ url = '' }: IncomingMessage, res: ServerResponse) => {
    const [, first = '', second = ''] = url.split('?', 1)[0]?.split('/') ?? [];
    if (first === 'results') {
      if (finished.has(second)) return json(res, 200, result(second));
      return json(res, 404, { type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found' });
    }
    if (first === 'requests') return json(res, 200, { ...paymentRequest, id: second });
    if (second === 'bootstrap') return json(res, 200, samples.payments.bootstrapped);
    const requestId = ulid();
    return json(res, 200, { requestId, wsToken: tokenOf(requestId) });
  };
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => answer(req, res));
  });
  server.keepAliveTimeout = 60_000;

  const sockets = new WebSocketServer({
    server,
    perMessageDeflate: false,
    handleProtocols: (offered) => (multiplex && offered.has(multiplexProtocol) ? multiplexProtocol : false),
  });
  sockets.on('connection', (socket) => {
    const own = new Set<string>();
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const id = idOf(String(data));
      connects += 1;
      own.add(id);
      followed.set(id, socket);
      listener?.(id);
    });
    socket.on('close', () => {
      for (const id of own) if (followed.get(id) === socket) followed.delete(id);
    });
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  const { port } = server.address() as AddressInfo;

  return {
    access: { baseUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}/ws`, secretKey: 'bench', idempotent: true, multiplex },
    get followed() {
      return followed.size;
    },
    get sockets() {
      return sockets.clients.size;
    },
    get connects() {
      return connects;
    },
    hear: (next) => {
      listener = next;
    },
    finish: (requestId) => {
      finished.add(requestId);
      const socket = followed.get(requestId);
      if (!socket) return false;
      const timestamp = new Date().toISOString();
      const payload = { id: ulid(), app: 'payments', timestamp, event: 'task.succeeded', status: 'success', request: { id: requestId } };
      socket.send(JSON.stringify({ id: ulid(), type: 'task.succeeded', timestamp, payload }));
      followed.delete(requestId);
      if (socket.protocol === '') socket.close(1000);
      return true;
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};
