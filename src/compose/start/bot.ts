// Starts the bot from the environment's settings.
import type { Connector } from '../../bot/index.ts';
import type { ClientOptions, ServiceClient } from '../../client/index.ts';
import type { AppId } from '../../contract/index.ts';
import type { DirectLine } from '../../directline/index.ts';
import type { Rate } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../platform/telemetry.ts';
import type { Storage } from '../../storage/index.ts';
import type { BotParts, Trial } from '../bot/bot-parts.ts';
import { openBot } from '../bot/open-bot.ts';
import { capabilities } from '../capabilities.ts';
import { botAddresses } from '../create-bot.ts';
import { botOptionsOf } from './bot-settings.ts';
import type { ServiceAccess } from './service.ts';
import type { Settings } from './settings.ts';

export interface StartBotOptions {
  readonly settings: Settings;
  readonly service: ServiceAccess;
  readonly log: Log;
  /** Unset: none. */
  readonly telemetry?: Telemetry;
  /**
   * How long the bot waits for interactions of each app, in milliseconds, if the service does not say how long its
   * requests are valid.
   */
  readonly outcomeTimeouts?: Readonly<Record<AppId, number>>;
  /** How many turns one user may start. */
  readonly turnRate?: Rate;
  /** How many lookups may come from one network. */
  readonly lookupRate?: Rate;
  /** Overrides of the deadlines and breaker of calls to the service. */
  readonly calls?: Pick<ClientOptions, 'breaker' | 'timeouts'>;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: () => number;
  /** Aborts when the process is about to stop. */
  readonly leaving?: AbortSignal | undefined;
  readonly around?: PartWrappers;
  /** Doubles of its channels, if they are not the real ones. */
  readonly channels?: BotParts['channels'];
  /** Opens the pages for those who write flows and cards. */
  readonly trial?: Trial | undefined;
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

export interface RunningBot {
  readonly port: number;
  /** The chat page. */
  readonly chatUrl: string;
  /** The endpoint for channels. */
  readonly endpointUrl: string;
  /** The pages of its capabilities, by their labels. */
  readonly links: Readonly<Record<string, string>>;
  readonly directLine: Pick<DirectLine, 'issueToken'>;
  /** Stops accepting, lets turns finish, stops watching. Nothing is lost: the next start continues. */
  close(): Promise<void>;
}

/**
 * Starts the bot. Work that a stop or a crash left unfinished is resumed before the first turn is accepted.
 * @throws {SettingsError} when a setting, the data folder or the port cannot be used.
 */
export const startBot = async (options: StartBotOptions): Promise<RunningBot> => {
  const { settings, service, leaving, log, telemetry, turnRate, lookupRate, around = {}, ...parts } = options;
  const said = botOptionsOf(settings, service, log, telemetry);
  const rates = {
    ...(turnRate && { turns: turnRate }),
    ...(lookupRate && { lookupsOfNetwork: lookupRate }),
  };
  const { close, directLine, links, listen } = await openBot(
    capabilities,
    { ...said, leaving, limits: { ...said.limits, ...rates } },
    { ...parts, aroundStorage: around.storage, aroundClient: around.client, aroundConnector: around.connector },
  );
  try {
    const port = await listen(settings.PORT);
    const base = settings.PUBLIC_URL ?? `http://localhost:${port}`;
    return {
      port,
      ...botAddresses(base),
      links: Object.fromEntries(
        links().map(({ label, local, path }) => [label, new URL(path, local ? `http://localhost:${port}` : base).href]),
      ),
      directLine,
      close,
    };
  } catch (fault) {
    await close();
    throw fault;
  }
};
