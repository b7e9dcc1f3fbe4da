// Signing in to the desk: by a link that works once, on this machine, or through an OpenID provider, never both.

import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import { isFromThisMachine } from '../../platform/outgoing/loopback.ts';
import { sameBytes, sha256 } from '../../platform/secrets/sealing.ts';
import type { RecordAccess } from '../../platform/sign-in/accesses.ts';
import { callbackPath, type OpenIdFlow } from '../../platform/sign-in/openid/flow.ts';
import type { ConfirmSession } from '../../platform/sign-in/openid/standing.ts';
import type { Session } from '../../platform/sign-in/session-store.ts';
import type { Sessions, SessionTokens, SignInPlace } from '../../platform/sign-in/sessions.ts';
import { html } from '../../platform/text/html.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { DeskRole } from '../desk-store.ts';
import type { BareTexts, Pages } from './page.ts';
import type { DeskTexts } from './texts.ts';

export const place: SignInPlace = { name: 'desk', path: '/desk' };

export interface SignInRoute {
  readonly method: 'GET' | 'POST';
  /** Below `/desk`. */
  readonly path: string;
  readonly answer: (call: HttpRequest) => Answer | Promise<Answer>;
}

export interface DeskSignIn {
  /** The path that opens the desk, for whoever started the bot. */
  readonly path: string;
  readonly routes: readonly SignInRoute[];
  /** Who may reach the sign-in at all. */
  admits(asking: Parameters<typeof isFromThisMachine>[0]): boolean;
  outside(call: HttpRequest): Answer;
  readonly confirm: ConfirmSession<DeskRole>;
  farewell(session: Session, call: HttpRequest): Promise<Answer>;
  /** Makes a link for somebody else; unset: people sign in through the provider. */
  readonly invite: (() => string) | undefined;
}

/** A name as a single line of visible text. */
const asLine = (name: string): string =>
  name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 80);

/** The fields of a posted form. */
const fieldsOf = (body: unknown): Readonly<Record<string, string | undefined>> =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'))
    : {};

const back = (to: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 303,
  headers: { Location: to, ...headers },
});

export interface LinkSignInOptions {
  readonly sessions: Sessions<DeskRole>;
  readonly record: RecordAccess<DeskRole>;
  readonly pages: Pages;
  readonly random: SessionTokens;
  readonly clock: Clock;
}

/** How long (ms) a link that a supervisor made is valid. The printed link is valid until it is used. */
const invitationMs = 60 * 60_000;

/** For a bot that only this machine can reach, without a provider: whoever can read its output may sign in. */
export const makeLinkSignIn = ({ sessions, record, pages, random, clock }: LinkSignInOptions): DeskSignIn => {
  const links: { readonly digest: Buffer; readonly until: number; readonly printed: boolean }[] = [];
  const newLink = (until: number, printed = false) => {
    const token = random.token();
    links.push({ digest: sha256(token), until, printed });
    return `${place.path}/sign-in/${token}`;
  };
  const find = (token = '') => links.findIndex(({ digest, until }) => sameBytes(sha256(token), digest) && clock.now() < until);

  const used = (call: HttpRequest) => pages.bare(call, 410, { title: 'usedTitle', text: 'usedText' });
  /** Only the program's output vouches for an address: whoever reads it runs the program. */
  const vouches = (call: HttpRequest) => links[find(call.params.token)]?.printed === true;
  const form = (call: HttpRequest, status: number, given: { name?: string | undefined; email?: string | undefined } = {}) => {
    const t = pages.textsFor(call);
    const field = (name: 'email' | 'name', type: string, autocomplete: string) =>
      html`<label>${t[name]}<input name="${name}" type="${type}" autocomplete="${autocomplete}" required maxlength="80" value="${given[name] ?? ''}"${name === 'name' && html` autofocus`}></label>`;
    return pages.bare(
      call,
      status,
      { title: 'enterTitle', text: `${vouches(call) ? 'enter' : 'invited'}${status === 200 ? 'Text' : 'Wrong'}` },
      {
        body: html`<form method="post">${field('name', 'text', 'name')}${vouches(call) && field('email', 'email', 'email')}
<div class="actions"><button class="primary" name="role" value="agent">${t.enterAgent}</button><button name="role" value="supervisor">${t.enterSupervisor}</button></div></form>`,
      },
    );
  };

  return {
    path: newLink(Number.POSITIVE_INFINITY, true),
    admits: isFromThisMachine,
    outside: (call) => pages.bare(call, 401, { title: 'outTitle', text: 'outLink' }),
    confirm: async (session) => session,
    farewell: async () => back(place.path),
    invite: () => newLink(clock.now() + invitationMs),
    routes: [
      // A GET does not use the link up.
      { method: 'GET', path: '/sign-in/:token', answer: (call) => (find(call.params.token) < 0 ? used(call) : form(call, 200)) },
      {
        method: 'POST',
        path: '/sign-in/:token',
        answer: async (call) => {
          const index = find(call.params.token);
          if (index < 0) return used(call);
          const { email = '', name = '', role: wanted } = fieldsOf(call.body);
          const [person, address] = [asLine(name), email.trim().toLowerCase()];
          const own = vouches(call);
          if (person === '' || (own && !/^[\x21-\x3f\x41-\x7e]{1,200}@[\x21-\x3f\x41-\x7e]{1,100}$/.test(address)))
            return form(call, 422, { name, email });
          // Before any await, so that only one of two posts gets in.
          links.splice(index, 1);
          const role: DeskRole = wanted === 'supervisor' ? 'supervisor' : 'agent';
          // Whoever uses a link is somebody of their own: a typed address makes nobody somebody else.
          const who = { person, subject: `link:${random.token()}`, ...(own && { email: address }), role };
          const { session, cookie } = await sessions.begin({ ...who, zone: '', address: call.clientAddress }, clock.now());
          await record(session, { action: 'sign-in', subject: '' }, call);
          return back(place.path, { 'Set-Cookie': cookie });
        },
      },
    ],
  };
};

