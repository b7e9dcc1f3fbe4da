// Starts the service: the context, the parts, then the port.
import { openContext, type ServiceContext } from './core/context.ts';
import { startHousekeeping } from './core/housekeeping.ts';
import type { Prepared } from './core/options.ts';
import { themeOf } from './core/pages/looks.ts';
import { makeRandom } from './core/secrets/random.ts';
import { openSockets, socketPath } from './core/websocket/sockets.ts';
import type { RunningService, ServiceOptions } from './options.ts';
import program from './package.json' with { type: 'json' };
import { openParts } from './parts.ts';
import { prepare } from './prepare.ts';
import { ownRows } from './tables.ts';
import { makeAnnounce } from './webhooks/announce.ts';

/**
 * Starts the service. It continues with the requests that were pending when it last stopped.
 * @throws {SettingsError} if an option, the catalogue, the data folder or the port cannot be used.
 */
export const startService = async (given: ServiceOptions): Promise<RunningService> => {
  const random = given.random ?? makeRandom();
  const options = { ...given, ...prepare(given), random };
  const context = await openContext({ ...options, program, parts: ownRows, announce: makeAnnounce(options.loaded, random.id) });
  try {
    const parts = await openParts(context, options);
    addHealth(context, options.leaving);
    return await run(parts, options);
  } catch (fault) {
    await context.storage.close();
    throw fault;
  }
};

/** Opens the port and starts everything; returns the addresses and a way to stop it. */
const run = async (
  { core, consolePath, schedulers, retention, ...parts }: Awaited<ReturnType<typeof openParts>>,
  options: ServiceOptions & Prepared,
): Promise<RunningService> => {
  const { server, storage, listeners, clock, log } = core;
  const sockets = openSockets(core, options);
  const port = await core.listen().catch(async (fault: unknown) => {
    await sockets.close();
    throw fault;
  });
  const housekeeping = startHousekeeping(core, retention, options.retentionDays);
  for (const scheduler of schedulers) scheduler.wake(clock.now());
  log.info({ component: 'service', port }, 'the service is ready');

  const close = async () => {
    await sockets.close();
    await server.close();
    await Promise.all([housekeeping.close(), listeners.close(), ...schedulers.map((scheduler) => scheduler.stop())]);
    await parts.close();
    await storage.close();
    await core.closeTelemetry();
  };
  let closing: Promise<void> | undefined;
  return {
    ...addressesOf(core, port, options, consolePath),
    secretKey: core.secretKey,
    theme: themeOf(options.loaded, options.theme),
    end: async (id, status) => {
      const request = await storage.requests.get(id);
      return request !== undefined && core.endings.byItself(request, status);
    },
    settled: async () => {
      for (const scheduler of schedulers) await scheduler.settled();
    },
    close: () => (closing ??= close()),
  };
};

/**
 * Adds `/healthz`, which answers while the process does, and `/readyz`, which asks the database. `leaving` aborts when
 * the process is about to stop.
 */
const addHealth = ({ server, storage }: ServiceContext, leaving?: AbortSignal): void => {
  server.route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
  server.route('GET', '/readyz', async () => {
    const works = await storage.ping().then(
      () => true,
      () => false,
    );
    const ready = works && !leaving?.aborted;
    return { status: ready ? 200 : 503, body: { status: ready ? 'ok' : 'unavailable' } };
  });
};

const addressesOf = (
  { publicUrl, demo }: ServiceContext,
  port: number,
  { host, openId }: ServiceOptions,
  path: string | undefined,
): Pick<RunningService, 'baseUrl' | 'consoleUrl' | 'outboxUrl' | 'port' | 'wsUrl'> => {
  const authority = `${host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
  // The link works on this machine only; an OpenID sign-in is at the public address.
  const consoleUrl = path && (openId ? new URL(path, publicUrl()).href : `http://localhost:${port}${path}`);
  return {
    port,
    baseUrl: `http://${authority}`,
    wsUrl: `ws://${authority}${socketPath}`,
    consoleUrl,
    outboxUrl: demo ? `http://localhost:${port}/outbox` : undefined,
  };
};
