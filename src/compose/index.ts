// Starts the process's parts: the bot, and the reference service beside it if no other is configured.
import type { Log } from '../platform/log.ts';
import { noTelemetry, type Telemetry } from '../platform/telemetry.ts';
import { type MovableTime, makeMovableTime } from '../platform/time/movable-time.ts';
import { loadService } from './installed-service.ts';
import { isPublic } from './settings/core-faults.ts';
import { startBot } from './start/bot.ts';
import type { Configuration } from './start/configuration.ts';
import { abilitiesOf, serviceAccess } from './start/service.ts';

/**
 * Starts the configured parts. `leaving` aborts when the process is about to stop.
 * @throws {SettingsError} with nothing left running.
 */
export const startAll = async (configuration: Configuration, log: Log, telemetry: Telemetry = noTelemetry, leaving?: AbortSignal) => {
  const { settings } = configuration;
  // Only for trials on one's own machine: the clock of a shared database cannot be moved.
  const tried = !isPublic(settings);
  const time = tried && configuration.service && !configuration.service.SERVICE_DATABASE_URL ? makeMovableTime() : undefined;
  const beside = configuration.service && (await startBeside(configuration.service, log, time));
  try {
    const access = beside ? { ...beside.service, ...abilitiesOf(settings) } : serviceAccess(settings);
    const trial = tried ? { end: beside?.service.end, time } : undefined;
    const bot = await startBot({ settings, service: access, log, telemetry, trial, leaving });
    return {
      /** Addresses for the person who started it, each with a label. */
      addresses: [
        ['chat', bot.chatUrl] as const,
        ...(beside?.addresses ?? [['service', access.baseUrl] as const]),
        ...Object.entries(bot.links),
        ['bot endpoint', bot.endpointUrl] as const,
      ],
      close: async () => {
        await bot.close();
        await beside?.service.close();
      },
    };
  } catch (fault) {
    await beside?.service.close();
    throw fault;
  }
};

const startBeside = async (settings: NonNullable<Configuration['service']>, log: Log, time: MovableTime | undefined) => {
  const { addressesOf, optionsOf, startService } = await loadService();
  const service = await startService({ ...optionsOf(settings, log), clock: time?.clock, alarm: time?.alarm });
  return { service, addresses: addressesOf(service) };
};
