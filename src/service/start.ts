// Starts the service: the ground, the plug-ins, the core, then the port.
import { addHealth } from './core/api/health.ts';
import { type Ground, openGround } from './core/context.ts';
import { type Core, makeCore } from './core/core.ts';
import { startHousekeeping } from './core/housekeeping.ts';
import { themeOf } from './core/pages/looks.ts';
import type { Brought, Plugin } from './core/plugin.ts';
import { openSockets, socketPath } from './core/websocket/sockets.ts';
import type { RunningService, ServiceOptions } from './options.ts';
import { openPlugins } from './plugins.ts';
import { type Prepared, prepare } from './prepare.ts';

/**
 * Starts the service. It continues with the requests that were pending when it last stopped.
 * @throws {SettingsError} if an option, the catalogue, the data folder or the port cannot be used.
 */
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
  const prepared = prepare(options);
  const ground = await openGround({ ...options, ...prepared });
  try {
    let core: Core | undefined;
    const plugins = await openPlugins(ground, options, () => made(core));
    core = makeCore(ground, plugins.ports, { ...options, ...prepared });
    const brought = serveAll(core, plugins.all);
    addHealth(ground, options.leaving);
    return await run({ ground, core, plugins: plugins.all, brought, options, prepared });
  } catch (fault) {
    await ground.storage.close();
    throw fault;
  }
};

/** Plug-ins use the core only once something happens, and nothing happens before it exists. */
const made = (core: Core | undefined): Core => {
  if (!core) throw new TypeError('a part asked for the core before it was made');
  return core;
};

/** Adds the routes of all plug-ins, and the device pages, whose steps come from the plug-ins. */
const serveAll = (core: Core, plugins: readonly Plugin[]): readonly Brought[] => {
  const brought = plugins.map((plugin) => plugin.serve(core));
  core.serveDevices({
    flows: Object.assign({}, ...brought.map(({ flows }) => flows)),
    onward: (request, words) => {
      const onward = brought.find((one) => one.onward)?.onward;
      if (!onward) throw new TypeError('a page leads to a place that no part has');
      return onward(request, words);
    },
  });
  return brought;
};

interface Parts {
  readonly ground: Ground;
  readonly core: Core;
  readonly plugins: readonly Plugin[];
  readonly brought: readonly Brought[];
  readonly options: ServiceOptions;
  readonly prepared: Prepared;
}

/** Opens the port and starts everything; returns the addresses and a way to stop it. */
const run = async ({ ground, core, plugins, brought, options, prepared }: Parts): Promise<RunningService> => {
  const { server, storage, listeners, limits, clock, log } = ground;
  const { hosts = [], proxies = 0 } = options;
  const sockets = openSockets({ ...ground, node: server.node, requests: storage.requests, hosts, proxies, limits: limits.socket });
  const port = await ground.listen().catch(async (fault: unknown) => {
    await sockets.close();
    throw fault;
  });
  const { accessLogDays: days, retentionDays: requestDays } = options;
  const housekeeping = startHousekeeping({ storage, days, requestDays, random: Math.random, clock, log });
  const schedulers = [core.dispatch, core.requests, ...brought.flatMap((one) => one.schedulers ?? [])];
  for (const scheduler of schedulers) scheduler.wake(clock.now());
  log.info({ component: 'service', port }, 'the service is ready');

  const close = async () => {
    await sockets.close();
    await server.close();
    await Promise.all([housekeeping.close(), listeners.close(), ...schedulers.map((scheduler) => scheduler.stop())]);
    await Promise.all(plugins.map((plugin) => plugin.close?.()));
    await storage.close();
  };
  let closing: Promise<void> | undefined;
  return {
    ...addressesOf(ground, port, options, brought),
    secretKey: ground.secretKey,
    theme: themeOf(prepared.loaded, prepared.theme),
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

const addressesOf = (
  { publicUrl, demo }: Ground,
  port: number,
  { host, openId }: ServiceOptions,
  brought: readonly Brought[],
): Pick<RunningService, 'baseUrl' | 'consoleUrl' | 'outboxUrl' | 'port' | 'wsUrl'> => {
  const authority = `${host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
  const path = brought.find(({ consolePath }) => consolePath !== undefined)?.consolePath;
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
