// Assembles the bot: the connection to the service, dialogs, adapter, Direct Line and pages on one server, and the
// capabilities beside them.
import { makeConversation } from '../../../dialogs/index.ts';
import {
  type Connector,
  chatOf,
  graphUnusable,
  limitTurns,
  makeBotServer,
  makeChannels,
  makeOpenTurn,
  makeRunTurn,
  notifyChats,
  TurnAdapter,
  TurnHealth,
} from '../../bot/index.ts';
import { type DirectLine, makeDirectLine, makeSharedSignals } from '../../directline/index.ts';
import { type Interaction, type Notify, notifyByAddress } from '../../interactions/index.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { monotonicClock, systemClock } from '../../platform/time/clock.ts';
import { addChatPage } from '../../web/index.ts';
import { callersOf, servicesOf, turnLockOf } from './bot-services.ts';
import { type AnyCapability, type BotContext, type Link, type OpenCapabilities, openCapabilities, ownedTables } from './capability.ts';
import { type BotParts, type Connection, openConnection } from './connection.ts';
import type { CoreOptions } from './core-options.ts';
import { makeHoldMessages } from './hold-messages.ts';
import { limitsFor } from './limits.ts';
import { countRefusals, observeLock, observeTurns, observeUnusable } from './observe.ts';
import { tokenKey } from './token-key.ts';

export type OpenBot = Awaited<ReturnType<typeof openBot>>;

/**
 * How long running turns may take to finish, in milliseconds: all of closing must fit into the 10 s of a stop
 * (docs/faults.md#on-sigterm).
 */
const graceMs = 6_000;

/** The chat page as the designer frames it; at `/` nothing may. */
const framedChat = '/designer/chat';

/**
 * Opens the bot without listening. Work that a stop or a crash left unfinished is resumed before the first turn is
 * accepted.
 * @throws {SettingsError} when an option cannot be used, with nothing left open.
 */
export const openBot = async (capabilities: readonly AnyCapability[], options: CoreOptions, parts: BotParts = {}) => {
  const unusable = options.teamsPhone === 'graph' ? graphUnusable(options.identity ?? {}) : [];
  if (unusable.length > 0) throw new SettingsError(unusable);
  const key = tokenKey(options.storage);
  const limits = { ...limitsFor(options.identity ?? {}), ...options.limits };
  const { sendsFromOrigin, sendsToNumber } = limits;
  const connection = await openConnection(options, ownedTables(capabilities), {
    sendsFromOrigin,
    sendsToNumber,
    ahead: parts.trial?.time?.ahead,
    ...parts,
  });
  const { log, telemetry } = connection;
  try {
    const bot = {
      ...connection,
      limits,
      lock: observeLock(turnLockOf(connection), telemetry),
      onUnusable: observeUnusable(telemetry, log),
      trial: parts.trial,
    };
    const opened = await openCapabilities(capabilities, bot, options);
    return await openOn(connection, bot, opened, options, key, parts).catch(async (fault: unknown) => {
      await opened.close();
      throw fault;
    });
  } catch (fault) {
    await connection.close();
    throw fault;
  }
};

