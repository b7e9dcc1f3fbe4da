// Signing in through an OpenID provider: authorization code flow with PKCE, state and nonce; openid-client makes the
// protocol's checks.
import { networkOf } from '../../platform/http/client-address.ts';
import { postedFields } from '../../platform/http/http-body.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { type Answer, type HttpRequest, redirect } from '../../platform/http/http-server.ts';
import { limitRate } from '../../platform/limits.ts';
import { rates } from '../../platform/rates.ts';
import type { OpenIdClient } from '../../platform/settings/openid.ts';
import { html } from '../../platform/text/html.ts';
import type { Session } from '../session-store.ts';
import type { SignInMethod, SignInParts } from '../sign-in-method.ts';
import { type Claims, personIn, type Ranks, roleIn } from './claims.ts';
import { makeLoginStates } from './login-states.ts';
import { openProvider } from './provider.ts';
import { makeRoleChecks } from './role-checks.ts';

/** What a room makes of the provider's claims. */
export interface OpenIdRoles<Role extends string> {
  readonly ranks: Ranks<Role>;
  /** The role of people whose role is not confirmed. */
  readonly least: Role;
  /** Names a person for their session. Unset: by {@link personIn}. */
  readonly nameOf?: (claims: Claims) => Pick<Session, 'email' | 'person' | 'subject'>;
}

/**
 * How long (ms) people may be inactive: after an hour at lunch they sign in again (ASVS 5, 7.3.1; NIST SP 800-63B-4,
 * 2.2.3).
 */
const idleMs = 60 * 60_000;
/** At sign-out an ID token is part of an address; longer ones would not arrive. */
const longestHint = 4000;
/** Where forms lead, and where the provider sends people back to, relative to the pages' path. */
const startPath = '/sign-in';
const callbackPath = '/sign-in/callback';

/** How long a page's address may be. */
const longestPath = 500;
/** Only for parsing a path as an address; no request is ever sent there. */
const base = 'https://pages.invalid';

/** The page to continue to after a sign-in: the path, with its query, if it is one below `home`; else `home` itself. */
export const returnPath = (given: string | undefined, home: string): string => {
  if (given === undefined || given.length > longestPath) return home;
  // As in a browser: dots, backslashes and hidden hosts are resolved before anything is compared.
  const url = URL.parse(given, base);
  if (!url || url.origin !== base) return home;
  const { pathname, search } = url;
  const inside = (pathname === home || pathname.startsWith(`${home}/`)) && !/^\/sign-(?:in|out)(?:\/|$)/.test(pathname.slice(home.length));
  return inside ? `${pathname}${search}` : home;
};

