// The bot for programs: import { createBot } from 'countersign'.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HostsGuests, withGuests } from '../guests/index.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { isFromThisMachine } from '../platform/outgoing/loopback.ts';
import type { CoreOptions } from './bot/core-options.ts';
import { type OpenBot, openBot } from './bot/open-bot.ts';
import type { BotOptions } from './bot-options.ts';
import { capabilities } from './capabilities.ts';

export { eventHandoff, type Handoff } from '../../dialogs/index.ts';
export {
  type ChatwootHubOptions,
  type DeskHub,
  eventHub,
  type HandoffRules,
  type Hub,
  type HubOptions,
  makeChatwootHub,
  makeDeskHub,
  makeWebhookHub,
  omnichannelHub,
  type WebhookHubOptions,
} from '../handoff/index.ts';
export { type Log, makeLog } from '../platform/log.ts';
export { loadTheme, type Theme } from '../platform/pages/theme.ts';
export { SettingsError } from '../platform/settings/settings-error.ts';
export type { EmbedEvents } from '../web/index.ts';
export type { HostBot, ServiceOptions, StoragePlace } from './bot/core-options.ts';
export type { BotOptions } from './bot-options.ts';

/** A bot that a program runs. */
export type Bot = MountedBot & HostsGuests;

interface MountedBot {
  /**
   * Opens it, and resumes work that a stop or a crash left unfinished. With a port it listens itself: on every
   * interface with an identity, on loopback without. Without a port, mount {@link Bot.handler} on another server.
   * @throws {SettingsError} with a line for everything that prevents the start; nothing is left open then.
   */
  start(options?: { readonly port?: number | undefined }): Promise<BotAddresses>;
  /** Stops accepting, lets turns finish, stops watching. Nothing is lost: the next start continues. */
  stop(): Promise<void>;
  /**
   * Handles a request on a server of node:http, restify or express. Resolves when the answer has been sent. Mount it at
   * the root, for `/api/messages`, and for `/`, `/assets/*`, `/chat/*` and `/v3/directline/*` if customers use the web
   * chat; for `/mcp`, `/connector/*` and `/.well-known/*` if other agents may call; for `/handoff/*`, `/chatwoot/*`,
   * `/desk` and `/desk/*` if agents take chats over. 503 while the bot is not running.
   */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** Handles the web chat's websocket: `server.on('upgrade', bot.upgrade)`. Without it the web chat polls. */
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** A bot's addresses. */
export interface BotAddresses {
  /** The chat page. */
  readonly chatUrl: string;
  /** The endpoint for channels. */
  readonly endpointUrl: string;
}

/** The addresses of a bot whose server is reached at `base`. */
export const botAddresses = (base: string): BotAddresses => {
  const root = base.replace(/\/$/, '');
  return { chatUrl: `${root}/`, endpointUrl: `${root}/api/messages` };
};

/** Creates a bot with these options. Nothing happens before `start`. */
export const createBot = (options: BotOptions): Bot => withGuests(mountedBot, options);

const mountedBot = (options: CoreOptions): MountedBot => {
  const local = !options.identity?.MicrosoftAppId;
  let opening: Promise<OpenBot> | undefined;
  let open: OpenBot | undefined;

  const stop = async () => {
    const bot = await opening?.catch(() => undefined);
    [opening, open] = [undefined, undefined];
    await bot?.close();
  };
  return {
    start: async ({ port } = {}) => {
      if (opening) throw new Error('This bot has been started already.');
      try {
        opening = openBot(capabilities, options);
        const bot = await opening;
        const listening = port === undefined ? undefined : await bot.listen(port);
        open = bot;
        return botAddresses(options.publicUrl ?? (listening === undefined ? '' : `http://localhost:${listening}`));
      } catch (fault) {
        await stop();
        throw fault;
      }
    },
    stop,
    handler: async (req, res) => {
      if (!open) return refuse(res, new HttpProblem(503, 'stopped', 'The bot does not run.'));
      // A bot without an identity trusts every caller, and here another server decides where to listen.
      if (local && !isFromThisMachine(askingOf(req)))
        return refuse(res, new HttpProblem(403, 'local_only', 'Without an identity this bot answers to its own machine only.'));
      const done = new Promise<void>((resolve) => void res.once('close', resolve));
      open.node.emit('request', req, res);
      await done;
    },
    upgrade: (req, socket, head) => {
      // Other upgrades on that server are not ours.
      if (!/^\/(?:v3\/directline\/|desk\/(?:panel\/\w+\/)?socket$)/.test(req.url ?? '')) return;
      if (open && !(local && !isFromThisMachine(askingOf(req)))) open.node.emit('upgrade', req, socket, head);
      else socket.destroy();
    },
  };
};

const askingOf = ({ socket, headers, httpVersion }: IncomingMessage) => ({
  remoteAddress: socket.remoteAddress ?? '',
  headers,
  httpVersion,
});

const refuse = (res: ServerResponse, problem: HttpProblem) => {
  const { status, headers, body } = problem.answer();
  // Not chained: restify replaces writeHead for every server of the process with one that returns nothing.
  res.writeHead(status, headers);
  res.end(JSON.stringify(body));
};
