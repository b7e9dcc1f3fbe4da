// The bot's HTTP server: the messaging endpoint, the two probes and the metrics; other folders add their routes to it.
import { networkOf } from '../platform/http/client-address.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { type Answer, type Handler, type HttpRequest, type HttpServer, makeHttpServer } from '../platform/http/http-server.ts';
import { makeMetricsHandler } from '../platform/http/metrics-route.ts';
import { limitFailures } from '../platform/limits.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { admitLoopbackOnly } from '../platform/outgoing/loopback.ts';
import { keysUnavailable } from '../platform/outgoing/remote-keys.ts';
import { rates } from '../platform/rates.ts';
import type { Metrics } from '../platform/telemetry.ts';
import { withTimeout } from '../platform/time/waits.ts';
import type { TurnAdapter } from './adapter.ts';
import { unauthorized } from './authentication/signing-keys.ts';
import { activityLimits, readActivity, type ServiceUrlCheck } from './envelope.ts';
import { type BotIdentitySettings, refuseUnsafe } from './refuse-unsafe.ts';
import type { Activity, InvokeResponse } from './sdk.ts';
import type { TurnLogic } from './turns/turns.ts';

export interface BotServerOptions {
  readonly identity: BotIdentitySettings;
  readonly adapter: Pick<TurnAdapter, 'receive' | 'settled'>;
  readonly logic: TurnLogic;
  /** The check that the connectors use too. */
  readonly answersTo: ServiceUrlCheck;
  /** The parts that readiness depends on, by name. Each call resolves if its part works. */
  readonly needs: Readonly<Record<string, () => Promise<unknown>>>;
  /** Aborts when the process is about to stop: it is not ready from then on, and goes on working until it is closed. */
  readonly leaving?: AbortSignal | undefined;
  /** Proxies in front of the server; see {@link clientAddress}. */
  readonly proxies?: number;
  /** Whether the public reaches the server over https only. */
  readonly secure?: boolean;
  /** The text of `GET /metrics`; without it there is no such route. */
  readonly metrics?: { readonly metrics: Pick<Metrics, 'expose'>; readonly token: string | undefined };
  readonly log: Log;
  /**
   * The longest (ms) that a channel waits for its answer. Teams repeats an activity that is not answered within 15 s.
   */
  readonly answerWithin?: number;
}

export type BotServer = ReturnType<typeof makeBotServer>;

const probeDeadline = 2000;
/** Once no turn runs, requests have this long (ms) to get their answer. */
const lastAnswersMs = 500;

/**
 * The server with `POST /api/messages`, `GET /healthz` (the process is alive) and `GET /readyz` (200, or 503 with the
 * names of the parts that do not work). Without an app id every route answers only this machine, under one of its
 * usual names.
 * @throws {SettingsError} for settings that would leave the bot open, see {@link refuseUnsafe}.
 */
