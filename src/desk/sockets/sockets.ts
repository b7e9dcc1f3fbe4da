// One websocket per session at the desk: the list, the conversations that the agent has open, and their actions.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Bus } from '../../platform/database/bus.ts';
import { clientAddress, isSameOrigin } from '../../platform/http/client-address.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { closeSockets, refuseUpgrade, routeUpgrades } from '../../platform/http/upgrades.ts';
import { makeLimit } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import { rates } from '../../platform/rates.ts';
import type { HeldSession } from '../../platform/sign-in/session-store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Board } from '../board.ts';
import type { DeskRole } from '../desk-store.ts';
import type { Presence } from '../presence.ts';
import type { RunningChats } from '../running.ts';
import type { Work } from '../work.ts';
import { ConnectedPage, closeCodes, type PageLimits } from './connected-page.ts';

/** The session of this browser's cookie, if it is valid now. Counts as a visit, unless `visit` is false. */
export type SessionOf = (
  call: Pick<IncomingMessage, 'headers'>,
  address: string,
  visit?: boolean,
) => Promise<HeldSession<DeskRole> | undefined>;

export interface SocketsOptions {
  readonly server: HttpServer;
  readonly sessionOf: SessionOf;
  /** Who may reach the sign-in at all. */
  readonly admits: (request: IncomingMessage) => boolean;
  readonly publicUrl: string | undefined;
  readonly proxies: number;
  readonly board: Board;
  readonly bus: Bus;
  readonly presence: Presence;
  readonly running: Pick<RunningChats, 'subscribe'>;
  readonly work: Work;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: PageLimits;
  /** Where pages connect. */
  readonly path?: string;
}

const usual: PageLimits = {
  ...{ pingMs: 15_000, incoming: 64 * 1024, behind: 4 * 1024 * 1024 },
  frames: rates.deskFrames,
};

const usualPath = '/desk/socket';

export const makeSockets = (options: SocketsOptions) => {
  const { server, sessionOf, admits, publicUrl, proxies, board, bus, presence, running, work, clock, log } = options;
  const { limits = usual, path = usualPath } = options;
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: limits.incoming });
  const bySession = new Map<string, WebSocket>();
  const pages = new Set<ConnectedPage>();
  const takeFrame = makeLimit(limits.frames).admits;

  const upgrade = async (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    // Every browser sends the origin of the page that opens a websocket (RFC 6455, 10.2).
    if (!admits(request) || request.headers.origin === undefined || !isSameOrigin(request, publicUrl)) return refuseUpgrade(tcp, 403);
    const address = clientAddress(request, proxies);
    // A page also reconnects while nobody is in front of it.
    const session = await sessionOf(request, address, false);
    if (!session) return refuseUpgrade(tcp, 401);
    sockets.handleUpgrade(request, tcp, head, (socket) => {
      bySession.get(session.id)?.close(closeCodes.replaced);
      bySession.set(session.id, socket);
      const page = new ConnectedPage({
        socket,
        session,
        again: (visit) => sessionOf(request, address, visit),
        address,
        board,
        bus,
        presence,
        running,
        work,
        clock,
        log,
        limits,
        takeFrame: () => takeFrame(session.id),
      });
      pages.add(page);
      socket.on('close', () => {
        pages.delete(page);
        if (bySession.get(session.id) === socket) bySession.delete(session.id);
        page.end();
      });
      page.begin();
    });
  };
  const stopRouting = routeUpgrades(server.node, { component: 'desk', log, takes: (asked) => asked === path, upgrade });
  const heartbeat = setInterval(() => {
    for (const page of pages) page.beat();
  }, limits.pingMs);
  heartbeat.unref();

  return {
    close: async () => {
      clearInterval(heartbeat);
      stopRouting();
      await closeSockets(sockets, closeCodes.restart);
    },
  };
};
