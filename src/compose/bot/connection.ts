// The connection to the service, under every kind of bot: its client, its events, the interactions and their storage.
import { localeOfChat } from '../../bot/index.ts';
import { type ClientOptions, createServiceClient, type ServiceClient } from '../../client/index.ts';
import type { AppId } from '../../contract/index.ts';
import { type Interactions, makeEventSource, makeInteractions, type Notify } from '../../interactions/index.ts';
import { keepHouse } from '../../platform/database/retention.ts';
import { type KeptRate, makeLimit, type Rate } from '../../platform/limits.ts';
import { faultFields, type Log, makeLog } from '../../platform/log.ts';
import { newUlid } from '../../platform/secrets/new-id.ts';
import { noTelemetry, type Telemetry } from '../../platform/telemetry.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/time/waits.ts';
import { type OwnedTables, openStorage, type Storage } from '../../storage/index.ts';
import { type ConnectionOptions, wsUrlOf } from './core-options.ts';
import { breaker, outcomeTimeoutsOf, publicLimits } from './limits.ts';
import { logDepartures, observeCalls, observeNotify, observeState, observeStore } from './observe.ts';
import { observeEvents } from './observe-events.ts';

/** Parts that only measurements and fault tests replace. */
export interface ConnectionParts {
  /**
   * How long each app's interactions are waited for, in milliseconds, if the service does not say how long its requests
   * are valid.
   */
  readonly outcomeTimeouts?: Readonly<Record<AppId, number>> | undefined;
  /** Deadlines and breaker of the calls to the service, in place of the usual ones. */
  readonly calls?: Pick<ClientOptions, 'breaker' | 'timeouts'> | undefined;
  /** Limits of requests for one typed number: in all, and from one origin. Unset: the public's. */
  readonly sendsToNumber?: readonly KeptRate[] | undefined;
  readonly sendsFromOrigin?: readonly Rate[] | undefined;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: (() => number) | undefined;
  readonly aroundStorage?: ((storage: Storage) => Storage) | undefined;
  readonly aroundClient?: ((client: ServiceClient) => ServiceClient) | undefined;
  /** How far (ms) the clock of conversations and of their deadlines is ahead. Unset: it is not. */
  readonly ahead?: (() => number) | undefined;
}

export interface Connection {
  readonly interactions: Interactions;
  readonly storage: Storage;
  /** The clock that all replicas share, for deadlines and the lifetimes of tokens. */
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Resumes work that a stop or a crash left unfinished, and delivers outcomes through `notify` from now on. */
  open(notify: Notify): Promise<void>;
  /** Stops watching and delivering, and closes the storage. Nothing is lost. */
  close(): Promise<void>;
}

/** The longest that a stop waits for outcomes that are being delivered, and for running calls (ms). */
const [deliveringMs, callingMs] = [1_500, 500];

/**
 * Nothing is watched or delivered before `open`.
 * @param tables - of the capabilities on it
 * @throws {SettingsError} when the place of storage or the service's address cannot be used.
 */
export const openConnection = async (
  { service, storage: place, waitMinutes, retentionDays = 30, log = makeLog('warn'), telemetry = noTelemetry }: ConnectionOptions,
  tables: readonly OwnedTables[],
  {
    outcomeTimeouts = outcomeTimeoutsOf(waitMinutes),
    calls,
    sendsToNumber = publicLimits.sendsToNumber,
    sendsFromOrigin = publicLimits.sendsFromOrigin,
    random = Math.random,
    aroundStorage,
    aroundClient,
    ahead,
  }: ConnectionParts = {},
): Promise<Connection> => {
  const { baseUrl, secretKey, wsUrl = wsUrlOf(baseUrl), bootstrap = 'body', idempotent = false, multiplex = false, linkHosts } = service;
  const observing = { around: observeCalls(telemetry), onDeparture: logDepartures(log) };
  const calling = createServiceClient({ baseUrl, secretKey, bootstrap, idempotent, linkHosts, breaker, ...calls, ...observing });
  const client = aroundClient?.(calling) ?? calling;
  const events = observeEvents(makeEventSource(wsUrl, multiplex, log), telemetry);
  const opened = await openStorage(place.folder, { url: place.postgres, log, tables });
  const storage = aroundStorage?.(opened) ?? opened;
  const clock = ahead ? { now: () => storage.clock.now() + ahead() } : storage.clock;
  const interactions = makeInteractions({
    client,
    store: observeStore(storage.interactions, telemetry),
    events,
    clock,
    newId: newUlid,
    random,
    outcomeTimeouts,
    idempotent,
    sendsToNumber,
    fromOrigin: makeLimit(...sendsFromOrigin),
    languageOf: localeOfChat,
    log,
    tracing: telemetry,
  });
  observeState(telemetry, {
    watching: interactions.watching,
    undelivered: interactions.undelivered,
    quarantined: storage.interactions.quarantined,
    hasLease: storage.hasLease,
  });
  const housekeeping = new AbortController();
  let housekept: Promise<void> | undefined;
  return {
    interactions,
    storage,
    clock,
    newId: newUlid,
    random,
    log,
    telemetry,
    open: (notify) => {
      housekept = keepHouse((stop) => storage.purge(retentionDays, stop), log, random, housekeeping.signal);
      return interactions.open(observeNotify(notify, telemetry, clock));
    },
    close: async () => {
      housekeeping.abort();
      await withTimeout(interactions.close(), deliveringMs, () => {
        throw new Error('outcomes were still being delivered');
      }).catch((fault) =>
        log.warn({ ...faultFields(fault), component: 'interactions' }, 'an outcome was not delivered yet; the next start delivers it'),
      );
      await client.close(callingMs);
      await housekept;
      await storage.close();
    },
  };
};
