// What all parts of the service share: one database, one server, one clock, and the accounts.

import { type HttpServer, makeHttpServer } from '../../platform/http/http-server.ts';
import type { Log } from '../../platform/log.ts';
import type { Theme } from '../../platform/pages/theme.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import { type Alarm, makeAlarm } from '../../platform/time/alarm.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type Access, withOwnKey } from './accounts.ts';
import { problemPath } from './api/problems.ts';
import { type AccountKeyOptions, withEncryptionKeys } from './catalogue/account-key.ts';
import { type Accounts, makeAccounts } from './catalogue/accounts.ts';
import type { LoadedAccount } from './catalogue/load.ts';
import { makeSubscribers } from './catalogue/webhook-endpoints.ts';
import { type Answerers, makeAnswerers } from './device/answerers.ts';
import { makeOpenLink, type OpenLink } from './device/opening.ts';
import { makePagesOf, type PagesOf } from './device/pages.ts';
import type { Language } from './languages.ts';
import type { ServiceLimits } from './limits.ts';
import { type Listeners, makeListeners } from './listeners.ts';
import { type GivenUp, observe } from './observe.ts';
import { type Assets, addServiceAssets } from './pages/assets.ts';
import { addLooks, type Looks } from './pages/looks.ts';
import { makeRandom, type Random } from './random.ts';
import { makeSeal, type Seal } from './seal.ts';
import { openStorage, type Storage } from './store/index.ts';
import { makeServiceTexts, type Texts } from './texts.ts';
import { makeTickets, type Tickets } from './tickets.ts';

/** Created once and passed to every part. */
export interface Ground {
  readonly server: HttpServer;
  readonly storage: Storage;
  readonly listeners: Listeners;
  readonly accounts: Accounts;
  /** The accounts with the keys that open them, the service's own among them. */
  readonly accesses: readonly Access[];
  readonly secretKey: string;
  readonly seal: Seal;
  readonly tickets: Tickets;
  readonly texts: (language: Language) => Texts;
  readonly assets: Assets;
  readonly looks: Looks;
  readonly pagesOf: PagesOf;
  /** Opens the links of device pages. */
  readonly open: OpenLink;
  /** Recognises the browsers that answered. */
  readonly answerers: Answerers;
  /** The public address. A function, because the port may be known only later. */
  readonly publicUrl: () => URL;
  readonly dataDir: string;
  readonly demo: boolean;
  readonly limits: ServiceLimits;
  readonly givenUp: GivenUp;
  readonly random: Random;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Starts to accept connections, and returns the port. @throws {SettingsError} if it is not available. */
  listen(): Promise<number>;
}

export interface GroundOptions extends AccountKeyOptions {
  readonly port: number;
  readonly host: string;
  readonly proxies?: number | undefined;
  readonly metricsToken?: string | undefined;
  readonly pepper?: string | undefined;
  readonly secretKey?: string | undefined;
  readonly loaded: readonly LoadedAccount[];
  readonly theme: Theme | undefined;
  readonly configuredUrl: URL | undefined;
  readonly limits: ServiceLimits;
  readonly log: Log;
  readonly clock?: Clock | undefined;
  readonly alarm?: Alarm | undefined;
  readonly random?: Random | undefined;
}

/** @throws {SettingsError} if the catalogue, the data folder or the database cannot be used. */
export const openGround = async (options: GroundOptions): Promise<Ground> => {
  const { dataDir, databaseUrl: url, loaded, configuredUrl, random = makeRandom(), log } = options;
  const pepper = options.pepper ?? keptSecret(dataDir, 'service.pepper');
  const seal = makeSeal(pepper);
  const subscribers = makeSubscribers(loaded.map(({ catalogue }) => catalogue));
  const storage = await openStorage({ dataDir, url, newId: random.id, seal, log, subscribers });
  let port = 0;
  const publicUrl = () => configuredUrl ?? new URL(`http://localhost:${port}`);
  try {
    const clock = options.clock ?? storage.clock;
    const accounts = makeAccounts(await withEncryptionKeys(loaded, options));
    const secretKey = options.secretKey ?? keptSecret(dataDir, 'service.key');
    const { server, givenUp } = observe(openServer(options, publicUrl), options.metricsToken);
    const assets = await addServiceAssets(server);
    const looks = addLooks(server, loaded, options.theme);
    const pagesOf = makePagesOf({ accounts, assets, looks });
    const texts = makeServiceTexts();
    const tickets = makeTickets(pepper);
    return {
      server,
      storage,
      listeners: makeListeners({ bus: storage.bus, requests: storage.shared ? storage.requests : undefined, log }),
      accounts,
      accesses: withOwnKey(loaded, secretKey),
      secretKey,
      seal,
      tickets,
      texts,
      assets,
      looks,
      pagesOf,
      open: makeOpenLink({ accounts, storage, pagesOf, texts, clock }),
      answerers: makeAnswerers({ tickets, publicUrl, clock }),
      publicUrl,
      dataDir,
      demo: options.demo,
      limits: options.limits,
      givenUp,
      random,
      clock,
      alarm: options.alarm ?? makeAlarm(clock),
      log,
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

const openServer = ({ configuredUrl, proxies, log }: GroundOptions, publicUrl: () => URL): HttpServer =>
  makeHttpServer({
    name: 'countersign-service',
    log,
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin' },
    secure: configuredUrl?.protocol === 'https:',
    ...(proxies !== undefined && { proxies }),
    problemType: (code) => new URL(problemPath(code), publicUrl()).href,
  });
