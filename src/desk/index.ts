// The desk: a page where agents take chats over, with its routes and websocket.
import { randomBytes } from 'node:crypto';
import type { AgentSide, DeskHub, DeskOpenId, HandoffStore } from '../handoff/index.ts';
import type { Interactions } from '../interactions/index.ts';
import type { Bus } from '../platform/database/bus.ts';
import { isSameOrigin } from '../platform/http/client-address.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { HttpRequest, HttpServer } from '../platform/http/http-server.ts';
import type { Log } from '../platform/log.ts';
import { makeLookOf } from '../platform/pages/look.ts';
import type { Theme } from '../platform/pages/theme.ts';
import { deriveKey, makeSealing } from '../platform/secrets/sealing.ts';
import type { RecordAccess, Visitor } from '../platform/sign-in/accesses.ts';
import { openSignIn, signInLimits } from '../platform/sign-in/sign-in.ts';
import type { SignInRoute } from '../platform/sign-in/sign-in-method.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { BotStateStore } from '../storage/index.ts';
import { watchAbsences } from './absences.ts';
import { agentIn } from './agents.ts';
import { makeBoard } from './board.ts';
import { type CustomersOptions, makeCustomers } from './customers.ts';
import type { DeskRole, DeskStore } from './desk-store.ts';
import { makeOverviews } from './overview.ts';
import { addDeskAssets } from './page-files.ts';
import { openFramed } from './pages/framed.ts';
import { makePages } from './pages/page.ts';
import { linkHolder, place, refuseStrangers, signInPages } from './pages/sign-in.ts';
import { makePresence } from './presence.ts';
import { makeRunningChats } from './running.ts';
import { makeSockets, type SessionOf } from './sockets/sockets.ts';
import { type DeskFlow, makeWork } from './work.ts';

export { deskTopic } from './board.ts';
export { typingTopic } from './sockets/connected-page.ts';
export type { DeskFlow } from './work.ts';

export interface DeskOptions {
  readonly http: HttpServer;
  readonly hub: DeskHub;
  readonly agents: AgentSide;
  readonly handoffs: HandoffStore;
  /** Lists the chats that are with the bot. */
  readonly chats: Pick<BotStateStore, 'running'>;
  readonly store: DeskStore;
  readonly interactions: Pick<Interactions, 'inConversation' | 'lookup'>;
  readonly forms: CustomersOptions['forms'];
  /** See {@link CustomersOptions}. */
  readonly showsCode?: boolean | undefined;
  readonly flows: (language: string) => readonly DeskFlow[];
  readonly bus: Bus;
  /** How long (ms) an agent who has a chat may be away from the desk. */
  readonly absentMs: number;
  /** Unset: sign-in by a link that is printed at start, on this machine only. */
  readonly openId?: DeskOpenId | undefined;
  /** Encrypts what the provider says about people; the same on all replicas. */
  readonly key: string;
  /** The hub of the platform that shows the panel, and that platform's origin, which alone may frame it. */
  readonly panel?: { readonly hub: string; readonly frame: string } | undefined;
  readonly publicUrl?: string | undefined;
  readonly proxies: number;
  readonly theme?: Theme | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
}

export interface Desk {
  /** The path that opens the desk, for whoever started the bot. */
  readonly path: string;
  close(): Promise<void>;
}

/** Adds the desk to the bot's server. Rejects when a file of its page is missing. */
export const openDesk = async (options: DeskOptions): Promise<Desk> => {
  const {
    absentMs,
    agents,
    bus,
    chats,
    clock,
    flows,
    forms,
    handoffs,
    http,
    hub,
    interactions,
    key,
    log,
    newId,
    openId,
    panel,
    proxies,
    publicUrl,
    showsCode,
    store,
    theme = {},
  } = options;
  const assets = await addDeskAssets(http);
  const pages = makePages({ assets, look: makeLookOf(http)(theme), publicUrl });

  const random = { token: () => randomBytes(24).toString('base64url') };
  const record: RecordAccess<DeskRole> = ({ role, ...who }, { action, subject }, { clientAddress: address }) =>
    store.sessions.record({ id: newId(), person: fullNameOf(who), role, action, subject, address, at: clock.now() });

  const signIn = openSignIn<DeskRole>({
    ...{ place, store: store.sessions, logins: store.signIns, random, record, clock, log },
    pages: signInPages(pages),
    secure: () => publicUrl?.startsWith('https:') ?? false,
    publicUrl: () => new URL(publicUrl ?? 'http://localhost'),
    seal: makeSealing(deriveKey(key, 'desk sign-in')),
    link: linkHolder(pages, random),
    openId: openId && {
      ...openId,
      ranks: [
        ['supervisor', openId.supervisors],
        ['agent', openId.agents],
      ],
      least: 'agent',
      nameOf: (claims) => agentIn(claims, openId.issuer),
    },
  });
  const board = makeBoard({ hub: hub.name, store: handoffs, bus, clock, log });
  const presence = makePresence(bus, clock, newId());
  const running = makeRunningChats({ store: chats, clock, log });
  const customers = makeCustomers({ interactions, forms, showsCode, clock, newId });
  const overviews = makeOverviews(handoffs, hub.name, clock, (id) => presence.colleagues().some((one) => one.id === id));
  const work = makeWork({
    ...{ agents, hub: hub.name, customers, presence, running, overviews, flows, sessions: store.sessions, record, clock },
    invite: signIn.invite,
  });
  hub.open(presence.staffed);
  const absences = watchAbsences({ hub: hub.name, agents, store: handoffs, presence, bus, clock, log, limitMs: absentMs });

  const held: SessionOf = (call, clientAddress, visit) => signIn.session(call, { clientAddress }, visit);
  const sockets = makeSockets({
    ...{ server: http, publicUrl, proxies, board, bus, presence, running, work, clock, log },
    sessionOf: held,
    admits: (request) =>
      signIn.admits({ remoteAddress: request.socket.remoteAddress ?? '', headers: request.headers, httpVersion: request.httpVersion }),
  });

  const admitted = (answer: SignInRoute['answer']) => (call: HttpRequest) => {
    refuseStrangers(signIn, call);
    if (call.method === 'POST' && !isSameOrigin(call, publicUrl))
      throw new HttpProblem(403, 'cross_site', 'This request came from another site.');
    return answer(call);
  };
  http.route(
    'GET',
    place.path,
    admitted(async (call) => ((await held(call, call.clientAddress)) ? pages.desk(call) : signIn.outside(call))),
  );
  for (const { answer, method, path } of signIn.routes)
    http.route(method, `${place.path}${path}`, admitted(answer), { limits: signInLimits });
  const closeFramed =
    panel &&
    openFramed({
      ...{ ...panel, http, agents, handoffs, store, random, signIn, held, pages, bus, key, publicUrl, proxies, clock, log },
      ...{ customers, flows, overviews: makeOverviews(handoffs, panel.hub, clock, () => true), record },
    });

  return {
    path: signIn.path,
    close: async () => {
      await closeFramed?.();
      await sockets.close();
      await absences.close();
      presence.close();
      await running.close();
      await board.close();
      await signIn.close();
    },
  };
};

/** In the access log: the name, the verified address, and what identifies the person. */
const fullNameOf = ({ email, person, subject }: Pick<Visitor, 'email' | 'person' | 'subject'>): string => {
  const more = [email, subject].filter((one) => one !== undefined && one !== person);
  return more.length === 0 ? person : `${person} (${more.join(', ')})`;
};