export interface OpenIdSignInOptions {
  readonly flow: OpenIdFlow;
  readonly confirm: ConfirmSession<DeskRole>;
  readonly pages: Pages;
}

/** For every other bot: the provider says who somebody is. */
export const makeOpenIdSignIn = ({ flow, confirm, pages }: OpenIdSignInOptions): DeskSignIn => {
  /** A form, so that only a click on our own page starts a sign-in. */
  const begin = (call: HttpRequest, label: keyof DeskTexts, anew = false) =>
    html`<form method="post" action="${place.path}/sign-in">${anew && html`<input type="hidden" name="anew" value="yes">`}
<div class="actions"><button class="primary">${pages.textsFor(call)[label]}</button></div></form>`;
  const again = (call: HttpRequest, status: number, what: BareTexts) => pages.bare(call, status, what, { body: begin(call, 'again') });
  /**
   * A sign-in that starts on this page counts as started by our own site: a redirect would be blocked by the page's
   * policy, or lose the cookie.
   */
  const onward = (call: HttpRequest, url: string, headers?: Readonly<Record<string, string>>) =>
    pages.bare(
      call,
      200,
      { title: 'onwardTitle', text: 'onwardText' },
      {
        head: html`<meta http-equiv="refresh" content="0;url=${url}">`,
        body: html`<div class="actions"><a class="button primary" href="${url}">${pages.textsFor(call).onward}</a></div>`,
        headers,
      },
    );
  const unavailable = (call: HttpRequest) => again(call, 503, { title: 'unavailableTitle', text: 'unavailableText' });
  const tooMany = (call: HttpRequest, { headers, status }: HttpProblem) =>
    pages.bare(call, status, { title: 'tooManyTitle', text: 'tooManyText' }, { headers });

  return {
    path: place.path,
    admits: () => true,
    outside: (call) => pages.bare(call, 401, { title: 'enterTitle', text: 'outText' }, { body: begin(call, 'signIn') }),
    confirm,
    invite: undefined,
    farewell: async (session, call) => {
      const url = await flow.farewell(session);
      return url ? onward(call, url.href) : back(place.path);
    },
    routes: [
      {
        method: 'POST',
        path: '/sign-in',
        answer: async (call) => {
          const departure = await flow.depart(call, { anew: fieldsOf(call.body).anew !== undefined });
          switch (departure.kind) {
            case 'signed-in':
              return back(place.path);
            case 'unavailable':
              return unavailable(call);
            case 'depart':
              return onward(call, departure.url, { 'Set-Cookie': departure.cookie });
            case 'too-many':
              return tooMany(call, departure.problem);
            default:
              return departure satisfies never;
          }
        },
      },
      {
        method: 'GET',
        path: callbackPath,
        answer: async (call) => {
          const arrived = await flow.arrive(call);
          switch (arrived.kind) {
            case 'arrived':
              return onward(call, place.path, { 'Set-Cookie': arrived.cookie });
            case 'no-role':
              return pages.bare(call, 403, { title: 'noRoleTitle', text: 'noRoleText' }, { body: begin(call, 'other', true) });
            case 'declined':
              return again(call, 403, { title: 'declinedTitle', text: 'declinedText' });
            case 'doubtful':
              return again(call, 403, { title: 'doubtfulTitle', text: 'doubtfulText' });
            case 'unknown':
              return again(call, 410, { title: 'doubtfulTitle', text: 'doubtfulText' });
            case 'unavailable':
              return unavailable(call);
            case 'too-many':
              return tooMany(call, arrived.problem);
            default:
              return arrived satisfies never;
          }
        },
      },
    ],
  };
};

/** @throws {HttpProblem} 403 for anybody who may not reach the sign-in. */
export const refuseStrangers = ({ admits }: Pick<DeskSignIn, 'admits'>, call: HttpRequest): void => {
  if (!admits(call)) throw new HttpProblem(403, 'forbidden', 'The desk is for the machine that the bot runs on.');
};
