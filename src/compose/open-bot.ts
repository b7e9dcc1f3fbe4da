// The bot, put together: the connection to the service, dialogs, adapter, Direct Line and pages on one server.
import type { Server } from 'node:http';
import {
  type CallerResolver,
  firstOf,
  makeConversation,
  networkIn,
  numberInToken,
  numberOfSender,
  parsePhoneNumber,
  type Services,
} from '../../dialogs/index.ts';
import {
  type Channels,
  type Connector,
  chatOf,
  limitTurns,
  makeAdapter,
  makeBotServer,
  makeChannels,
  makeNotifier,
  makeOpenTurn,
  makeRunTurn,
  ownServiceUrl,
  type TurnAdapter,
  type TurnLogic,
} from '../bot/index.ts';
import { type DirectLine, makeDirectLine, makeSharedSignals } from '../directline/index.ts';
import type { Notifier } from '../interactions/index.ts';
import { systemClock } from '../platform/clock.ts';
import { countRate } from '../platform/rate-limit.ts';
import { addChatPage } from '../web/index.ts';
import type { BotOptions } from './bot-options.ts';
import { servicesOf } from './bot-services.ts';
import { type Connection, type ConnectionParts, openConnection } from './connection.ts';
import { notifierOfBoth } from './guest-turns.ts';
import { type Limits, limitsFor } from './limits.ts';
import { observeLock, observeTurns } from './observe.ts';
import { makePeople } from './people.ts';
import { tokenKey } from './token-key.ts';
import { turnLockOf } from './turn-locks.ts';

/** What only those who measure or disturb a bot replace. */
export interface BotParts extends ConnectionParts {
  /** Around the way into our own Direct Line. */
  readonly aroundConnector?: ((connector: Connector) => Connector) | undefined;
  /** Tells the chats of another bot that stands on the same connection, where there is one. */
  readonly guest?: (() => Notifier | undefined) | undefined;
}

export interface OpenBot {
  /** Takes requests and upgrades, whether it listens or another server hands them over. */
  readonly node: Server;
  readonly directLine: Pick<DirectLine, 'issueToken'>;
  readonly connection: Connection;
  /** Starts listening and tells the port. @throws {SettingsError} when it cannot be had. */
  listen(port: number): Promise<number>;
  /** Stops accepting, lets turns finish, stops watching. Nothing is lost: the next start takes it up. */
  close(): Promise<void>;
}

/** What turns that are running have to finish, in milliseconds: all of closing must fit into the 10 s that a stop may take (docs/faults.md#on-sigterm). */
const graceMs = 3_000;

/**
 * Opens the bot without listening. What a stop or a crash left unfinished is taken up before the first turn is accepted.
 * @throws {SettingsError} when an option cannot be used, with nothing left open.
 */
export const openBot = async (options: BotOptions, parts: BotParts = {}): Promise<OpenBot> => {
  const key = tokenKey(options.storage);
  const { sendsToNumber } = { ...limitsFor(options.identity ?? {}), ...options.limits };
  const connection = await openConnection(options, { sendsToNumber, ...parts });
  try {
    return await openOn(connection, options, key, parts);
  } catch (fault) {
    await connection.close();
    throw fault;
  }
};

const openOn = async (
  connection: Connection,
  options: BotOptions,
  key: Uint8Array,
  { aroundConnector, guest = () => undefined }: BotParts,
): Promise<OpenBot> => {
  const { clock, log, newId, storage, telemetry } = connection;
  const { identity = {}, proxies = 0, publicUrl } = options;
  const limits = { ...limitsFor(identity), ...options.limits };
  const secure = publicUrl?.startsWith('https:') ?? false;
  // The bot itself speaks no TLS, so somebody in front of it does.
  if (secure && proxies === 0)
    log.warn({ component: 'bot', reason: 'no_trusted_proxies' }, 'TRUSTED_PROXIES is 0 behind a proxy: all customers count as one address');

  const people = await makePeople(options, connection);

  // Two circles are closed late: the adapter posts into our own Direct Line, whose routes stand on the server that the adapter serves.
  const ownConnector: Connector = {
    post: (...call) => directLine.connector.post(...call),
    update: (...call) => directLine.connector.update(...call),
    remove: (...call) => directLine.connector.remove(...call),
  };
  const channels = makeChannels({ identity, own: aroundConnector?.(ownConnector) ?? ownConnector, clock: systemClock, log });
  const { handoffs } = people;
  const own = { chatOf, ...callersOf(options, limits, channels), ...(handoffs && { handoffs }) };
  const services = servicesOf({ sender: options.theme?.name, ...options }, connection, own);
  const run = observeTurns(makeRunTurn(storage.botState, makeConversation(services)), telemetry);
  const logic: TurnLogic = (context) => run(context);
  const admitTurn = limitTurns(limits.turns);
  const signals = storage.turnLeases && makeSharedSignals({ bus: storage.bus, chats: storage.chats, log });
  const adapter: TurnAdapter = makeAdapter({
    authentication: channels.authentication,
    lock: observeLock(turnLockOf(connection), telemetry),
    // Our own Direct Line has asked already, before it kept anything.
    admit: async (activity) => (activity.serviceUrl === ownServiceUrl ? undefined : admitTurn(activity)),
    log,
    apology: (locale) => services.textsFor(locale ?? '')('conversation.failed'),
  });
  const server = makeBotServer({
    identity,
    adapter,
    logic,
    answersTo: channels.answersTo,
    needs: { database: storage.ping },
    proxies,
    secure,
    metrics: { metrics: telemetry, token: options.metricsToken },
    log,
  });
  const directLine: DirectLine = makeDirectLine({
    clock,
    newId,
    log,
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
    publicUrl,
    ...(signals && { signals }),
    secret: options.directLine?.secret,
    allowedOrigins: (options.directLine?.origins ?? []).map((origin) => new URL(origin).origin),
  });

  people.serve(server.http);

  const closeTurns = async () => {
    server.drain();
    await people.close();
    await Promise.all([directLine.close(graceMs), server.close(graceMs)]);
    await signals?.close();
  };
  try {
    await addChatPage(server.http, {
      ...directLine,
      rate: limits.chats,
      publicUrl,
      fallbackLanguage: options.locale ?? 'en',
      theme: options.theme,
    });
    await connection.open(notifierOfBoth(makeNotifier({ adapter, run, log }), guest));
    people.open(makeOpenTurn({ adapter, log }), logic);
  } catch (fault) {
    await closeTurns();
    await channels.close();
    throw fault;
  }
  return {
    node: server.http.node,
    directLine,
    connection,
    listen: server.listen,
    close: async () => {
      await closeTurns();
      await connection.close();
      await channels.close();
    },
  };
};

/** How this bot learns who is calling, and how often it may be asked about numbers. */
const callersOf = (
  { region = 'US', teamsPhone }: BotOptions,
  { lookups, lookupsOfNetwork }: Limits,
  { teamsNumber }: Channels,
): Pick<Services, 'admitLookup' | 'callerNumber' | 'lookupRate'> => {
  const numberInTeams: CallerResolver = async (activity) =>
    teamsPhone === 'graph' ? parsePhoneNumber((await teamsNumber?.(activity)) ?? '', region) : undefined;
  const [networkOf, countLookup] = [networkIn(ownServiceUrl), countRate(lookupsOfNetwork)];
  return {
    lookupRate: lookups,
    admitLookup: async (activity) => {
      const network = networkOf(activity);
      return network === undefined || countLookup(network);
    },
    callerNumber: firstOf([numberInToken(ownServiceUrl), numberOfSender, numberInTeams]),
  };
};
