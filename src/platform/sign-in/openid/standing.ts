// Whether somebody who signed in at the provider still has their role there: asked again while they work.
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { HttpRequest } from '../../http-server.ts';
import type { Log } from '../../log.ts';
import type { Sealing } from '../../sealing.ts';
import type { RecordAccess } from '../accesses.ts';
import type { HeldSession, SessionStore, Standing } from '../session-store.ts';
import { type Ranks, roleIn } from './claims.ts';
import type { Provider, ProviderTokens } from './provider.ts';
import type { OpenIdClient } from './settings.ts';

/** How long (ms) what the provider said of somebody's role is taken for true. */
export const freshMs = 5 * 60_000;
/** How long (ms) after it last said so somebody may still look around, and no more, while it does not answer. */
export const silentMs = 20 * 60_000;
/**
 * How soon (ms) it is asked again then. Until then no other process uses the same token: a refresh token may be
 * single-use.
 */
export const againMs = 30_000;

export interface StandingsOptions<Role extends string> {
  /** What logs name the pages by that people sign in at. */
  readonly component: string;
  readonly provider: Pick<Provider, 'again'>;
  readonly settings: Pick<OpenIdClient, 'roleClaim'>;
  readonly ranks: Ranks<Role>;
  /** What somebody may do at the most whose role nobody confirms. */
  readonly least: Role;
  readonly store: Pick<SessionStore<Role>, 'claimStanding' | 'end' | 'endAll' | 'silence' | 'tell'>;
  readonly record: RecordAccess<Role>;
  readonly seal: Sealing;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Standings<Role extends string = string> {
  /** How a session that begins is kept: what the provider will be asked with, and when. */
  begin(tokens: ProviderTokens): Pick<Standing, 'dueAt' | 'tokens'>;
  /** Who somebody with a session is by now. `undefined`: their session has ended. */
  readonly confirm: ConfirmSession<Role>;
}

/** Asked at each visit: who somebody with a session is by now. `undefined`: their session has ended. */
export type ConfirmSession<Role extends string> = (
  session: HeldSession<Role>,
  call: Pick<HttpRequest, 'clientAddress'>,
) => Promise<HeldSession<Role> | undefined>;

const stored = z.object({ subject: z.string(), access: z.string(), refresh: z.string().optional() });

export const makeStandings = <Role extends string>(options: StandingsOptions<Role>): Standings<Role> => {
  const { component, provider, settings, ranks, least, store, record, seal, clock, log } = options;
  const context = `${component} tokens`;
  const keep = (tokens: ProviderTokens, now: number) => ({ tokens: seal.seal(tokens, context), dueAt: now + freshMs });

  const end = async (session: HeldSession<Role>, role: Role | 'none', action: string, call: Pick<HttpRequest, 'clientAddress'>) => {
    await record({ person: session.person, role }, { action, subject: '' }, call);
    // Who has no role has none in any browser.
    await (role === 'none' ? store.endAll(session.subject) : store.end(session.id));
    return undefined;
  };

  const ask = async (
    session: HeldSession<Role>,
    standing: Standing,
    call: Pick<HttpRequest, 'clientAddress'>,
  ): Promise<HeldSession<Role> | undefined> => {
    const { id, person } = session;
    const answer = await provider.again(stored.parse(seal.open(standing.tokens, context)));
    const now = clock.now();
    if ('refused' in answer) {
      log.warn({ component, code: 'role_not_confirmed', reason: answer.code }, 'the OpenID provider did not confirm a role');
      if (answer.refused !== 'unavailable') return end(session, session.role, 'sign-in-over', call);
      const until = standing.toldAt + silentMs;
      if (now >= until) return end(session, session.role, 'unconfirmed', call);
      await store.silence(id, Math.min(now + againMs, until));
      return unconfirmed(session, standing);
    }
    const role = roleIn(answer.claims, settings.roleClaim, ranks);
    if (!role) return end(session, 'none', 'role-lost', call);
    if (role !== session.role) await record({ person, role }, { action: 'role-changed', subject: '' }, call);
    const kept = { ...keep(answer.tokens, now), toldAt: now };
    // Somebody may have ended it meanwhile.
    return (await store.tell(id, { ...kept, role })) ? { ...session, role, standing: { ...kept, silent: false } } : undefined;
  };

  /** Nothing is done by a role that nobody confirms. */
  const unconfirmed = (session: HeldSession<Role>, standing: Standing): HeldSession<Role> => ({
    ...session,
    role: least,
    standing: { ...standing, silent: true },
  });

  return {
    begin: (tokens) => keep(tokens, clock.now()),
    confirm: async (session, call) => {
      const { id, standing } = session;
      if (!standing) return session;
      const now = clock.now();
      if (now >= standing.dueAt && (await store.claimStanding(id, standing.dueAt, now + againMs))) return ask(session, standing, call);
      return standing.silent ? unconfirmed(session, standing) : session;
    },
  };
};
