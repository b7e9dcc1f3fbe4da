// Assembles the bot: the connection to the service, dialogs, adapter, Direct Line and pages on one server.
import type { Server } from 'node:http';
import { makeConversation, makeTexts } from '../../../dialogs/index.ts';
import {
  type Connector,
  chatOf,
  graphUnusable,
  limitTurns,
  makeAdapter,
  makeBotServer,
  makeChannels,
  makeOpenTurn,
  makeRunTurn,
  notifyChats,
  type TurnAdapter,
  TurnHealth,
  type TurnLogic,
} from '../../bot/index.ts';
import { type DirectLine, makeDirectLine, makeSharedSignals } from '../../directline/index.ts';
import { loadFlows, makeFlows, makeVersions } from '../../flows/index.ts';
import { notifyByAddress } from '../../interactions/index.ts';
import { ownServiceUrl } from '../../platform/channels.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { monotonicClock, systemClock } from '../../platform/time/clock.ts';
import { addChatPage, makeAzureDirectLine } from '../../web/index.ts';
import { countRefusals, observeLock, observeTurns, observeUnusable } from '../observe/observe.ts';
import { observeEach, observeFlows } from '../observe/observe-flows.ts';
import { type OpenFlows, openFlows } from '../start/open-flows.ts';
import type { BotOptions } from './bot-options.ts';
import type { BotParts } from './bot-parts.ts';
import { callersOf, servicesOf, turnLockOf } from './bot-services.ts';
import { type Connection, openConnection } from './connection.ts';
import { guestAddresses, noticed } from './guest-turns.ts';
import { type Holding, makeHolding } from './holding.ts';
import { limitsFor } from './limits.ts';
import { makePeople } from './people.ts';
import { makeProgramSide } from './programs.ts';
import { serveSkillManifest } from './skill-manifest.ts';
import { tokenKey } from './token-key.ts';

export interface OpenBot {
  /** Handles requests and upgrades, from its own listener or from another server. */
  readonly node: Server;
  readonly directLine: Pick<DirectLine, 'issueToken'>;
  /** The path that opens the desk. `undefined`: there is none. */
  deskPath(): string | undefined;
  readonly connection: Connection;
  /** Starts listening and returns the port. @throws {SettingsError} when it is not available. */
  listen(port: number): Promise<number>;
  /** Stops accepting, lets turns finish, stops watching. Nothing is lost: the next start continues. */
  close(): Promise<void>;
}

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
export const openBot = async (options: BotOptions, parts: BotParts = {}): Promise<OpenBot> => {
  const unusable = options.teamsPhone === 'graph' ? graphUnusable(options.identity ?? {}) : [];
  if (unusable.length > 0) throw new SettingsError(unusable);
  const key = tokenKey(options.storage);
  const { sendsFromOrigin, sendsToNumber } = { ...limitsFor(options.identity ?? {}), ...options.limits };
  const connection = await openConnection(options, { sendsFromOrigin, sendsToNumber, ahead: parts.designer?.time?.ahead, ...parts });
  let flows: OpenFlows | undefined;
  try {
    flows = options.flows && openFlows(options.flows, connection.log);
    return await openOn(connection, flows, options, key, parts);
  } catch (fault) {
    flows?.close();
    await connection.close();
    throw fault;
  }
};

