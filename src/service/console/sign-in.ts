// Signing in at the console: a link that works once, on this machine, and a session that the server keeps (security: desk access).
import { html } from '../../platform/html.ts';
import type { Answer, HttpRequest } from '../../platform/http-server.ts';
import { fieldsOf } from '../device/posts.ts';
import type { Random } from '../random.ts';
import { hashToken, sameBytes, sha256 } from '../seal.ts';
import type { ConsoleSession, ConsoleStore, Role } from '../store/console.ts';
import type { Texts } from '../texts.ts';
import { isTimeZone } from './calendar.ts';
import type { Frame } from './frame.ts';

/** How long (ms) somebody stays signed in. */
const sessionMs = 8 * 60 * 60_000;
/** How the access log names whoever has the link: nobody knows more of them. */
const person = 'sign-in link';

export interface SignInOptions {
  readonly store: ConsoleStore;
  readonly frame: Frame;
  readonly random: Random;
  readonly secure: () => boolean;
}

export interface SignIn {
  /** The link's token, which works once in the life of this process. */
  readonly token: string;
  /** What the link shows: nothing is used up by looking. */
  show(token: string, texts: Texts): Answer;
  /** Uses the link up. */
  enter(call: HttpRequest, texts: Texts, now: number): Promise<{ readonly answer: Answer; readonly session?: ConsoleSession }>;
  /** Who is signed in. */
  whoIs(call: HttpRequest, now: number): Promise<ConsoleSession | undefined>;
  leave(call: HttpRequest): Promise<Answer>;
}

export const makeSignIn = ({ store, frame, random, secure }: SignInOptions): SignIn => {
  const token = random.token();
  let unused = true;
  const isIt = (given: string) => unused && sameBytes(sha256(given), sha256(token));

  // A browser takes the prefix for a promise that no other host and no plain connection has set it (RFC 6265bis, 4.1.3.2).
  const nameOf = () => (secure() ? '__Host-console' : 'console');
  const cookie = (value: string, seconds: number) =>
    `${nameOf()}=${value}; ${secure() ? 'Path=/; Secure' : 'Path=/console'}; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  const held = ({ headers }: HttpRequest) =>
    (headers.cookie ?? '')
      .split(/;\s*/)
      .find((pair) => pair.startsWith(`${nameOf()}=`))
      ?.slice(nameOf().length + 1);

  const used = (texts: Texts) => frame.bare(410, 'console.used.title', 'console.used.text', texts);
  const form = ({ t }: Texts) =>
    html`<form method="post" data-device><input type="hidden" name="zone" value="" data-zone>
      <div class="actions"><button class="primary" name="role" value="operator">${t('console.enter.operator')}</button><button name="role" value="viewer">${t('console.enter.viewer')}</button></div></form>`;

  return {
    token,
    show: (given, texts) => (isIt(given) ? frame.bare(200, 'console.enter.title', 'console.enter.text', texts, form(texts)) : used(texts)),
    enter: async (call, texts, now) => {
      if (!isIt(call.params.token ?? '')) return { answer: used(texts) };
      // Before anything is waited for: of two posts one gets in.
      unused = false;
      const { role: wanted, zone = '' } = fieldsOf(call.body);
      const role: Role = wanted === 'operator' ? 'operator' : 'viewer';
      const session = { person, role, timeZone: zone !== '' && isTimeZone(zone) ? zone : 'UTC', expiresAt: now + sessionMs };
      const secret = random.token();
      await store.begin(hashToken(secret), session, now);
      const headers = { Location: '/console', 'Set-Cookie': cookie(secret, sessionMs / 1000) };
      return { answer: { status: 303, headers }, session };
    },
    whoIs: async (call, now) => {
      const secret = held(call);
      return secret === undefined || secret === '' ? undefined : store.session(hashToken(secret), now);
    },
    leave: async (call) => {
      const secret = held(call);
      if (secret !== undefined) await store.end(hashToken(secret));
      return { status: 303, headers: { Location: '/console', 'Set-Cookie': cookie('', 0) } };
    },
  };
};
