// One websocket per session at the desk: the list, the conversations that the agent has open, and their actions.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { clientAddress, isSameOrigin } from '../../platform/http/client-address.ts';
import { closeSockets, refuseUpgrade, routeUpgrades } from '../../platform/http/upgrades.ts';
import { makeLimit } from '../../platform/limits.ts';
import { rates } from '../../platform/rates.ts';
import type { HeldSession } from '../../sign-in/session-store.ts';
import type { DeskContext } from '../context.ts';
import type { DeskRole } from '../desk-store.ts';
import type { DeskSignIn } from '../pages/sign-in.ts';
import { ConnectedPage, closeCodes, maxIncoming, type PageSources } from './connected-page.ts';

/** Milliseconds between pings. A socket that missed the last one, or whose session has ended, is closed. */
const pingMs = 15_000;

/** The session of this browser's cookie, if it is valid now. Counts as a visit, unless `visit` is false. */
export type SessionOf = (
  call: Pick<IncomingMessage, 'headers'>,
  address: string,
  visit?: boolean,
) => Promise<HeldSession<DeskRole> | undefined>;

export const makeSockets = (
  context: DeskContext,
  sources: PageSources,
  { admits }: Pick<DeskSignIn, 'admits'>,
  sessionOf: SessionOf,
  path = '/desk/socket',
) => {
  const { http, publicUrl, proxies, log } = context;
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: maxIncoming });
  const bySession = new Map<string, WebSocket>();
  const pages = new Set<ConnectedPage>();
  const takeFrame = makeLimit(rates.deskFrames).admits;

  const upgrade = async (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    // Every browser sends the origin of the page that opens a websocket (RFC 6455, 10.2).
    const { headers, httpVersion, socket } = request;
    const isAdmitted = admits({ remoteAddress: socket.remoteAddress ?? '', headers, httpVersion });
    if (!isAdmitted || headers.origin === undefined || !isSameOrigin(request, publicUrl)) return refuseUpgrade(tcp, 403);
    const address = clientAddress(request, proxies);
    // A page also reconnects while nobody is in front of it.
    const session = await sessionOf(request, address, false);
    if (!session) return refuseUpgrade(tcp, 401);
    sockets.handleUpgrade(request, tcp, head, (socket) => {
      bySession.get(session.id)?.close(closeCodes.replaced);
      bySession.set(session.id, socket);
      const page = new ConnectedPage(context, sources, {
        socket,
        session,
        again: (visit) => sessionOf(request, address, visit),
        address,
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
  const stopRouting = routeUpgrades(http.node, { component: 'desk', log, takes: (asked) => asked === path, upgrade });
  const heartbeat = setInterval(() => {
    for (const page of pages) page.beat();
  }, pingMs);
  heartbeat.unref();

  return {
    close: async () => {
      clearInterval(heartbeat);
      stopRouting();
      await closeSockets(sockets, closeCodes.restart);
    },
  };
};