const openOn = async (
  connection: Connection,
  { limits, lock, onUnusable, trial }: Pick<BotContext, 'limits' | 'lock' | 'onUnusable' | 'trial'>,
  capabilities: OpenCapabilities,
  options: CoreOptions,
  key: Uint8Array,
  { around, channels: otherSides }: BotParts,
) => {
  const { log, newId, storage, telemetry } = connection;
  const { identity = {}, proxies = 0, publicUrl } = options;
  const secure = publicUrl?.startsWith('https:') ?? false;
  // The bot itself does not speak TLS, so a proxy in front of it does.
  if (secure && proxies === 0)
    log.warn({ component: 'bot', reason: 'no_trusted_proxies' }, 'TRUSTED_PROXIES is 0 behind a proxy: all customers count as one address');

  // Closed late: the adapter posts into our own Direct Line, whose routes are on the server that the adapter serves.
  const ownConnector: Connector = {
    post: (...call) => directLine.connector.post(...call),
    update: (...call) => directLine.connector.update(...call),
    remove: (...call) => directLine.connector.remove(...call),
  };
  const channels = makeChannels({
    identity,
    own: around?.connector?.(ownConnector) ?? ownConnector,
    clock: systemClock,
    log,
    onRefused: countRefusals(telemetry),
    callers: options.skillCallers ?? [],
    ...otherSides,
  });
  const services = servicesOf({ sender: options.theme?.name, ...options }, connection, {
    chatOf,
    ...capabilities.dialogs,
    holdOn: (interaction) => holdMessages.hold(interaction),
    ...callersOf(options, limits, channels),
    saysLinks: true,
  });
  const tellStill = (interaction: Interaction) => openTurn(interaction, (context) => run(context, { kind: 'still', interaction }));
  const holdMessages: ReturnType<typeof makeHoldMessages> = makeHoldMessages(connection.interactions.get, tellStill, log);
  const health = new TurnHealth(monotonicClock);
  // What happens in a turn; the adapter's lists have the steps around it.
  const run = health.watch(observeTurns(makeRunTurn(storage.botState, makeConversation(services), onUnusable), telemetry));
  const admitTurn = limitTurns(limits.turns);
  const signals = storage.turnLeases && makeSharedSignals(storage.bus, storage.chats, log);
  const apology = (locale: string | undefined) => services.textsFor(locale ?? '')('conversation.failed');
  const adapter: TurnAdapter = new TurnAdapter({ authentication: channels.authentication, lock, admit: admitTurn, log, apology });
  for (const middleware of capabilities.middleware) adapter.use(middleware);
  const openTurn = makeOpenTurn(adapter, log);
  const server = makeBotServer({
    identity,
    adapter,
    logic: run,
    answersTo: channels.answersTo,
    needs: { database: storage.ping, turns: health.check },
    ...{ proxies, secure, leaving: options.leaving },
    metrics: { metrics: telemetry, token: options.metricsToken },
    log,
  });
  /** Whose pages may use the chat, by its protocol or in a frame. */
  const origins = (options.directLine?.origins ?? []).map((origin) => new URL(origin).origin);
  const directLine: DirectLine = makeDirectLine({
    // Real time: setting the clock ahead must not end the chat.
    clock: storage.clock,
    ...{ apology, newId, log },
    server: server.http,
    chats: storage.chats,
    key,
    botId: 'countersign',
    botName: 'Countersign',
    onActivity: (activity) => adapter.receiveOwn(activity, run),
    admit: (userId) => admitTurn({ channelId: 'directline', from: { id: userId } }),
    limits: limits.directLine,
    publicUrl,
    ...(signals && { signals }),
    secret: options.directLine?.secret,
    allowedOrigins: origins,
  });

  const closeTurns = async () => {
    server.drain();
    holdMessages.close();
    await capabilities.close();
    await Promise.all([directLine.close(graceMs), server.close(graceMs)]);
    await signals?.close();
  };
  const links: Link[] = [];
  try {
    const framedAt = trial && framedChat;
    const assets = await addChatPage(server.http, {
      framedAt,
      ...(capabilities.directLine ?? directLine),
      rate: limits.chats,
      publicUrl,
      fallbackLanguage: options.locale ?? 'en',
      ownTexts: options.pageTexts,
      theme: options.theme,
      embedOrigins: origins,
    });
    await capabilities.serve({ http: server.http, directLine, services, announce: (page) => links.push(page), chat: { assets, framedAt } });
    const notify = notifyByAddress(capabilities.addresses, notifyChats(openTurn, run));
    await connection.open(noticed(notify, capabilities.notice));
    capabilities.start({ openTurn, run });
  } catch (fault) {
    await closeTurns();
    await channels.close();
    throw fault;
  }
  return {
    /** Handles requests and upgrades, from its own listener or from another server. */
    node: server.http.node,
    directLine: directLine as Pick<DirectLine, 'issueToken'>,
    /** Its capabilities' pages. */
    links,
    /** Starts listening and returns the port. @throws {SettingsError} when it is not available. */
    listen: server.listen,
    /** Stops accepting, lets turns finish, stops watching. Nothing is lost: the next start continues. */
    close: async (): Promise<void> => {
      await closeTurns();
      await connection.close();
      await channels.close();
    },
  };
};

/** Also calls `notice`: of an outcome, once the chat has it. */
const noticed =
  (notify: Notify, notice: OpenCapabilities['notice']): Notify =>
  async (interaction, kind) => {
    if (kind === 'progress') notice(interaction);
    await notify(interaction, kind);
    if (kind === 'outcome') notice(interaction);
  };
