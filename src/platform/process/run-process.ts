// Shared by every process of ours: it stops on a signal, and exits with 78 when its settings cannot be used, or
// with 75 when the database is not there yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { faultFields, type Log } from '../log.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { onParentGone } from './parents.ts';

/** The longest that a stop may take (ms), after its delay. The next start continues unfinished work. */
const patience = 10_000;

/**
 * Closes on a signal, or once npm is gone, and ends the process: with 0, or with 1 if something did not stop.
 * @param leave - called at once: from then on the process says that it is not ready
 * @param delay - how long (seconds) it goes on working before it closes, so that proxies can notice
 */
export const stopOnSignal = (close: () => Promise<void>, log: Log, leave: () => void, delay: number): void => {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason: signal }, 'stopping');
    try {
      leave();
      if (delay > 0) await sleep(delay * 1000);
      setTimeout(() => {
        log.error({ reason: signal }, 'something did not stop in time');
        process.exit(1);
      }, patience).unref();
      await close();
      process.exit(0);
    } catch (fault) {
      log.error(faultFields(fault), 'something could not be stopped');
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(signal));
  onParentGone(() => void stop('npm has ended'));
};

/** Logs faults that nothing caught. Node then ends the process. */
export const logUncaught = (log: Log): void => {
  process.on('uncaughtExceptionMonitor', (fault) => log.error(faultFields(fault), 'the process ends by a fault that nothing caught'));
};

/** Prints the addresses in two columns. */
export const printAddresses = (addresses: readonly (readonly [label: string, address: string])[]): void => {
  const width = Math.max(...addresses.map(([label]) => label.length));
  for (const [label, address] of addresses) console.log(`${label.padEnd(width)}  ${address}`);
};

/** Runs the program and prints mistakes in its settings line by line. */
export const runProgram = async (program: () => Promise<void>): Promise<void> => {
  // Whoever reads what is printed may have read enough: `doctor | head`.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? process.exitCode : 1));
  try {
    await program();
  } catch (fault) {
    if (!(fault instanceof SettingsError)) throw fault;
    for (const line of fault.lines) console.error(line);
    process.exitCode = fault.exitCode;
  }
};

/** Whether the command line asks for the version. */
export const asksForVersion = ([word]: readonly string[]): boolean => word === '--version' || word === '-v';

/** An installed package is compiled. */
const fromSources = import.meta.url.endsWith('.ts');

/** How a command is invoked here: through npm in the repository, by the program's name in an install. */
export const called = (inRepository: string, installed: string, sources: boolean = fromSources): string =>
  sources ? inRepository : installed;
