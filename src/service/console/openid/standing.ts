// Whether somebody who signed in at the provider still has their role there: asked again while they work.
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { HttpRequest } from '../../../platform/http-server.ts';
import type { Log } from '../../../platform/log.ts';
import type { Seal } from '../../core/seal.ts';
import type { ConsoleStore, HeldSession, Role, Standing } from '../../core/store/console.ts';
import type { RecordAccess, SignInMethod } from '../sign-in-method.ts';
import { roleIn } from './claims.ts';
import type { Provider, Tokens } from './provider.ts';
import type { OpenIdSettings } from './settings.ts';

/** How long (ms) what the provider said of somebody's role is taken for true. */
export const freshMs = 5 * 60_000;
/** How long (ms) after it last said so somebody may still look around, and no more, while it does not answer. */
export const silentMs = 20 * 60_000;
/**
 * How soon (ms) it is asked again then. Until then no other process uses the same token: a refresh token may be
 * single-use.
 */
export const againMs = 30_000;

export interface StandingsOptions {
  readonly provider: Pick<Provider, 'again'>;
  readonly settings: OpenIdSettings;
  readonly store: Pick<ConsoleStore, 'claimStanding' | 'end' | 'endAll' | 'silence' | 'tell'>;
  readonly record: RecordAccess;
  readonly seal: Pick<Seal, 'open' | 'seal'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Standings {
  /** How a session that begins is kept: what the provider will be asked with, and when. */
  begin(tokens: Tokens): Pick<Standing, 'dueAt' | 'tokens'>;
  readonly confirm: SignInMethod['confirm'];
}

const stored = z.object({ subject: z.string(), access: z.string(), refresh: z.string().optional() });
const context = 'console tokens';

export const makeStandings = ({ provider, settings, store, record, seal, clock, log }: StandingsOptions): Standings => {
  const keep = (tokens: Tokens, now: number) => ({ tokens: seal.seal(tokens, context), dueAt: now + freshMs });

  const end = async (session: HeldSession, role: Role | 'none', action: string, call: HttpRequest) => {
    await record({ person: session.person, role }, { action, subject: '' }, call);
    // Who has no role has none in any browser.
    await (role === 'none' ? store.endAll(session.subject) : store.end(session.id));
    return undefined;
  };

  const ask = async (session: HeldSession, standing: Standing, call: HttpRequest): Promise<HeldSession | undefined> => {
    const { id, person } = session;
    const answer = await provider.again(stored.parse(seal.open(standing.tokens, context)));
    const now = clock.now();
    if ('refused' in answer) {
      log.warn({ component: 'console', code: 'role_not_confirmed', reason: answer.code }, 'the OpenID provider did not confirm a role');
      if (answer.refused !== 'unavailable') return end(session, session.role, 'sign-in-over', call);
      const until = standing.toldAt + silentMs;
      if (now >= until) return end(session, session.role, 'unconfirmed', call);
      await store.silence(id, Math.min(now + againMs, until));
      return asViewer(session, standing);
    }
    const role = roleIn(answer.claims, settings);
    if (!role) return end(session, 'none', 'role-lost', call);
    if (role !== session.role) await record({ person, role }, { action: 'role-changed', subject: '' }, call);
    const kept = { ...keep(answer.tokens, now), toldAt: now };
    // Somebody may have ended it meanwhile.
    return (await store.tell(id, { ...kept, role })) ? { ...session, role, standing: { ...kept, silent: false } } : undefined;
  };

  return {
    begin: (tokens) => keep(tokens, clock.now()),
    confirm: async (session, call) => {
      const { id, standing } = session;
      if (!standing) return session;
      const now = clock.now();
      if (now >= standing.dueAt && (await store.claimStanding(id, standing.dueAt, now + againMs))) return ask(session, standing, call);
      return standing.silent ? asViewer(session, standing) : session;
    },
  };
};

/** Nothing is done by a role that nobody confirms. */
const asViewer = (session: HeldSession, standing: Standing): HeldSession => ({
  ...session,
  role: 'viewer',
  standing: { ...standing, silent: true },
});