export const makeBotServer = ({
  identity,
  adapter,
  logic,
  answersTo,
  needs,
  leaving,
  proxies,
  secure = false,
  metrics,
  log,
  answerWithin = 12_000,
}: BotServerOptions) => {
  refuseUnsafe(identity);
  const authenticated = Boolean(identity.MicrosoftAppId);
  const server = makeHttpServer({
    name: 'countersign-bot',
    log,
    secure,
    ...(proxies !== undefined && { proxies }),
    ...(!authenticated && { admit: admitLoopbackOnly }),
  });
  let closing = false;
  const unlessClosing =
    (handler: Handler): Handler =>
    (request) => {
      if (closing) throw stopping();
      return handler(request);
    };
  const http: HttpServer = {
    ...server,
    route: (method, path, handler, options) => server.route(method, path, unlessClosing(handler), options),
  };

  const { refuseFailing, countFailure } = limitFailures(rates.refusals, 'too_many_requests', 'Too many requests without a valid token.');
  const unchecked = limitFailures(rates.uncheckedTokens, 'too_many_requests', 'Too many requests while tokens cannot be checked.');
  /**
   * 200 when the turn is over, with the invoke's own status and body or the expected replies, if any; 202 when the turn
   * takes longer than `answerWithin` and continues in the background; 504 when its answer was needed. Refusals are
   * problem+json.
   */
  const answer = async ({ body, headers, requestId }: HttpRequest): Promise<Answer> => {
    const activity = readActivity(body, answersTo);
    const turn = adapter.receive(headers.authorization ?? '', activity, logic);
    let answered = false;
    turn.catch((fault: unknown) => {
      if (fault instanceof HttpProblem)
        log.warn({ code: fault.code, status: fault.status, channel: activity.channelId, request: requestId }, 'an activity was refused');
      else if (answered)
        log.error({ ...faultFields(fault), channel: activity.channelId, request: requestId }, 'a turn failed after it was answered');
    });
    const ending = await withTimeout(turn, answerWithin, () => stillRunning);
    answered = true;
    return ending === stillRunning ? later(activity) : answerTo(ending);
  };
  http.route(
    'POST',
    '/api/messages',
    (request) =>
      answer(request).catch(async (fault: unknown) => {
        if (fault instanceof HttpProblem && fault.status === 401) await countFailure(networkOf(request.clientAddress));
        if (fault instanceof HttpProblem && fault.code === keysUnavailable) await unchecked.countFailure(networkOf(request.clientAddress));
        throw fault;
      }),
    {
      limits: activityLimits,
      ...(authenticated && {
        // Before the body is read: reading it costs far more than a stranger's request.
        admit: async ({ clientAddress, headers }) => {
          await refuseFailing(networkOf(clientAddress));
          await unchecked.refuseFailing(networkOf(clientAddress));
          if (isToken.test(headers.authorization ?? '')) return;
          await countFailure(networkOf(clientAddress));
          log.warn({ code: 'unauthorized', status: 401 }, 'a request without a token was refused');
          throw unauthorized();
        },
      }),
    },
  );
  if (metrics) server.route('GET', '/metrics', makeMetricsHandler(metrics.metrics, metrics.token));
  server.route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
  server.route('GET', '/readyz', async () => {
    const failing = closing || leaving?.aborted ? ['shutdown'] : await failingOf(needs, log);
    return failing.length === 0 ? { status: 200, body: { status: 'ready' } } : { status: 503, body: { status: 'not ready', failing } };
  });

  return {
    /** For the routes of other folders. */
    http,
    /**
     * Listens on every interface with an app id, on loopback without one. Returns the port.
     * @throws {SettingsError} if the port is not available.
     */
    listen: (port: number): Promise<number> => http.listen(port, authenticated ? '0.0.0.0' : '127.0.0.1', 'PORT'),
    /**
     * From now on `/readyz` says that the bot is stopping, and everything but the probes is refused with 503, while
     * running requests may finish. The server still listens, so that callers are told to go elsewhere.
     */
    drain: (): void => {
      closing = true;
    },
    /** Drains, lets turns finish for at most `graceMs`, then stops listening. */
    close: async (graceMs = 4000): Promise<void> => {
      closing = true;
      const rest = Math.min(graceMs, lastAnswersMs);
      await adapter.settled(graceMs);
      await http.close(rest);
      // Checked again: the turn of a request that arrived earlier may begin only now.
      if (!(await adapter.settled(rest))) log.warn({ component: 'bot' }, 'turns were still running at the end');
    },
  };
};

/** The form of a token (RFC 7515, section 3.1). */
const isToken = /^Bearer +[\w-]{1,2000}\.[\w-]{1,6000}\.[\w-]{1,2000}$/i;

const stopping = () =>
  new HttpProblem(503, 'stopping', 'This server is about to stop. Please try again in a moment.', {
    headers: { 'Retry-After': '5', Connection: 'close' },
  });

const failingOf = async (needs: BotServerOptions['needs'], log: Log): Promise<string[]> => {
  const found = await Promise.all(
    Object.entries(needs).map(async ([name, check]) => {
      try {
        await withTimeout(check(), probeDeadline, () => {
          throw new Error('no answer in time');
        });
        return [];
      } catch {
        log.warn({ component: name }, 'not ready');
        return [name];
      }
    }),
  );
  return found.flat();
};

const stillRunning = 'still running' as const;

const later = ({ type, deliveryMode }: Activity): Answer => {
  if (type === 'invoke' || deliveryMode === 'expectReplies') {
    throw new HttpProblem(504, 'turn_timeout', 'The answer took too long.');
  }
  return { status: 202 };
};

const answerTo = (response: InvokeResponse | undefined): Answer => {
  if (!response) return { status: 200 };
  const { status, body } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError('an invoke was answered with an impossible status');
  if (body === undefined || body === null) return { status };
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
};
