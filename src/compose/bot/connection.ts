// The connection to the service, under every kind of bot: its client, its events, the interactions and their storage.
import { type ChannelsOptions, type Connector, localeOfChat } from '../../bot/index.ts';
import { type ClientOptions, createServiceClient, type ServiceClient } from '../../client/index.ts';
import type { AppId } from '../../contract/index.ts';
import { makeEventSource, makeInteractions, type Notify } from '../../interactions/index.ts';
import { keepHouse } from '../../platform/database/retention.ts';
import { type KeptRate, makeLimit, type Rate } from '../../platform/limits.ts';
import { faultFields, makeLog } from '../../platform/log.ts';
import { newUlid } from '../../platform/secrets/new-id.ts';
import { noTelemetry } from '../../platform/telemetry.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { MovableTime } from '../../platform/time/movable-time.ts';
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
  readonly around?: PartWrappers | undefined;
  /** How far (ms) the clock of conversations and of their deadlines is ahead. Unset: it is not. */
  readonly ahead?: (() => number) | undefined;
}

/** The same for a whole bot. */
export interface BotParts extends ConnectionParts {
  /** Doubles of the bot's channels, if they are not the real ones. */
  readonly channels?: Pick<ChannelsOptions, 'authority' | 'connections' | 'credentials' | 'skillAuthority'> | undefined;
  /** Opens the pages for those who write flows and cards. Only on this machine, never in public. */
  readonly trial?: Trial | undefined;
}

/** What a process that starts everything itself can do to the world. */
export interface Trial {
  /** Ends a request at the service beside the bot. Unset: the service runs elsewhere. */
  readonly end?: ((requestId: string, outcome: 'failure' | 'success' | 'timeout') => Promise<boolean>) | undefined;
  /** The clock of the bot and of the service beside it. */
  readonly time?: MovableTime | undefined;
}

/**
 * Wrappers for the parts with lasting or outward effects: to measure them, to trace them, or to inject faults. Each
 * takes the part and returns one that keeps the same promises.
 */
export interface PartWrappers {
  readonly storage?: (storage: Storage) => Storage;
  readonly client?: (client: ServiceClient) => ServiceClient;
  /** The entrance of our own Direct Line. */
  readonly connector?: (connector: Connector) => Connector;
}

export type Connection = Awaited<ReturnType<typeof openConnection>>;

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
    around = {},
    ahead,
  }: ConnectionParts = {},
) => {
  const { baseUrl, secretKey, wsUrl = wsUrlOf(baseUrl), bootstrap = 'body', idempotent = false, multiplex = false, linkHosts } = service;
  const observing = { around: observeCalls(telemetry), onDeparture: logDepartures(log) };
  const calling = createServiceClient({ baseUrl, secretKey, bootstrap, idempotent, linkHosts, breaker, ...calls, ...observing });
  const client = around.client?.(calling) ?? calling;
  const events = observeEvents(makeEventSource(wsUrl, multiplex, log), telemetry);
  const opened = await openStorage(place.folder, { url: place.postgres, log, tables });
  const storage = around.storage?.(opened) ?? opened;
  /** The clock that all replicas share, for deadlines and the lifetimes of tokens. */
  const clock: Clock = ahead ? { now: () => storage.clock.now() + ahead() } : storage.clock;
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
  observeState(telemetry, interactions, storage);
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
    /** Resumes work that a stop or a crash left unfinished, and delivers outcomes through `notify` from now on. */
    open: (notify: Notify): Promise<void> => {
      housekept = keepHouse((stop) => storage.purge(retentionDays, stop), log, random, housekeeping.signal);
      return interactions.open(observeNotify(notify, telemetry, clock));
    },
    /** Stops watching and delivering, and closes the storage. Nothing is lost. */
    close: async (): Promise<void> => {
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
