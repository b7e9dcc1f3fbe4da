// Which requests share a socket, where the service allows that; where it does not, each has its own (decision 0014).
import type { Log } from '../platform/log.ts';
import type { EventSource, EventsRequest } from './events.ts';
import type { ServiceConnectionOptions } from './service-connection.ts';
import { SharedSocket } from './shared-socket.ts';

export interface SharedSocketsOptions {
  readonly connection: ServiceConnectionOptions;
  /** For requests that cannot share one. */
  readonly own: EventSource;
  readonly log: Log;
}

/** How long (ms) a service that declined is not asked again. */
const declinedFor = 600_000;

/** An event source whose requests share sockets. */
export const makeSharedSockets = ({ connection, own, log }: SharedSocketsOptions): EventSource => {
  const sockets = new Set<SharedSocket>();
  let askAgainAt = 0;

  const socketFor = (requestId: string): SharedSocket | undefined => {
    for (const socket of sockets) if (socket.takes(requestId)) return socket;
    if (connection.clock.now() < askAgainAt) return undefined;
    const socket: SharedSocket = new SharedSocket({
      connection,
      log,
      onOver: () => sockets.delete(socket),
      onDeclined: () => {
        if (connection.clock.now() >= askAgainAt) log.info({ component: 'socket' }, 'the service does not let requests share a socket');
        askAgainAt = connection.clock.now() + declinedFor;
      },
      instead: own,
    });
    sockets.add(socket);
    return socket;
  };

  return (request: EventsRequest) => {
    const socket = request.requestId === undefined ? undefined : socketFor(request.requestId);
    return socket ? socket.follow(request) : own(request);
  };
};
