// Which requests share which socket, where the service lets them; where it does not, each has its own (decision 0014).
import type { Log } from '../platform/log.ts';
import type { EventSource, EventsRequest } from './events.ts';
import type { ServiceConnectionOptions } from './service-connection.ts';
import { SharedSocket } from './shared-socket.ts';

export interface SharedSocketsOptions {
  readonly connection: ServiceConnectionOptions;
  /** For what cannot be shared. */
  readonly own: EventSource;
  readonly log: Log;
}

/** A service that declined is not asked again for so long (ms). */
const declinedFor = 600_000;

/** Sockets that are shared. */
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
