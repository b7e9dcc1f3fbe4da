// The bot, put together: database, service client, dialogs, adapter, Direct Line and pages on one port.
import { randomInt } from 'node:crypto';
import {
  type CallerResolver,
  demoForms,
  firstOf,
  makeConversation,
  makeTextsFor,
  networkIn,
  numberInToken,
  numberOfSender,
  parsePhoneNumber,
  type Services,
} from '../../dialogs/index.ts';
import {
  type Connector,
  chatOf,
  limitTurns,
  makeAdapter,
  makeBotServer,
  makeChannels,
  makeNotifier,
  makeRunTurn,
  makeSharedTurnLock,
  makeTurnLock,
  ownServiceUrl,
  type TurnAdapter,
  type TurnLogic,
  within,
} from '../bot/index.ts';
import { type ClientOptions, createServiceClient, type ServiceClient } from '../client/index.ts';
import type { AppId } from '../contract/index.ts';
import { type DirectLine, makeDirectLine, makeSharedSignals } from '../directline/index.ts';
import { eventHandoff, noHandoff } from '../handoff/index.ts';
import { makeInteractions } from '../interactions/index.ts';
import { makeEventSource } from '../interactions/socket.ts';
import { monotonicClock, systemClock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { makeNewId } from '../platform/new-id.ts';
import { countRate, type Rate } from '../platform/rate-limit.ts';
import { noTelemetry, type Telemetry } from '../platform/telemetry.ts';
import { loadTheme } from '../platform/theme.ts';
import { openStorage, type Storage } from '../storage/index.ts';
import { addChatPage } from '../web/index.ts';
import { readForms, readTitles } from './forms.ts';
import { keepHouse } from './housekeeping.ts';
import { breaker, limitsOf, patienceOf } from './limits.ts';
import { lookupReplies } from './lookup-replies.ts';
import { logDepartures, observeCalls, observeLock, observeNotifier, observeState, observeStore, observeTurns } from './observe.ts';
import { observeEvents } from './observe-events.ts';
import type { ServiceAccess } from './service-access.ts';
import type { Settings } from './settings.ts';
import { tokenKey } from './token-key.ts';

export interface BotOptions {
  readonly settings: Settings;
  readonly service: ServiceAccess;
  readonly log: Log;
  /** Who watches it; nobody unless told. */
  readonly telemetry?: Telemetry;
  /** How long each app's interactions are waited for, in milliseconds, where the service does not tell how long its requests are good. */
  readonly patience?: Readonly<Record<AppId, number>>;
  /** How many turns one user may start. */
  readonly turnRate?: Rate;
  /** How many lookups may come from one network. */
  readonly lookupRate?: Rate;
  /** How many new chats one address may begin on our page. */
  readonly chatRate?: Rate;
  /** Deadlines and breaker of the calls to the service, where the usual ones do not suit. */
  readonly calls?: Pick<ClientOptions, 'breaker' | 'timeouts'>;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: () => number;
  readonly around?: Around;
}

/**
 * What is put around the parts through which anything lasting or outward happens: to measure them, to trace them, or to try out what their
 * faults do. Each is handed the part and answers one that keeps the same promises.
 */
export interface Around {
  readonly storage?: (storage: Storage) => Storage;
  readonly client?: (client: ServiceClient) => ServiceClient;
  /** The way into our own Direct Line. */
  readonly connector?: (connector: Connector) => Connector;
}

export interface RunningBot {
  readonly port: number;
  /** Where people chat. */
  readonly chatUrl: string;
  /** Where channels post. */
  readonly endpointUrl: string;
  readonly directLine: Pick<DirectLine, 'issueToken'>;
  /** Stops accepting, lets turns finish, stops watching. Nothing is lost: the next start takes it up. */
  close(): Promise<void>;
}

/** What turns that are running have to finish, in milliseconds: all of closing must fit into the 10 s that a stop may take (faults: SIGTERM). */
const graceMs = 3_000;

/**
 * Starts the bot. What a stop or a crash left unfinished is taken up before the first turn is accepted.
 * @throws {SettingsError} when a setting, the data folder or the port cannot be used.
 */
export const startBot = async ({
  settings,
  service,
  log,
  telemetry = noTelemetry,
  patience = patienceOf(settings.WAIT_MINUTES),
  turnRate,
  lookupRate,
  chatRate,
  calls,
  random = Math.random,
  around = {},
}: BotOptions): Promise<RunningBot> => {
  const secure = settings.PUBLIC_URL?.startsWith('https:') ?? false;
  // The bot itself speaks no TLS, so somebody in front of it does.
  if (secure && settings.TRUSTED_PROXIES === 0)
    log.warn({ component: 'bot', reason: 'no_trusted_proxies' }, 'TRUSTED_PROXIES is 0 behind a proxy: all customers count as one address');
  const limits = limitsOf(settings);
  const forms = settings.FORMS_FILE ? readForms(settings.FORMS_FILE) : demoForms;
  const theme = settings.CHAT_THEME === undefined ? service.theme : loadTheme(settings.CHAT_THEME, 'CHAT_THEME');
  const key = tokenKey(settings);
  const observing = { around: observeCalls(telemetry), onDeparture: logDepartures(log) };
  const calling = { ...service, breaker, ...calls, bootstrap: settings.SERVICE_BOOTSTRAP, ...observing };
  const client = wrapped(createServiceClient(calling), around.client);
  const events = observeEvents(makeEventSource({ url: service.wsUrl, multiplex: service.multiplex ?? false, log }), telemetry);
  const storage = wrapped(await openStorage(settings.DATA_DIR, { url: settings.DATABASE_URL, log }), around.storage);
  // Deadlines and the lives of tokens go by the clock that all replicas share.
  const newId = makeNewId();
  const common = { clock: storage.clock, newId, log };
  const store = observeStore(storage.interactions, telemetry);
  const interactions = makeInteractions({
    ...common,
    client,
    store,
    events,
    random,
    patience,
    idempotent: service.idempotent,
    tracing: telemetry,
  });
  observeState(telemetry, {
    watching: interactions.watching,
    quarantined: storage.interactions.quarantined,
    leaseHeld: storage.leaseHeld,
  });

  const numberInTeams: CallerResolver = async (activity) =>
    settings.TEAMS_PHONE === 'graph'
      ? parsePhoneNumber((await channels.teamsNumber?.(activity)) ?? '', settings.DEFAULT_REGION)
      : undefined;
  const person = settings.HANDOFF !== 'none' || settings.AGENT_CONTACT !== undefined;
  const [networkOf, countLookup] = [networkIn(ownServiceUrl), countRate(lookupRate ?? limits.lookupsOfNetwork)];
  const textsFor = makeTextsFor(settings.DEFAULT_LOCALE, { person: person ? 'yes' : 'no' });
  const services: Services = {
    ...common,
    interactions,
    chatOf,
    textsFor,
    forms,
    person,
    ...(theme?.name !== undefined && { sender: theme.name }),
    ...(settings.MENU_FILE && { titles: readTitles(settings.MENU_FILE) }),
    handoff: settings.HANDOFF === 'event' ? eventHandoff : noHandoff,
    ...lookupReplies(settings, log),
    showsCode: service.showsCode ?? false,
    lookupRate: limits.lookups,
    admitLookup: async (activity) => {
      const network = networkOf(activity);
      return network === undefined || countLookup(network);
    },
    callerNumber: firstOf([numberInToken(ownServiceUrl), numberOfSender, numberInTeams]),
    defaultRegion: settings.DEFAULT_REGION,
    ...(settings.AGENT_CONTACT && { agentContact: settings.AGENT_CONTACT }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
  };
  const run = observeTurns(makeRunTurn(storage.botState, makeConversation(services)), telemetry);
  const logic: TurnLogic = (context) => run(context);

  // Two circles are closed late: the adapter posts into our own Direct Line, whose routes stand on the server that the adapter serves.
  const channels = makeChannels({
    identity: settings,
    own: wrapped<Connector>(
      {
        post: (...call) => directLine.connector.post(...call),
        update: (...call) => directLine.connector.update(...call),
        remove: (...call) => directLine.connector.remove(...call),
      },
      around.connector,
    ),
    clock: systemClock,
    log,
  });
  const admitTurn = limitTurns(turnRate ?? limits.turns);
  const signals = storage.turnLeases && makeSharedSignals({ bus: storage.bus, chats: storage.chats, log });
  const adapter: TurnAdapter = makeAdapter({
    authentication: channels.authentication,
    lock: observeLock(
      storage.turnLeases
        ? makeSharedTurnLock({ leases: storage.turnLeases, newId, random, monotonic: monotonicClock, log })
        : makeTurnLock(),
      telemetry,
    ),
    // Our own Direct Line has asked already, before it kept anything.
    admit: async (activity) => (activity.serviceUrl === ownServiceUrl ? undefined : admitTurn(activity)),
    log,
    apology: (locale) => textsFor(locale ?? '')('conversation.failed'),
  });
  const { answersTo } = channels;
  const server = makeBotServer({
    identity: settings,
    adapter,
    logic,
    answersTo,
    needs: { database: storage.ping },
    proxies: settings.TRUSTED_PROXIES,
    secure,
    metrics: { metrics: telemetry, token: settings.METRICS_TOKEN },
    log,
  });
  const directLine: DirectLine = makeDirectLine({
    ...common,
    server: server.http,
    chats: storage.chats,
    key,
    botId: 'countersign',
    botName: 'Countersign',
    onActivity: async (activity) => {
      await adapter.receiveOwn(activity, logic);
    },
    admit: (userId) => admitTurn({ channelId: 'directline', from: { id: userId } }),
    limits: limits.directLine,
    publicUrl: settings.PUBLIC_URL,
    ...(signals && { signals }),
    secret: settings.DIRECTLINE_SECRET,
    allowedOrigins: (settings.DIRECTLINE_ORIGINS ?? []).map((origin) => new URL(origin).origin),
  });

  const housekeeping = new AbortController();
  const housekept = keepHouse({ retention: storage.retention, days: settings.RETENTION_DAYS, random, log }, housekeeping.signal);

  const close = async () => {
    housekeeping.abort();
    server.drain();
    await Promise.all([directLine.close(graceMs), server.close(graceMs)]);
    await signals?.close();
    await within(interactions.close(), graceMs / 2, () => new Error('outcomes were still being told')).catch((fault) =>
      log.warn({ ...faultFields(fault), component: 'interactions' }, 'an outcome was still being told at the end; the next start tells it'),
    );
    await client.close(graceMs / 6);
    await channels.close();
    await housekept;
    await storage.close();
  };
  try {
    await addChatPage(server.http, {
      ...directLine,
      rate: chatRate ?? limits.chats,
      publicUrl: settings.PUBLIC_URL,
      fallbackLanguage: settings.DEFAULT_LOCALE,
      theme,
    });
    await interactions.open(observeNotifier(makeNotifier({ adapter, run, log }), telemetry, storage.clock));
    const port = await server.listen(settings.PORT);
    const base = (settings.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '');
    return { port, chatUrl: `${base}/`, endpointUrl: `${base}/api/messages`, directLine, close };
  } catch (fault) {
    await close();
    throw fault;
  }
};

const wrapped = <Part>(part: Part, around: ((part: Part) => Part) | undefined): Part => around?.(part) ?? part;
