// The bot's HTTP server: the messaging endpoint, the two probes and the metrics; other rooms add their routes to it.
import { HttpProblem } from '../platform/http-problem.ts';
import { type Handler, type HttpServer, makeHttpServer } from '../platform/http-server.ts';
import type { Log } from '../platform/log.ts';
import { admitLoopbackOnly } from '../platform/loopback.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { TurnAdapter, TurnLogic } from './adapter.ts';
import { activityLimits } from './envelope.ts';
import { makeMessagesHandler } from './messages.ts';
import { type MetricsRouteOptions, makeMetricsHandler } from './metrics-route.ts';
import { type BotIdentitySettings, refuseUnsafe } from './refuse-unsafe.ts';
import type { ServiceUrlCheck } from './service-url.ts';

export interface BotServerOptions {
  readonly identity: BotIdentitySettings;
  readonly adapter: Pick<TurnAdapter, 'receive' | 'settled'>;
  readonly logic: TurnLogic;
  /** The same check the connectors use. */
  readonly answersTo: ServiceUrlCheck;
  /** What must work for the bot to be ready, by name. Each resolves when it works. */
  readonly needs: Readonly<Record<string, () => Promise<unknown>>>;
  /** Proxies in front of the server; see {@link clientAddress}. */
  readonly proxies?: number;
  /** Whether the public reaches the server by https alone. */
  readonly secure?: boolean;
  /** What `GET /metrics` tells; without it there is no such route. */
  readonly metrics?: MetricsRouteOptions;
  readonly log: Log;
  /** Milliseconds; see {@link makeMessagesHandler}. */
  readonly answerWithin?: number;
}

export interface BotServer {
  /** For the routes of other rooms. */
  readonly http: HttpServer;
  /** Listens on every interface with an app id, on loopback without one. Tells the port. @throws {SettingsError} when it cannot be had. */
  listen(port: number): Promise<number>;
  /**
   * From now on `/readyz` says that the bot stops and everything else but the probes is refused with 503, while requests that run may finish.
   * The server still listens, so that whoever asks is told to go elsewhere.
   */
  drain(): void;
  /** Drains, lets turns finish for at most `graceMs` (4,000), then stops listening. */
  close(graceMs?: number): Promise<void>;
}

const probeDeadline = 2000;
/** Once no turn runs, requests have this long (ms) to get their answer. */
const lastAnswers = 500;

/**
 * The server with `POST /api/messages`, `GET /healthz` (the process lives) and `GET /readyz` (200, or 503 with the names of what does not work).
 * Without an app id every route answers to loopback names only.
 * @throws {SettingsError} for settings that would leave the bot open, see {@link refuseUnsafe}.
 */
export const makeBotServer = ({
  identity,
  adapter,
  logic,
  answersTo,
  needs,
  proxies,
  secure = false,
  metrics,
  log,
  answerWithin = 12_000,
}: BotServerOptions): BotServer => {
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

  http.route('POST', '/api/messages', makeMessagesHandler({ adapter, logic, answersTo, log, answerWithin }), { limits: activityLimits });
  if (metrics) server.route('GET', '/metrics', makeMetricsHandler(metrics));
  server.route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
  server.route('GET', '/readyz', async () => {
    const failing = closing ? ['shutdown'] : await failingOf(needs, log);
    return failing.length === 0 ? { status: 200, body: { status: 'ready' } } : { status: 503, body: { status: 'not ready', failing } };
  });

  return {
    http,
    listen: (port) => http.listen(port, authenticated ? '0.0.0.0' : '127.0.0.1', 'PORT'),
    drain: () => {
      closing = true;
    },
    close: async (graceMs = 4000) => {
      closing = true;
      const rest = Math.min(graceMs, lastAnswers);
      await adapter.settled(graceMs);
      await http.close(rest);
      // One more look: a request that had come before all this may have begun its turn only now.
      if (!(await adapter.settled(rest))) log.warn({ component: 'bot' }, 'turns were still running at the end');
    },
  };
};

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
