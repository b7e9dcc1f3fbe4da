// The desk: a page where agents take chats over, with its routes and websocket.
import { randomBytes } from 'node:crypto';
import { makeLookOf } from '../platform/pages/look.ts';
import { deriveKey, makeSealing } from '../platform/secrets/sealing.ts';
import type { RecordAccess, Visitor } from '../sign-in/accesses.ts';
import { openSignIn, signInLimits } from '../sign-in/sign-in.ts';
import { watchAbsences } from './absences.ts';
import { agentIn } from './agents.ts';
import { makeBoard } from './board.ts';
import type { DeskContext } from './context.ts';
import { makeCustomers } from './customers.ts';
import type { DeskRole } from './desk-store.ts';
import { overviewOf } from './overview.ts';
import { addDeskAssets } from './page-files.ts';
import { openFramed } from './pages/framed.ts';
import { makePages } from './pages/page.ts';
import { admitting, linkHolder, place, signInPages } from './pages/sign-in.ts';
import { makePresence } from './presence.ts';
import { makeRunningChats } from './running.ts';
import { makeSockets, type SessionOf } from './sockets/sockets.ts';
import { makeWork } from './work.ts';

export { deskTopic } from './board.ts';
export type { DeskContext, DeskFlow } from './context.ts';
export { typingTopic } from './sockets/connected-page.ts';

/** Adds the desk to the bot's server. Rejects when a file of its page is missing. */
export const openDesk = async (context: DeskContext) => {
  const { bus, clock, http, hub, key, log, newId, openId, panel, publicUrl, store, theme = {} } = context;
  const pages = makePages(await addDeskAssets(http), makeLookOf(http)(theme), publicUrl);

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
  const board = makeBoard(context, hub.name);
  const presence = makePresence(bus, clock, newId());
  const running = makeRunningChats(context);
  const customers = makeCustomers(context);
  const isThere = (agent: string) => presence.colleagues().some(({ id }) => id === agent);
  const work = makeWork(context, {
    ...{ hub: hub.name, customers, presence, running, record, invite: signIn.invite },
    overview: () => overviewOf(context, hub.name, isThere),
  });
  hub.open(presence.staffed);
  const absences = watchAbsences(context, presence);

  const held: SessionOf = (call, clientAddress, visit) => signIn.session(call, { clientAddress }, visit);
  const sockets = makeSockets(context, { board, presence, running, work }, signIn, held);

  const admitted = admitting(signIn, publicUrl);
  http.route(
    'GET',
    place.path,
    admitted(async (call) => ((await held(call, call.clientAddress)) ? pages.desk(call) : signIn.outside(call))),
  );
  for (const { answer, method, path } of signIn.routes)
    http.route(method, `${place.path}${path}`, admitted(answer), { limits: signInLimits });
  const closeFramed = panel && openFramed(context, panel, { customers, record, random, signIn, held, pages });

  return {
    /** The path that opens the desk, for whoever started the bot. */
    path: signIn.path,
    close: async (): Promise<void> => {
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
