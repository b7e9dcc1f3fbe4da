// Signing in by an OpenID provider: authorization code flow with PKCE, state and nonce, the protocol's own checks made
// by openid-client.

import { networkOf } from '../../../platform/client-address.ts';
import type { Clock } from '../../../platform/clock.ts';
import { html } from '../../../platform/html.ts';
import { HttpProblem } from '../../../platform/http-problem.ts';
import type { Answer, HttpRequest } from '../../../platform/http-server.ts';
import type { Log } from '../../../platform/log.ts';
import { limitRate } from '../../../platform/rate-limit.ts';
import { fieldsOf, formLimits } from '../../core/device/posts.ts';
import type { Seal } from '../../core/seal.ts';
import type { TextKey, Texts } from '../../core/texts.ts';
import type { Frame } from '../frame.ts';
import type { Sessions } from '../sessions.ts';
import type { RecordAccess, SignInMethod } from '../sign-in-method.ts';
import { personIn, roleIn } from './claims.ts';
import type { LoginStates } from './login-states.ts';
import type { Provider } from './provider.ts';
import type { Refusal } from './refusal.ts';
import { returnPath } from './return-path.ts';
import type { OpenIdSettings } from './settings.ts';
import type { Standings } from './standing.ts';

export interface OpenIdSignInOptions {
  readonly provider: Provider;
  readonly settings: OpenIdSettings;
  readonly sessions: Sessions;
  readonly standings: Standings;
  readonly loginStates: LoginStates;
  readonly frame: Frame;
  readonly record: RecordAccess;
  readonly seal: Pick<Seal, 'open' | 'seal'>;
  readonly publicUrl: () => URL;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * How long (ms) somebody may be away: after an hour at lunch they sign in again (ASVS 5, 7.3.1; NIST SP 800-63B-4,
 * 2.2.3).
 */
const idleMs = 60 * 60_000;
/** Beginning and coming back are a point each: one sign-in takes two. */
const attempts = { points: 60, seconds: 60 };
/** An ID token travels in an address when somebody signs out, and longer ones would not arrive. */
const longestHint = 4000;
const hintContext = 'console id token';

const startPath = '/sign-in';
const callbackPath = '/sign-in/callback';

export const makeOpenIdSignIn = (options: OpenIdSignInOptions): SignInMethod => {
  const { provider, settings, sessions, standings, loginStates, frame, record, seal, publicUrl, clock, log } = options;
  const redirectUri = () => new URL(`/console${callbackPath}`, publicUrl()).href;
  const takeAttempt = limitRate(attempts, 'rate_limited', 'Too many attempts to sign in. Wait before the next one.');

  /** A form, so that nothing but a click on a page of ours begins a sign-in. */
  const begin = ({ t }: Texts, label: TextKey, to: string, anew = false) =>
    html`<form method="post" action="/console${startPath}" data-device><input type="hidden" name="zone" value="" data-zone><input type="hidden" name="to" value="${to}">
      ${anew && html`<input type="hidden" name="anew" value="yes">`}<div class="actions single"><button class="primary">${t(label)}</button></div></form>`;
  /**
   * Sends the browser on from a page of ours. A redirect fails in two ways: after a form post, the page's policy stops
   * it at the first other site; and on the way back, browsers attribute a redirect to the provider and leave out
   * `SameSite=Strict` cookies, so that whoever just signed in would arrive as a stranger. What this page begins, our
   * own site has begun.
   */
  const onward = (url: string, title: TextKey, texts: Texts) =>
    frame.bare(
      200,
      title,
      'console.onward.text',
      texts,
      html`<div class="actions single"><a class="button primary" href="${url}">${texts.t('console.onward.go')}</a></div>`,
      html`<meta http-equiv="refresh" content="0;url=${url}">`,
    );
  const again = (status: number, what: 'console.declined' | 'console.doubtful' | 'console.unavailable', texts: Texts, to = '/console') =>
    frame.bare(status, `${what}.title`, `${what}.text`, texts, begin(texts, 'console.again', to));
  const refused = ({ refused: how, code }: Refusal, texts: Texts, to: string) => {
    log.warn({ component: 'console', code: `sign_in_${how}`, reason: code }, 'somebody could not sign in at the console');
    if (how === 'declined') return again(403, 'console.declined', texts, to);
    return how === 'doubtful' ? again(403, 'console.doubtful', texts) : again(503, 'console.unavailable', texts, to);
  };

  const start = async (call: HttpRequest, texts: Texts): Promise<Answer> => {
    const { zone = '', to: wanted, anew } = fieldsOf(call.body);
    const to = returnPath(wanted);
    // A visitor who followed a link from elsewhere looks like a stranger until they click on a page of ours.
    if (anew === undefined && (await sessions.of(call, clock.now()))) return { status: 303, headers: { Location: to } };
    const departure = await provider.depart(redirectUri(), anew !== undefined);
    if (!departure) return again(503, 'console.unavailable', texts, to);
    const { flight, url } = departure;
    const cookie = await loginStates.begin({ flight, to, zone: zone.slice(0, 100) }, clock.now());
    return withHeaders(onward(url.href, 'console.onward.title', texts), { 'Set-Cookie': cookie });
  };

  const callback = async (call: HttpRequest, texts: Texts): Promise<Answer> => {
    const journey = await loginStates.take(call, clock.now());
    if (!journey) return again(410, 'console.doubtful', texts);
    const { flight, to, zone } = journey;
    const arrived = await provider.arrive(new URL(`?${call.query}`, redirectUri()), flight);
    if ('refused' in arrived) return refused(arrived, texts, to);
    const { claims, idToken, tokens } = arrived;
    const role = roleIn(claims, settings);
    const who = personIn(claims);
    if (!role) {
      await record({ person: who.person, role: 'none' }, { action: 'refused', subject: '' }, call);
      return frame.bare(403, 'console.noRole.title', 'console.noRole.text', texts, begin(texts, 'console.other', to, true));
    }
    const sealed = idToken.length > longestHint ? undefined : seal.seal(idToken, hintContext);
    const known = { ...who, role, zone, idleMs, sealed, address: call.clientAddress, standing: standings.begin(tokens) };
    const { session, cookie } = await sessions.begin(known, clock.now());
    await record(session, { action: 'sign-in', subject: '' }, call);
    return withHeaders(onward(to, 'console.arrived.title', texts), { 'Set-Cookie': cookie });
  };

  /** A page instead of a problem, since people are to read it. */
  const bounded =
    (answer: (call: HttpRequest, texts: Texts) => Promise<Answer>) =>
    async (call: HttpRequest, texts: Texts): Promise<Answer> => {
      try {
        await takeAttempt(networkOf(call.clientAddress));
      } catch (fault) {
        if (!(fault instanceof HttpProblem)) throw fault;
        return withHeaders(frame.bare(fault.status, 'console.tooMany.title', 'console.tooMany.text', texts), fault.headers);
      }
      return answer(call, texts);
    };

  return {
    path: '/console',
    admit: () => {},
    outside: ({ method, raw }, texts) =>
      frame.bare(
        401,
        'console.enter.title',
        'console.openid.text',
        texts,
        begin(texts, 'console.enter.operator', method === 'GET' ? returnPath(raw.url) : '/console'),
      ),
    confirm: standings.confirm,
    forbidden: ({ standing }) => (standing?.silent ? 'console.openid.silent' : 'console.openid.forbidden'),
    farewell: async ({ sealed }, texts) => {
      const url = await provider.farewell(sealed === undefined ? undefined : String(seal.open(sealed, hintContext)));
      return url ? onward(url.href, 'console.left.title', texts) : { status: 303, headers: { Location: '/console' } };
    },
    routes: [
      { method: 'POST', path: startPath, limits: formLimits, answer: bounded(start) },
      { method: 'GET', path: callbackPath, answer: bounded(callback) },
    ],
  };
};

const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});
