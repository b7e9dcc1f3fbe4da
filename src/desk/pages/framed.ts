// The desk's panel inside another platform's page, which alone may frame it, for people who are signed in at the desk.
// Browsers keep the cookies of a framed page apart (developer.mozilla.org, "Cookies Having Independent Partitioned
// State"), so people sign in once more, in our own window, which hands the frame a code.
import { z } from 'zod';
import type { AgentSide, HandoffStore } from '../../handoff/index.ts';
import type { Bus } from '../../platform/database/bus.ts';
import { isSameOrigin } from '../../platform/http/client-address.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Answer, HttpRequest, HttpServer } from '../../platform/http/http-server.ts';
import type { Log } from '../../platform/log.ts';
import { deriveKey, hashToken, makeSealing } from '../../platform/secrets/sealing.ts';
import { cookieNamed } from '../../platform/sign-in/cookies.ts';
import type { SessionTokens } from '../../platform/sign-in/sessions.ts';
import { html } from '../../platform/text/html.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { makeBoard } from '../board.ts';
import type { DeskStore } from '../desk-store.ts';
import type { Presence } from '../presence.ts';
import { makeSockets, type SessionOf } from '../sockets/sockets.ts';
import { makeWork, type WorkOptions } from '../work.ts';
import type { Pages } from './page.ts';
import { type DeskSignIn, place, refuseStrangers } from './sign-in.ts';

export interface FramedOptions extends Pick<WorkOptions, 'customers' | 'flows' | 'overviews' | 'record'> {
  /** The platform's hub. */
  readonly hub: string;
  /** The platform's origin, the only one that may frame the panel. */
  readonly frame: string;
  readonly http: HttpServer;
  readonly agents: AgentSide;
  readonly handoffs: HandoffStore;
  readonly store: DeskStore;
  readonly random: SessionTokens;
  readonly signIn: DeskSignIn;
  /** The session at the desk itself, if there is one. */
  readonly held: SessionOf;
  readonly pages: Pages;
  readonly bus: Bus;
  readonly key: string;
  readonly publicUrl: string | undefined;
  readonly proxies: number;
  readonly clock: Clock;
  readonly log: Log;
}

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
const none = { running: { subscribe: () => () => {}, find: async () => undefined } };

const cookie = '__Host-desk-panel';
/** How long (ms) the window's code is valid. It works once, for the frame that opened the window. */
const codeMs = 60_000;
/** What a frame makes to recognise itself by: 128 bits, in hexadecimal. */
const frameSecret = /^[0-9a-f]{32}$/;

const ticket = z.object({ session: z.string(), until: z.number() });
const posted = z.object({ frame: z.string().regex(frameSecret), code: z.string().max(100).default('') });

/** Adds the panel's routes; returns a function that closes them. */
export const openFramed = (options: FramedOptions): (() => Promise<void>) => {
  const { hub, frame, http, agents, handoffs, store, random, signIn, held, pages, bus, key, publicUrl, proxies, clock, log, ...rest } =
    options;
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

  const board = makeBoard({ hub, store: handoffs, bus, clock, log });
  const work = makeWork({
    ...rest,
    ...none,
    sessions: store.sessions,
    agents,
    hub,
    presence: nobody,
    invite: undefined,
    clock,
    acts: ['start', 'flow', 'stop', 'cancel'],
  });
  const sockets = makeSockets({
    ...{ server: http, publicUrl, proxies, board, bus, running: none.running, presence: nobody, work, clock, log, path: `${path}/socket` },
    sessionOf: framed,
    admits: ({ headers, httpVersion, socket }) => signIn.admits({ remoteAddress: socket.remoteAddress ?? '', headers, httpVersion }),
  });

  const admitted = (answer: (call: HttpRequest) => Promise<Answer>) => (call: HttpRequest) => {
    refuseStrangers(signIn, call);
    if (call.method === 'POST' && !isSameOrigin(call, publicUrl))
      throw new HttpProblem(403, 'cross_site', 'This request came from another site.');
    return answer(call);
  };
  const limits = { size: 4 * 1024, depth: 2 };
  // The window must be able to reach the frame that opened it.
  const headers = { 'Cross-Origin-Opener-Policy': 'unsafe-none' };

  http.route(
    'GET',
    path,
    admitted(async (call) => pages.framed(call, { by: frame, path, signedIn: (await framed(call, call.clientAddress)) !== undefined })),
  );
  http.route(
    'GET',
    `${path}/enter`,
    admitted(async (call) => {
      if (!(await held(call, call.clientAddress))) return signIn.outside(call);
      const frame = frameIn({ frame: call.query.get('frame') });
      const t = pages.textsFor(call);
      const body = html`<form method="post"><input type="hidden" name="frame" value="${frame}"><div class="actions"><button class="primary">${t.signIn}</button></div></form>`;
      return pages.bare(call, 200, { title: 'panelTitle', text: 'panelText' }, { body, headers });
    }),
  );
  http.route(
    'POST',
    `${path}/enter`,
    admitted(async (call) => {
      const session = await held(call, call.clientAddress);
      if (!session) return signIn.outside(call);
      return pages.handing(call, await newCode(session.id, frameIn(call.body)), headers);
    }),
    { limits },
  );
  http.route(
    'POST',
    `${path}/session`,
    admitted(async (call) => {
      const { data } = posted.safeParse(call.body);
      const session = data && (await redeemed(data.code, data.frame, call.clientAddress));
      if (!session) throw new HttpProblem(401, 'unauthorized', 'This code cannot be used. Please sign in again.');
      await rest.record(session, { action: 'panel', subject: '' }, call);
      const seconds = Math.max(0, Math.floor((session.expiresAt - clock.now()) / 1000));
      const value = `${cookie}=${sealed(session.id, session.expiresAt, 'session')}`;
      return {
        status: 204,
        headers: { 'Set-Cookie': `${value}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned; Max-Age=${seconds}` },
      };
    }),
    { limits },
  );

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
