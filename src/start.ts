// A start of the bot, with the service beside it if no other is configured. A package has all of this in one script
// (decision 0150).
import type { Program } from './compose/commands/command.ts';
import { faultFields, makeLog } from './platform/log.ts';
import { keepStarted } from './platform/process/compile-cache.ts';
import { logUncaught, printAddresses, stopOnSignal } from './platform/process/run-process.ts';
import { warnOfMisspelt } from './platform/settings/environment.ts';

/** @throws {SettingsError} when a setting cannot be used, with nothing left running. */
export const startProgram = async (program: Program): Promise<void> => {
  // First the settings alone: a wrong one is told at once.
  const { findMisspelt, readConfiguration } = await import('./compose/start/configuration.ts');
  const configuration = await readConfiguration(process.env, program);
  const { settings } = configuration;
  const [{ startAll }, { openTelemetry }] = await Promise.all([import('./compose/index.ts'), import('./compose/start/telemetry.ts')]);
  const telemetry = await openTelemetry(settings, (fault) =>
    log.warn({ ...faultFields(fault), component: 'telemetry' }, 'spans could not be sent to the collector'),
  );
  const log = makeLog(settings.LOG_LEVEL, undefined, telemetry.traceId);
  logUncaught(log);
  warnOfMisspelt(await findMisspelt(process.env, configuration.service !== undefined), log);
  const leaving = new AbortController();
  const { addresses, close } = await startAll(configuration, log, telemetry, leaving.signal);
  const closeAll = async () => {
    await close();
    await telemetry.close();
  };
  stopOnSignal(closeAll, log, () => leaving.abort(), settings.SHUTDOWN_DELAY);
  printAddresses(addresses);
  keepStarted();
};
