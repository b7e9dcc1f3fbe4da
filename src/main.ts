// The process: what to start, what to print, how to stop.
import { readCommand } from './compose/command.ts';
import type { Running } from './compose/index.ts';
import { readSettings } from './compose/settings.ts';
import { faultFields, type Log, makeLog } from './platform/log.ts';
import { exitConfig, SettingsError } from './platform/settings-error.ts';

/** A stop takes this long (ms) at most; what is not over by then is taken up by the next start. */
const patience = 10_000;

const stopOnSignal = (running: Running, log: Log) => {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason: signal }, 'stopping');
    setTimeout(() => {
      log.error({ reason: signal }, 'something did not stop in time');
      process.exit(1);
    }, patience).unref();
    try {
      await running.close();
      process.exit(0);
    } catch (fault) {
      log.error(faultFields(fault), 'something could not be stopped');
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(signal));
};

const main = async () => {
  const command = readCommand(process.argv.slice(2));
  const settings = readSettings(process.env, command);
  const log = makeLog(settings.LOG_LEVEL);
  process.on('uncaughtExceptionMonitor', (fault) => log.error(faultFields(fault), 'the process ends by a fault that nothing caught'));
  // Loaded only now: a wrong setting is told at once, not after everything that it keeps from starting.
  const { startAll } = await import('./compose/index.ts');
  const running = await startAll(command, settings, log);
  stopOnSignal(running, log);
  const width = Math.max(...running.addresses.map(([label]) => label.length));
  for (const [label, address] of running.addresses) console.log(`${label.padEnd(width)}  ${address}`);
};

try {
  await main();
} catch (fault) {
  if (!(fault instanceof SettingsError)) throw fault;
  for (const line of fault.lines) console.error(line);
  process.exitCode = exitConfig;
}
