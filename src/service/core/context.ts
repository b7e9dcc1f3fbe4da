// What all parts of the service share: one database, one server, one clock, and the accounts.

import { makeHttpServer } from '../../platform/http/http-server.ts';
import { faultFields } from '../../platform/log.ts';
import { openTelemetryOf } from '../../platform/open-telemetry.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import { makeAlarm } from '../../platform/time/clock.ts';
import type { TracedProgram } from '../../platform/traces.ts';
import { makeAccounts, withOwnKey } from './accounts.ts';
import { problemPath } from './api/problems.ts';
import { withEncryptionKeys } from './catalogue/account-key.ts';
import { makeAnswerers } from './device/answerers.ts';
import { makeListeners } from './listeners.ts';
import { observe, vocabulary } from './observe.ts';
import type { CoreOptions, Prepared } from './options.ts';
import { addServiceAssets } from './pages/assets.ts';
import { addLooks } from './pages/looks.ts';
import { makeRandom } from './secrets/random.ts';
import { makeSeal } from './secrets/seal.ts';
import { makeTickets } from './secrets/tickets.ts';
import { openStorage } from './store/index.ts';
import { makeServiceTexts } from './texts.ts';

/** Created once and passed to every part. */
export type ServiceContext = Awaited<ReturnType<typeof openContext>>;

/** @throws {SettingsError} if the catalogue, the data folder or the database cannot be used. */
export const openContext = async (
  options: CoreOptions & Prepared & Pick<Parameters<typeof openStorage>[0], 'announce' | 'parts'> & { readonly program: TracedProgram },
) => {
  const { dataDir, databaseUrl: url, loaded, configuredUrl, demo, limits, random = makeRandom(), announce, parts, log } = options;
  const pepper = options.pepper ?? keptSecret(dataDir, 'service.pepper');
  const seal = makeSeal(pepper);
  const storage = await openStorage({ dataDir, url, newId: random.id, seal, log, announce, parts });
  let port = 0;
  const publicUrl = () => configuredUrl ?? new URL(`http://localhost:${port}`);
  try {
    const clock = options.clock ?? storage.clock;
    const accounts = makeAccounts(await withEncryptionKeys(loaded, options));
    const secretKey = options.secretKey ?? keptSecret(dataDir, 'service.key');
    const telemetry = await openTelemetryOf(options.tracing ?? {}, options.program, vocabulary, (fault) =>
      log.warn({ ...faultFields(fault), component: 'telemetry' }, 'spans could not be sent to the collector'),
    );
    const opened = makeHttpServer({
      name: 'countersign-service',
      log,
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin' },
      secure: configuredUrl?.protocol === 'https:',
      ...(options.proxies !== undefined && { proxies: options.proxies }),
      problemType: (code) => new URL(problemPath(code), publicUrl()).href,
    });
    const { server, givenUp } = observe(opened, telemetry, options.metricsToken);
    const assets = await addServiceAssets(server);
    const tickets = makeTickets(pepper);
    return {
      server,
      storage,
      /** Whether other replicas may use the same database. */
      shared: storage.shared,
      listeners: makeListeners(storage.bus, log, storage.shared ? storage.requests : undefined),
      accounts,
      /** The accounts with the keys that open them, the service's own among them. */
      accesses: withOwnKey(loaded, secretKey),
      secretKey,
      seal,
      tickets,
      texts: makeServiceTexts(),
      assets,
      looks: addLooks(server, loaded, options.theme),
      /** Recognises the browsers that answered. */
      answerers: makeAnswerers(tickets, publicUrl, clock),
      /** The public address. A function, because the port may be known only later. */
      publicUrl,
      dataDir,
      demo,
      limits,
      givenUp,
      /** Sends waiting spans, for a moment. */
      closeTelemetry: telemetry.close,
      random,
      clock,
      alarm: options.alarm ?? makeAlarm(clock),
      log,
      /** Starts to accept connections, and returns the port. @throws {SettingsError} if it is not available. */
      listen: async () => {
        port = await server.listen(options.port, options.host, 'SERVICE_PORT');
        return port;
      },
    };
  } catch (fault) {
    await storage.close();
    throw fault;
  }
};
