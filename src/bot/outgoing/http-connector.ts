// The connector over HTTP (Bot Connector REST API, learn.microsoft.com "Bot Connector API reference"): one request per
// call, with limits on time and sizes.
import { Agent, type Dispatcher } from 'undici';
import { readJson } from '../../platform/http/bounded-json.ts';
import { exchange, header, retryAfter } from '../../platform/outgoing/exchange.ts';
import { isPublicAddress, makeGuardedLookup } from '../../platform/outgoing/guarded-lookup.ts';
import { isLoopbackAddress } from '../../platform/outgoing/loopback.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { AccessToken } from '../authentication/tokens.ts';
import type { ServiceUrlCheck } from '../envelope.ts';
import type { Activity } from '../sdk.ts';
import { type Connector, ConnectorError, codeOfStatus } from './connector.ts';

/** An answer of a connector is a few dozen bytes. */
const answerLimit = 64 * 1024;
/** Its deepest nesting (docs/security.md#resources-are-exhausted). */
const depth = 32;

/**
 * The connections of every HTTP connector. HTTP/1.1 only: undici never writes a request twice there, which HTTP/2's
 * GOAWAY would not guarantee. `reach`: the addresses that a name may resolve to.
 */
export const makeConnectorDispatcher = (reach: 'internet' | 'loopback'): Agent =>
  new Agent({
    allowH2: false,
    connect: {
      timeout: 3000,
      lookup: makeGuardedLookup(reach === 'internet' ? isPublicAddress : ({ address }) => isLoopbackAddress(address)),
    },
    connections: 64,
    maxOrigins: 100,
    maxResponseSize: answerLimit,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
  });

type Method = 'DELETE' | 'POST' | 'PUT';

/**
 * A connector that makes exactly one HTTP request per call and never follows a redirect.
 * @param allowed - checked on every send, because a stored URL may predate the current rules
 * @param token - `undefined` for a bot without an app id
 * @param deadline - for the whole call, including the token, in milliseconds
 */
export const makeHttpConnector = (
  serviceUrl: string,
  allowed: ServiceUrlCheck,
  token: AccessToken | undefined,
  { dispatcher, clock, deadline = 10_000 }: { readonly dispatcher: Dispatcher; readonly clock: Clock; readonly deadline?: number },
): Connector => {
  const activities = (conversationId: string, activityId?: string) =>
    ['v3', 'conversations', conversationId, 'activities', ...(activityId === undefined ? [] : [activityId])].map(segment).join('/');

  const call = async (method: Method, path: string, activity?: Partial<Activity>): Promise<unknown> => {
    if (!allowed(serviceUrl)) throw new ConnectorError('refused_address');
    // A timer that is cleared, instead of AbortSignal.timeout: timers of finished calls would pile up until their
    // deadlines.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), deadline);
    try {
      return await ask(method, path, activity, timeout.signal);
    } finally {
      clearTimeout(timer);
    }
  };

  const ask = async (method: Method, path: string, activity: Partial<Activity> | undefined, signal: AbortSignal): Promise<unknown> => {
    const { origin, pathname } = new URL(serviceUrl);
    const authorization = token && `Bearer ${await bearer(token)}`;
    const message = {
      origin,
      path: `${pathname.replace(/(?<!\/)\/+$/, '')}/${path}`,
      method,
      headers: {
        accept: 'application/json',
        ...(activity && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
      },
      ...(activity && { body: JSON.stringify(activity) }),
    };
    const { status, headers, body, sent, fault } = await exchange(dispatcher, message, signal);
    if (status === undefined) {
      throw new ConnectorError(sent ? 'no_answer' : 'unreachable', fault?.kind === 'error' ? { cause: fault.error } : {});
    }
    // An unreadable body does not change the meaning of the status.
    const reading = fault ? undefined : readJson(body, depth);
    const said = reading && 'value' in reading ? reading.value : undefined;
    if (status >= 200 && status < 300) return said;
    if (status === 401) token?.renew();
    throw new ConnectorError(codeOfStatus(status), {
      status,
      retryAfter: retryAfter(header(headers, 'retry-after'), header(headers, 'date'), clock.now()),
      reason: reasonIn(said),
    });
  };

  return {
    post: async (conversationId, activity, replyToId) => ({
      id: idIn(await call('POST', activities(conversationId, replyToId), activity)) ?? '',
    }),

    update: async (conversationId, activityId, activity) => {
      try {
        return { id: idIn(await call('PUT', activities(conversationId, activityId), activity)) ?? activityId };
      } catch (fault) {
        // 404 and 410: this activity is gone. 405 and 501: the channel has no updates. Either way a new one can be
        // posted.
        if (fault instanceof ConnectorError && [404, 405, 410, 501].includes(fault.status ?? 0)) return undefined;
        throw fault;
      }
    },

    remove: async (conversationId, activityId) => {
      try {
        await call('DELETE', activities(conversationId, activityId));
      } catch (fault) {
        if (!(fault instanceof ConnectorError && (fault.status === 404 || fault.status === 410))) throw fault;
      }
    },
  };
};

/** One segment of a path. Dot segments and invalid Unicode would become another path, so they are refused. */
const segment = (text: string): string => {
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) throw new ConnectorError('refused_address');
  return encodeURIComponent(text);
};

const bearer = async (token: AccessToken): Promise<string> => {
  try {
    return await token.get();
  } catch (cause) {
    throw new ConnectorError('no_token', { cause });
  }
};

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const idIn = (body: unknown): string | undefined => {
  const id = field(body, 'id');
  return typeof id === 'string' ? id : undefined;
};

const reasonIn = (body: unknown): string | undefined => {
  const code = field(field(body, 'error'), 'code');
  return typeof code === 'string' && /^[A-Za-z][A-Za-z_]{0,63}$/.test(code) ? code : undefined;
};
