// The bot's HTTP server: the messaging endpoint and the two probes; other rooms add their routes to it.
import { type HttpServer, makeHttpServer } from '../platform/http-server.ts';
import type { Log } from '../platform/log.ts';
import { admitLoopbackOnly } from '../platform/loopback.ts';
import type { TurnAdapter, TurnLogic } from './adapter.ts';
import { within } from './deadline.ts';
import { activityLimits } from './envelope.ts';
import { makeMessagesHandler } from './messages.ts';
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
  readonly log: Log;
  /** Milliseconds; see {@link makeMessagesHandler}. */
  readonly answerWithin?: number;
}

export interface BotServer {
  /** For the routes of other rooms. */
  readonly http: HttpServer;
  /** Listens on every interface with an app id, on loopback without one. Tells the port. @throws {SettingsError} when it cannot be had. */
  listen(port: number): Promise<number>;
  /** Stops accepting and lets turns finish, for at most about twice `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

const probeDeadline = 2000;

/**
 * The server with `POST /api/messages`, `GET /healthz` (the process lives) and `GET /readyz` (200, or 503 with the names of what does not work).
 * Without an app id every route answers to loopback names only.
 * @throws {SettingsError} for settings that would leave the bot open, see {@link refuseUnsafe}.
 */
export const makeBotServer = ({ identity, adapter, logic, answersTo, needs, log, answerWithin = 12_000 }: BotServerOptions): BotServer => {
  refuseUnsafe(identity);
  const authenticated = Boolean(identity.MicrosoftAppId);
  const http = makeHttpServer({ name: 'countersign-bot', log, ...(!authenticated && { admit: admitLoopbackOnly }) });
  let closing = false;

  http.route('POST', '/api/messages', makeMessagesHandler({ adapter, logic, answersTo, log, answerWithin }), { limits: activityLimits });
  http.route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
  http.route('GET', '/readyz', async () => {
    const failing = closing ? ['shutdown'] : await failingOf(needs, log);
    return failing.length === 0 ? { status: 200, body: { status: 'ready' } } : { status: 503, body: { status: 'not ready', failing } };
  });

  return {
    http,
    listen: (port) => http.listen(port, authenticated ? '0.0.0.0' : '127.0.0.1', 'PORT'),
    close: async (graceMs = 4000) => {
      closing = true;
      await http.close(graceMs);
      if (!(await adapter.settled(graceMs))) log.warn({ component: 'bot' }, 'turns were still running at the end');
    },
  };
};

const failingOf = async (needs: BotServerOptions['needs'], log: Log): Promise<string[]> => {
  const found = await Promise.all(
    Object.entries(needs).map(async ([name, check]) => {
      try {
        await within(check(), probeDeadline, () => new Error('no answer in time'));
        return [];
      } catch {
        log.warn({ component: name }, 'not ready');
        return [name];
      }
    }),
  );
  return found.flat();
};
