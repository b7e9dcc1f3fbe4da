// The desk's panel inside another platform's page, which alone may frame it, for people who are signed in at the desk.
// Browsers keep the cookies of a framed page apart (developer.mozilla.org, "Cookies Having Independent Partitioned
// State"), so people sign in once more, in our own window, which hands the frame a code.
import { z } from 'zod';
import { cookieNamed } from '../../platform/http/cookies.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Handler } from '../../platform/http/http-server.ts';
import { deriveKey, hashToken, makeSealing } from '../../platform/secrets/sealing.ts';
import { html } from '../../platform/text/html.ts';
import type { RecordAccess } from '../../sign-in/accesses.ts';
import type { SessionTokens } from '../../sign-in/sessions.ts';
import { makeBoard } from '../board.ts';
import type { DeskContext } from '../context.ts';
import type { Customers } from '../customers.ts';
import type { DeskRole } from '../desk-store.ts';
import { overviewOf } from '../overview.ts';
import type { Presence } from '../presence.ts';
import { makeSockets, type SessionOf } from '../sockets/sockets.ts';
import { makeWork } from '../work.ts';
import type { Pages } from './page.ts';
import { admitting, type DeskSignIn, place } from './sign-in.ts';

/** People who only use the panel are not at the desk, so the bot offers no person because of them. */
const nobody: Presence = {
  enter: () => () => {},
  changed: () => {},
  colleagues: () => [],
  staffed: () => false,
  subscribe: () => () => {},
  close: () => {},
};

/** The panel cannot join chats. */
const running = { subscribe: () => () => {}, find: async () => undefined };

const cookie = '__Host-desk-panel';
/** How long (ms) the window's code is valid. It works once, for the frame that opened the window. */
const codeMs = 60_000;
/** What a frame makes to recognise itself by: 128 bits, in hexadecimal. */
const frameSecret = /^[0-9a-f]{32}$/;

const ticket = z.object({ session: z.string(), until: z.number() });
const posted = z.object({ frame: z.string().regex(frameSecret), code: z.string().max(100).default('') });

/** What the panel shares with the desk itself; `held`: the session there, if there is one. */
interface FramedParts {
  readonly customers: Customers;
  readonly record: RecordAccess<DeskRole>;
  readonly random: SessionTokens;
  readonly signIn: DeskSignIn;
  readonly held: SessionOf;
  readonly pages: Pages;
}

/** Adds the panel's routes; returns a function that closes them. */
export const openFramed = (
  context: DeskContext,
  { hub, frame }: NonNullable<DeskContext['panel']>,
  { customers, record, random, signIn, held, pages }: FramedParts,
): (() => Promise<void>) => {
  const { http, store, key, publicUrl, clock } = context;
  const path = `${place.path}/panel/${hub}`;
  const seal = makeSealing(deriveKey(key, 'desk panel'));

  const sealed = (session: string, until: number, kind: string) =>
    Buffer.from(seal.seal({ session, until }, `${hub} ${kind}`), 'base64').toString('base64url');
  /** The session that one of our sealed values names, if it is still valid. */
  const opened = async (given: string | undefined, kind: string, clientAddress: string, visit?: boolean) => {
    if (given === undefined || given.length > 1000) return undefined;
    const named = tryTo(() => ticket.parse(seal.open(Buffer.from(given, 'base64url').toString('base64'), `${hub} ${kind}`)));
    if (!named || clock.now() >= named.until) return undefined;
    const session = await store.sessions.session(named.session, clock.now(), visit);
    return session && signIn.confirm(session, { clientAddress });
  };
  const framed: SessionOf = (call, clientAddress, visit) => opened(cookieNamed(call, cookie), 'session', clientAddress, visit);
  /** A code, as a row that any replica can take, once, and only with the frame's secret. */
  const newCode = async (session: string, frame: string) => {
    const [code, now] = [random.token(), clock.now()];
    const stateHash = hashToken(code);
    const until = now + codeMs;
    const row = { stateHash, browserHash: hashToken(frame), sealed: sealed(session, until, `code ${stateHash}`), expiresAt: until };
    await store.signIns.begin(row, now);
    return code;
  };
  const redeemed = async (code: string, frame: string, clientAddress: string) => {
    const stateHash = hashToken(code);
    return opened(await store.signIns.take(stateHash, hashToken(frame), clock.now()), `code ${stateHash}`, clientAddress);
  };
  const frameIn = (given: unknown): string => {
    const { data } = posted.safeParse(given);
    if (!data) throw new HttpProblem(400, 'no_frame', 'Open this page from the panel.');
    return data.frame;
  };

  const board = makeBoard(context, hub);
  const work = makeWork(context, {
    ...{ hub, customers, presence: nobody, running, record, invite: undefined },
    overview: () => overviewOf(context, hub, () => true),
    acts: ['start', 'flow', 'stop', 'cancel'],
  });
  const sockets = makeSockets(context, { board, presence: nobody, running, work }, signIn, framed, `${path}/socket`);

  const admitted = admitting(signIn, publicUrl);
  const route = (method: 'GET' | 'POST', at: string, answer: Handler) =>
    http.route(method, `${path}${at}`, admitted(answer), method === 'POST' ? { limits: { size: 4 * 1024, depth: 2 } } : {});
  // The window must be able to reach the frame that opened it.
  const headers = { 'Cross-Origin-Opener-Policy': 'unsafe-none' };

  route('GET', '', async (call) => pages.framed(call, frame, path, (await framed(call, call.clientAddress)) !== undefined));
  route('GET', '/enter', async (call) => {
    if (!(await held(call, call.clientAddress))) return signIn.outside(call);
    const frame = frameIn({ frame: call.query.get('frame') });
    const t = pages.textsFor(call);
    const body = html`<form method="post"><input type="hidden" name="frame" value="${frame}"><div class="actions"><button class="primary">${t.signIn}</button></div></form>`;
    return pages.bare(call, 200, { title: 'panelTitle', text: 'panelText' }, { body, headers });
  });
  route('POST', '/enter', async (call) => {
    const session = await held(call, call.clientAddress);
    if (!session) return signIn.outside(call);
    return pages.handing(call, await newCode(session.id, frameIn(call.body)), headers);
  });
  route('POST', '/session', async (call) => {
    const { data } = posted.safeParse(call.body);
    const session = data && (await redeemed(data.code, data.frame, call.clientAddress));
    if (!session) throw new HttpProblem(401, 'unauthorized', 'This code cannot be used. Please sign in again.');
    await record(session, { action: 'panel', subject: '' }, call);
    const seconds = Math.max(0, Math.floor((session.expiresAt - clock.now()) / 1000));
    const value = `${cookie}=${sealed(session.id, session.expiresAt, 'session')}`;
    return {
      status: 204,
      headers: { 'Set-Cookie': `${value}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned; Max-Age=${seconds}` },
    };
  });

  return async () => {
    await sockets.close();
    await board.close();
  };
};

const tryTo = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