const openOn = async (
  connection: Connection,
  openedFlows: OpenFlows | undefined,
  options: BotOptions,
  key: Uint8Array,
  { aroundConnector, channels: otherSides, guest = () => undefined, designer }: BotParts,
): Promise<OpenBot> => {
  const { log, newId, storage, telemetry } = connection;
  const { identity = {}, proxies = 0, publicUrl } = options;
  const limits = { ...limitsFor(identity), ...options.limits };
  const secure = publicUrl?.startsWith('https:') ?? false;
  // The bot itself does not speak TLS, so a proxy in front of it does.
  if (secure && proxies === 0)
    log.warn({ component: 'bot', reason: 'no_trusted_proxies' }, 'TRUSTED_PROXIES is 0 behind a proxy: all customers count as one address');

  // For development only, so nothing of it is loaded elsewhere.
  const tried = designer && openedFlows && (await import('../start/open-designer.ts'));
  const trails = tried?.makeTrails();
  const redraw = options.cards === undefined ? undefined : (await import('../start/own-cards.ts')).readOwnCards(options.cards, log);
  const people = await makePeople(options, connection);
  // Closed late: the adapter posts into our own Direct Line, whose routes are on the server that the adapter serves.
  const ownConnector: Connector = {
    post: (...call) => directLine.connector.post(...call),
    update: (...call) => directLine.connector.update(...call),
    remove: (...call) => directLine.connector.remove(...call),
  };
  const channels = makeChannels({
    identity,
    own: aroundConnector?.(ownConnector) ?? ownConnector,
    clock: systemClock,
    log,
    onRefused: countRefusals(telemetry),
    callers: options.skillCallers ?? [],
    ...otherSides,
  });
  const versions = makeVersions(storage.flowVersions);
  const flows = makeFlows({
    current: openedFlows?.current ?? (() => loadFlows([])),
    versions,
    observe: observeEach(observeFlows(telemetry), trails?.observe),
  });
  const lock = observeLock(turnLockOf(connection), telemetry);
  const onUnusable = observeUnusable(telemetry, log);
  const programs = makeProgramSide(options, connection, { flows, lock, limits, onUnusable });

  const services = servicesOf({ sender: options.theme?.name, ...options }, connection, {
    chatOf,
    flows: openedFlows && flows,
    redraw,
    ...(people.handoffs && { handoffs: people.handoffs }),
    ...(options.voice?.transferTo !== undefined && { transfer: { to: options.voice.transferTo, prove: people.prove } }),
    holdOn: (interaction) => holding.hold(interaction),
    ...callersOf(options, limits, channels),
    saysLinks: true,
  });
  const holding: Holding = makeHolding({
    get: connection.interactions.get,
    tell: (interaction) => openTurn(interaction, (context) => run(context, { kind: 'still', interaction })),
    log,
  });
  const health = new TurnHealth(monotonicClock);
  const run = health.watch(observeTurns(makeRunTurn(storage.botState, makeConversation(services), onUnusable), telemetry));
  const logic: TurnLogic = (context) => run(context);
  const admitTurn = limitTurns(limits.turns);
  const signals = storage.turnLeases && makeSharedSignals({ bus: storage.bus, chats: storage.chats, log });
  const apology = (locale: string | undefined) => services.textsFor(locale ?? '')('conversation.failed');
  const adapter: TurnAdapter = makeAdapter({
    authentication: channels.authentication,
    lock,
    // Our own Direct Line has already counted it, before it stored anything.
    admit: async (activity) => (activity.serviceUrl === ownServiceUrl ? undefined : admitTurn(activity)),
    log,
    apology,
  });
  const openTurn = makeOpenTurn(adapter, log);
  const server = makeBotServer({
    identity,
    adapter,
    logic,
    answersTo: channels.answersTo,
    needs: { database: storage.ping, turns: health.check },
    ...{ proxies, secure, leaving: options.leaving },
    metrics: { metrics: telemetry, token: options.metricsToken },
    log,
  });
  /** Whose pages may use the chat, by its protocol or in a frame. */
  const { azure, origins: sites = [] } = options.directLine ?? {};
  const origins = sites.map((origin) => new URL(origin).origin);
  const directLine: DirectLine = makeDirectLine({
    // Real time: setting the clock ahead must not end the chat.
    clock: storage.clock,
    ...{ apology, newId, log },
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
    voiceKey: options.voice?.key,
    allowedOrigins: origins,
  });

  serveSkillManifest(server.http, options, () => ({ apps: services.apps, flows: services.flows?.described(makeTexts('en')) ?? [] }));
  await programs.serve(server.http);

  const closeTurns = async () => {
    server.drain();
    holding.close();
    await Promise.all([people.close(), programs.close()]);
    await Promise.all([directLine.close(graceMs), server.close(graceMs)]);
    await signals?.close();
  };
  try {
    await people.serve(server.http, adapter, services);
    const chatAssets = await addChatPage(server.http, {
      framedAt: tried && framedChat,
      ...(azure ? makeAzureDirectLine({ ...azure, publicUrl, log }) : directLine),
      directLineUrl: azure?.url,
      rate: limits.chats,
      publicUrl,
      fallbackLanguage: options.locale ?? 'en',
      ownTexts: options.pageTexts,
      theme: options.theme,
      embedOrigins: origins,
    });
    if (tried && trails)
      await tried.openDesigner({
        server: server.http,
        connection,
        flows: openedFlows,
        trails,
        chatPath: framedChat,
        reach: designer,
      });
    const gallery = designer && (await import('../../gallery/index.ts'));
    await gallery?.addGallery(server.http, { chat: chatAssets, theme: options.theme, textsFor: services.textsFor });
    const notify = notifyByAddress([guestAddresses(guest), programs.addresses], notifyChats(openTurn, run));
    await connection.open(noticed(notify, people.notice));
    people.open(openTurn, logic);
    programs.open();
  } catch (fault) {
    await closeTurns();
    await channels.close();
    throw fault;
  }
  return {
    node: server.http.node,
    directLine,
    deskPath: people.deskPath,
    connection,
    listen: server.listen,
    close: async () => {
      openedFlows?.close();
      await closeTurns();
      await connection.close();
      await channels.close();
    },
  };
};
