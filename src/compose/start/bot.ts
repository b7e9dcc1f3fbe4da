// Starts the bot from the environment's settings.
import type { Rate } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../platform/telemetry.ts';
import type { BotParts } from '../bot/connection.ts';
import { openBot } from '../bot/open-bot.ts';
import { capabilities } from '../capabilities.ts';
import { botAddresses } from '../create-bot.ts';
import { botOptionsOf } from './bot-settings.ts';
import type { ServiceAccess } from './service.ts';
import type { Settings } from './settings.ts';

/** The rest is what only measurements and fault tests replace. */
export interface StartBotOptions extends BotParts {
  readonly settings: Settings;
  readonly service: ServiceAccess;
  readonly log: Log;
  /** Unset: none. */
  readonly telemetry?: Telemetry | undefined;
  /** How many turns one user may start. */
  readonly turnRate?: Rate | undefined;
  /** How many lookups may come from one network. */
  readonly lookupRate?: Rate | undefined;
  /** Aborts when the process is about to stop. */
  readonly leaving?: AbortSignal | undefined;
}

export type RunningBot = Awaited<ReturnType<typeof startBot>>;

/**
 * Starts the bot. Work that a stop or a crash left unfinished is resumed before the first turn is accepted.
 * @throws {SettingsError} when a setting, the data folder or the port cannot be used.
 */
export const startBot = async (options: StartBotOptions) => {
  const { settings, service, leaving, log, telemetry, turnRate, lookupRate, ...parts } = options;
  const said = botOptionsOf(settings, service, log, telemetry);
  const rates = {
    ...(turnRate && { turns: turnRate }),
    ...(lookupRate && { lookupsOfNetwork: lookupRate }),
  };
  const { close, directLine, links, listen } = await openBot(
    capabilities,
    { ...said, leaving, limits: { ...said.limits, ...rates } },
    parts,
  );
  try {
    const port = await listen(settings.PORT);
    const base = settings.PUBLIC_URL ?? `http://localhost:${port}`;
    return {
      port,
      ...botAddresses(base),
      /** The pages of its capabilities, by their labels. */
      links: Object.fromEntries(
        links.map(({ label, local, path }) => [label, new URL(path, local ? `http://localhost:${port}` : base).href]),
      ),
      directLine,
      /** Stops accepting, lets turns finish, stops watching. Nothing is lost: the next start continues. */
      close,
    };
  } catch (fault) {
    await close();
    throw fault;
  }
};
