// Whether people who signed in at the provider still have their role there: asked again while they work.
import { z } from 'zod';
import type { HttpRequest } from '../../platform/http/http-server.ts';
import type { HeldSession, RoleCheck } from '../session-store.ts';
import type { SignInMethod, SignInParts } from '../sign-in-method.ts';
import { type Ranks, roleIn } from './claims.ts';
import type { Provider, ProviderTokens } from './provider.ts';

/** How long (ms) the provider's word on a role stays valid. */
export const freshMs = 5 * 60_000;
/** How long (ms) after that word people may still look around, but do nothing, while the provider does not answer. */
export const silentMs = 20 * 60_000;
/**
 * How soon (ms) it is then asked again. Until then no other process uses the same token: a refresh token may be
 * single-use.
 */
export const againMs = 30_000;

const stored = z.object({ subject: z.string(), access: z.string(), refresh: z.string().optional() });

/** @param least - the role of people whose role is not confirmed */
export const makeRoleChecks = <Role extends string>(
  { place, store, record, seal, clock, log }: SignInParts<Role>,
  provider: Pick<Provider, 'again'>,
  roleClaim: string,
  ranks: Ranks<Role>,
  least: Role,
) => {
  const component = place.name;
  const context = `${component} tokens`;
  const keep = (tokens: ProviderTokens, now: number) => ({ tokens: seal.seal(tokens, context), dueAt: now + freshMs });

  const end = async (session: HeldSession<Role>, role: Role | 'none', action: string, call: Pick<HttpRequest, 'clientAddress'>) => {
    await record({ ...session, role }, { action, subject: '' }, call);
    // A person without a role loses the sessions in all browsers.
    await (role === 'none' ? store.endAll(session.subject) : store.end(session.id));
    return undefined;
  };

  const ask = async (
    session: HeldSession<Role>,
    roleCheck: RoleCheck,
    call: Pick<HttpRequest, 'clientAddress'>,
  ): Promise<HeldSession<Role> | undefined> => {
    const { id } = session;
    const answer = await provider.again(stored.parse(seal.open(roleCheck.tokens, context)));
    const now = clock.now();
    if ('refused' in answer) {
      log.warn({ component, code: 'role_not_confirmed', reason: answer.code }, 'the OpenID provider did not confirm a role');
      if (answer.refused !== 'unavailable') return end(session, session.role, 'sign-in-over', call);
      const until = roleCheck.confirmedAt + silentMs;
      if (now >= until) return end(session, session.role, 'unconfirmed', call);
      await store.postponeRoleCheck(id, Math.min(now + againMs, until));
      return unconfirmed(session, roleCheck);
    }
    const role = roleIn(answer.claims, roleClaim, ranks);
    if (!role) return end(session, 'none', 'role-lost', call);
    if (role !== session.role) await record({ ...session, role }, { action: 'role-changed', subject: '' }, call);
    const kept = { ...keep(answer.tokens, now), confirmedAt: now };
    // The session may have been ended meanwhile.
    return (await store.storeRoleCheck(id, { ...kept, role })) ? { ...session, role, roleCheck: { ...kept, silent: false } } : undefined;
  };

  /** A role that is not confirmed permits no actions. */
  const unconfirmed = (session: HeldSession<Role>, roleCheck: RoleCheck): HeldSession<Role> => ({
    ...session,
    role: least,
    roleCheck: { ...roleCheck, silent: true },
  });

  return {
    /** The part of a new session with which the provider will be asked again, and when. */
    begin: (tokens: ProviderTokens) => keep(tokens, clock.now()),
    confirm: (async (session, call) => {
      const { id, roleCheck } = session;
      if (!roleCheck) return session;
      const now = clock.now();
      if (now >= roleCheck.dueAt && (await store.claimRoleCheck(id, roleCheck.dueAt, now + againMs))) return ask(session, roleCheck, call);
      return roleCheck.silent ? unconfirmed(session, roleCheck) : session;
    }) satisfies SignInMethod<Role>['confirm'],
  };
};
