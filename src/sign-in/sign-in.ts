// Signing in to pages for staff: by a link that works once, on this machine, or through an OpenID provider. A room gives
// its words, roles and tables; what happens, and in which order, stands here, once for the desk and the console.
import type { Answer, HttpRequest } from '../platform/http/http-server.ts';
import type { OpenIdClient } from '../platform/settings/openid.ts';
import { type LinkHolder, makeLinkSignIn } from './link-sign-in.ts';
import { makeOpenIdSignIn, type OpenIdRoles } from './openid/openid-sign-in.ts';
import { makeSessions } from './sessions.ts';
import type { SignInMethod, SignInParts, SignInRoute } from './sign-in-method.ts';

/** The size limit of a form of a sign-in. */
export const signInLimits = { size: 4 * 1024, depth: 2 };

/**
 * Only one way at a time: if people sign in by name, a link that anybody may hold would make the access log worthless
 * (decision 0158). Without `openId`, people sign in by a link.
 */
export const openSignIn = <Role extends string>(
  options: Omit<SignInParts<Role>, 'sessions'> & {
    readonly openId: (OpenIdClient & OpenIdRoles<Role>) | undefined;
    readonly link: LinkHolder<Role>;
  },
) => {
  const { place, store, random, secure, record, clock, openId, link } = options;
  const sessions = makeSessions<Role>(place, store, random, secure);
  const parts = { ...options, sessions };
  const method: SignInMethod<Role> = openId ? makeOpenIdSignIn(parts, openId) : makeLinkSignIn(parts, link);

  const signOut = async (call: HttpRequest): Promise<Answer> => {
    const session = await sessions.of(call, clock.now());
    if (!session) return method.outside(call);
    await record(session, { action: 'sign-out', subject: '' }, call);
    const cookie = await sessions.end(call);
    const answer = await method.signedOut(call, session);
    return { ...answer, headers: { ...answer.headers, 'Set-Cookie': cookie } };
  };
  return {
    ...method,
    routes: [...method.routes, { method: 'POST', path: '/sign-out', answer: signOut }] satisfies readonly SignInRoute[],
    /** The session of this call's browser, confirmed. Counts as a visit, unless `visit` is false. */
    session: async (call: Pick<HttpRequest, 'headers'>, from: Pick<HttpRequest, 'clientAddress'>, visit?: boolean) => {
      const session = await sessions.of(call, clock.now(), visit);
      return session && method.confirm(session, from);
    },
  };
};