export const makeOpenIdSignIn = <Role extends string>(
  options: SignInParts<Role>,
  { ranks, least, nameOf = personIn, ...settings }: OpenIdClient & OpenIdRoles<Role>,
): SignInMethod<Role> => {
  const { place, pages, sessions, record, publicUrl, seal, clock, log } = options;
  const component = place.name;
  const provider = openProvider(component, settings, clock, log);
  const loginStates = makeLoginStates(options);
  const roleChecks = makeRoleChecks(options, provider, settings.roleClaim, ranks, least);
  const hintContext = `${component} id token`;
  const redirectUri = () => new URL(`${place.path}${callbackPath}`, publicUrl()).href;

  /** A form, so that only a click on one of our pages starts a sign-in. `anew`: perhaps as another person. */
  const startForm = (call: HttpRequest, label: 'again' | 'other' | 'sign-in', to = place.path, anew = false) =>
    html`<form method="post" action="${place.path}${startPath}" data-device><input type="hidden" name="zone" value="" data-zone><input type="hidden" name="to" value="${to}">
${anew && html`<input type="hidden" name="anew" value="yes">`}<div class="actions single"><button class="primary">${pages.label(call, label)}</button></div></form>`;
  const failed = (call: HttpRequest, status: number, why: 'declined' | 'doubtful' | 'unavailable', to?: string) =>
    pages.show(call, status, why, { body: startForm(call, 'again', to) });
  /**
   * Sends the browser on from one of our pages. A redirect fails in two ways: after a form post, the page's policy
   * stops it at the first other site; and on the way back, browsers attribute a redirect to the provider and omit
   * `SameSite=Strict` cookies, so a person who has just signed in would appear signed out. A navigation that starts
   * from this page counts as started by our site.
   */
  const onward = (call: HttpRequest, url: string, screen: 'arrived' | 'left' | 'onward', cookie?: string) =>
    pages.show(call, 200, screen, {
      head: html`<meta http-equiv="refresh" content="0;url=${url}">`,
      body: html`<div class="actions single"><a class="button primary" href="${url}">${pages.label(call, 'onward')}</a></div>`,
      headers: cookie === undefined ? {} : { 'Set-Cookie': cookie },
    });

  const beginLogin = async (call: HttpRequest): Promise<Answer> => {
    const { to: wanted, zone = '', anew } = postedFields(call.body);
    const to = returnPath(wanted, place.path);
    // A visitor who followed a link from elsewhere looks like a stranger until they click on a page of ours.
    if (anew === undefined && (await sessions.of(call, clock.now()))) return redirect(to);
    const login = await provider.beginLogin(redirectUri(), anew !== undefined);
    if (!login) return failed(call, 503, 'unavailable', to);
    const cookie = await loginStates.begin({ flight: login.state, to, zone: zone.slice(0, 100) }, clock.now());
    return onward(call, login.url.href, 'onward', cookie);
  };

  const finishLogin = async (call: HttpRequest): Promise<Answer> => {
    const login = await loginStates.take(call, clock.now());
    if (!login) return failed(call, 410, 'doubtful');
    const { flight, to, zone } = login;
    const identity = await provider.finishLogin(new URL(`?${call.query}`, redirectUri()), flight);
    if ('refused' in identity) {
      const { code, refused } = identity;
      log.warn({ component, code: `sign_in_${refused}`, reason: code }, 'somebody could not sign in');
      return failed(call, refused === 'unavailable' ? 503 : 403, refused, to);
    }
    const { claims, idToken, tokens } = identity;
    const role = roleIn(claims, settings.roleClaim, ranks);
    const who = nameOf(claims);
    if (!role) {
      await record({ ...who, role: 'none' }, { action: 'refused', subject: '' }, call);
      return pages.show(call, 403, 'no-role', { body: startForm(call, 'other', to, true) });
    }
    const sealed = idToken.length > longestHint ? undefined : seal.seal(idToken, hintContext);
    const known = { ...who, role, zone, idleMs, sealed, address: call.clientAddress, roleCheck: roleChecks.begin(tokens) };
    const { session, cookie } = await sessions.begin(known, clock.now());
    await record(session, { action: 'sign-in', subject: '' }, call);
    return onward(call, to, 'arrived', cookie);
  };

  const takeAttempt = limitRate(rates.signIns, 'rate_limited', 'Too many attempts to sign in. Wait before the next one.');
  const limited = (answer: (call: HttpRequest) => Promise<Answer>) => async (call: HttpRequest) => {
    try {
      await takeAttempt(networkOf(call.clientAddress));
    } catch (fault) {
      if (!(fault instanceof HttpProblem)) throw fault;
      // A page instead of a problem, since people read it.
      return pages.show(call, fault.status, 'too-many', { headers: fault.headers });
    }
    return answer(call);
  };

  return {
    path: place.path,
    admits: () => true,
    outside: (call) => {
      const to = call.method === 'GET' ? returnPath(call.raw.url, place.path) : place.path;
      return pages.show(call, 401, 'start', { body: startForm(call, 'sign-in', to) });
    },
    confirm: roleChecks.confirm,
    signedOut: async (call, { sealed }) => {
      const url = await provider.logoutUrl(sealed === undefined ? undefined : String(seal.open(sealed, hintContext)));
      return url ? onward(call, url.href, 'left') : redirect(place.path);
    },
    close: provider.close,
    routes: [
      { method: 'POST', path: startPath, answer: limited(beginLogin) },
      { method: 'GET', path: callbackPath, answer: limited(finishLogin) },
    ],
  };
};
