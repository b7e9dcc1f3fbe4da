// Websockets on one server: each part takes the upgrades for its paths; all other upgrades are refused.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { faultFields, type Log } from '../log.ts';
import { errorBoundary } from '../process/faults.ts';

export interface UpgradeRoute {
  /** Whether a request is for this route, judged by the path alone. */
  readonly takes: (path: string) => boolean;
  /** Answers the request. What it throws is logged and answered: 400 for a path that cannot be decoded, else 500. */
  readonly upgrade: (request: IncomingMessage, tcp: Duplex, head: Buffer, url: URL) => void | Promise<void>;
  readonly component: string;
  readonly log: Log;
}

const routes = new WeakMap<Server, Set<UpgradeRoute>>();

/** Adds a route until the returned function is called. */
export const routeUpgrades = (server: Server, route: UpgradeRoute): (() => void) => {
  const known = routes.get(server) ?? listen(server);
  known.add(route);
  return () => void known.delete(route);
};

const listen = (server: Server): Set<UpgradeRoute> => {
  const known = new Set<UpgradeRoute>();
  routes.set(server, known);
  const upgrade = (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    tcp.on('error', () => tcp.destroy());
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const taken = url && [...known].find(({ takes }) => takes(url.pathname));
    if (taken) answer(taken)(request, tcp, head, url);
    // Others may listen as well, such as restify's relay.
    else if (server.listenerCount('upgrade') <= 2) refuseUpgrade(tcp, url ? 404 : 400);
  };
  server.on(
    'upgrade',
    errorBoundary(upgrade, (_fault, _request, tcp) => tcp.destroy()),
  );
  return known;
};

const answer = ({ upgrade, component, log }: UpgradeRoute) =>
  errorBoundary(upgrade, (fault, _request, tcp) => {
    if (fault instanceof URIError) return refuseUpgrade(tcp, 400);
    log.error({ ...faultFields(fault), component }, 'an upgrade failed');
    refuseUpgrade(tcp, 500);
  });

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
};

/** Answers an upgrade with a status instead. */
export const refuseUpgrade = (tcp: Duplex, status: number): void => {
  tcp.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/** How long (ms) clients have to acknowledge that the connection closes. */
const lastAnswer = 1000;

/** Disconnects every client, to reconnect to another process, and resolves when all are gone. */
export const closeSockets = async (sockets: WebSocketServer, code: number): Promise<void> => {
  const all = [...sockets.clients];
  const gone = all.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
  for (const socket of all) socket.close(code);
  const drop = setTimeout(() => {
    for (const socket of all) socket.terminate();
  }, lastAnswer);
  await Promise.all(gone);
  clearTimeout(drop);
  sockets.close();
};
