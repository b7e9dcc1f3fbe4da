// Signing in by an OpenID provider: authorization code flow with PKCE, state and nonce; openid-client makes the
// protocol's checks. The pages decide what people see of it.
import { networkOf } from '../../http/client-address.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import type { HttpRequest } from '../../http/http-server.ts';
import { limitRate } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { rates } from '../../rates.ts';
import type { Sealing } from '../../secrets/sealing.ts';
import type { Clock } from '../../time/clock.ts';
import type { RecordAccess } from '../accesses.ts';
import type { Session } from '../session-store.ts';
import type { Sessions, SignInPlace } from '../sessions.ts';
import { type Claims, personIn, type Ranks, roleIn } from './claims.ts';
import type { LoginStates } from './login-states.ts';
import type { Provider } from './provider.ts';
import { returnPath } from './return-path.ts';
import type { OpenIdClient } from './settings.ts';
import type { Standings } from './standing.ts';

export interface OpenIdFlowOptions<Role extends string> {
  readonly place: SignInPlace;
  readonly provider: Provider;
  readonly settings: Pick<OpenIdClient, 'roleClaim'>;
  readonly ranks: Ranks<Role>;
  readonly sessions: Sessions<Role>;
  readonly standings: Standings<Role>;
  readonly loginStates: LoginStates;
  readonly record: RecordAccess<Role>;
  /** Names a person for their session. Unset: by {@link personIn}. */
  readonly nameOf?: (claims: Claims) => Pick<Session, 'email' | 'person' | 'subject'>;
  readonly seal: Sealing;
  readonly publicUrl: () => URL;
  readonly clock: Clock;
  readonly log: Log;
}

/** Too many attempts, as the problem says. */
interface TooMany {
  readonly kind: 'too-many';
  readonly problem: HttpProblem;
}

/** Where a person is sent to sign in. `to`: the page of ours to continue to. */
export type Departure =
  | { readonly kind: 'signed-in' | 'unavailable'; readonly to: string }
  | { readonly kind: 'depart'; readonly url: string; readonly cookie: string }
  | TooMany;

/** The result of coming back from the provider. */
export type Return =
  | { readonly kind: 'declined' | 'doubtful' | 'no-role' | 'unavailable'; readonly to: string }
  /** The answer belongs to no sign-in of this browser. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'arrived'; readonly to: string; readonly cookie: string }
  | TooMany;

export interface OpenIdFlow {
  /** `anew`: perhaps as another person. */
  depart(
    call: HttpRequest,
    wanted: { readonly to?: string | undefined; readonly zone?: string; readonly anew?: boolean },
  ): Promise<Departure>;
  arrive(call: HttpRequest): Promise<Return>;
  /** The address for signing out at the provider. `undefined`: it has none, or is unavailable. */
  farewell(session: Pick<Session, 'sealed'>): Promise<URL | undefined>;
}

/**
 * How long (ms) people may be inactive: after an hour at lunch they sign in again (ASVS 5, 7.3.1; NIST SP 800-63B-4,
 * 2.2.3).
 */
const idleMs = 60 * 60_000;
/** At sign-out an ID token is part of an address; longer ones would not arrive. */
const longestHint = 4000;

/** Where the provider sends people back to, relative to the pages' path. */
export const callbackPath = '/sign-in/callback';

export const makeOpenIdFlow = <Role extends string>(options: OpenIdFlowOptions<Role>): OpenIdFlow => {
  const {
    place,
    provider,
    settings,
    ranks,
    sessions,
    standings,
    loginStates,
    record,
    nameOf = personIn,
    seal,
    publicUrl,
    clock,
    log,
  } = options;
  const hintContext = `${place.name} id token`;
  const redirectUri = () => new URL(`${place.path}${callbackPath}`, publicUrl()).href;
  const takeAttempt = limitRate(rates.signIns, 'rate_limited', 'Too many attempts to sign in. Wait before the next one.');

  const arrive = async (call: HttpRequest): Promise<Return> => {
    const journey = await loginStates.take(call, clock.now());
    if (!journey) return { kind: 'unknown' };
    const { flight, to, zone } = journey;
    const arrived = await provider.arrive(new URL(`?${call.query}`, redirectUri()), flight);
    if ('refused' in arrived) {
      const { code, refused: kind } = arrived;
      log.warn({ component: place.name, code: `sign_in_${kind}`, reason: code }, 'somebody could not sign in');
      return { kind, to };
    }
    const { claims, idToken, tokens } = arrived;
    const role = roleIn(claims, settings.roleClaim, ranks);
    const who = nameOf(claims);
    if (!role) {
      await record({ ...who, role: 'none' }, { action: 'refused', subject: '' }, call);
      return { kind: 'no-role', to };
    }
    const sealed = idToken.length > longestHint ? undefined : seal.seal(idToken, hintContext);
    const known = { ...who, role, zone, idleMs, sealed, address: call.clientAddress, standing: standings.begin(tokens) };
    const { session, cookie } = await sessions.begin(known, clock.now());
    await record(session, { action: 'sign-in', subject: '' }, call);
    return { kind: 'arrived', to, cookie };
  };

  const depart: OpenIdFlow['depart'] = async (call, { to: wanted, zone = '', anew = false }) => {
    const to = returnPath(wanted, place.path);
    // A visitor who followed a link from elsewhere looks like a stranger until they click on a page of ours.
    if (!anew && (await sessions.of(call, clock.now()))) return { kind: 'signed-in', to };
    const departure = await provider.depart(redirectUri(), anew);
    if (!departure) return { kind: 'unavailable', to };
    const { flight, url } = departure;
    const cookie = await loginStates.begin({ flight, to, zone: zone.slice(0, 100) }, clock.now());
    return { kind: 'depart', url: url.href, cookie };
  };

  const bounded = async <Result>(call: HttpRequest, next: () => Promise<Result>): Promise<Result | TooMany> => {
    try {
      await takeAttempt(networkOf(call.clientAddress));
    } catch (fault) {
      if (!(fault instanceof HttpProblem)) throw fault;
      return { kind: 'too-many', problem: fault };
    }
    return next();
  };

  return {
    depart: (call, wanted) => bounded(call, () => depart(call, wanted)) as Promise<Departure>,
    arrive: (call) => bounded(call, () => arrive(call)) as Promise<Return>,
    farewell: ({ sealed }) => provider.farewell(sealed === undefined ? undefined : String(seal.open(sealed, hintContext))),
  };
};
