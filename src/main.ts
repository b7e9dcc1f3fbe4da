#!/usr/bin/env node
// The process: what to do, what to print, how to stop.
import { type Program, readCommand, readHelp } from './compose/command.ts';
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

const start = async (program: Program) => {
  const settings = readSettings(process.env, program);
  // Loaded only now: a wrong setting is told at once, not after everything that it keeps from starting.
  const [{ startAll }, { openTelemetry }] = await Promise.all([import('./compose/index.ts'), import('./compose/telemetry.ts')]);
  const telemetry = await openTelemetry(settings, (fault) =>
    log.warn({ ...faultFields(fault), component: 'telemetry' }, 'spans could not be sent to the collector'),
  );
  const log = makeLog(settings.LOG_LEVEL, undefined, telemetry.traceId);
  process.on('uncaughtExceptionMonitor', (fault) => log.error(faultFields(fault), 'the process ends by a fault that nothing caught'));
  const { addresses, close } = await startAll(program, settings, log, telemetry);
  const closeAll = async () => {
    await close();
    await telemetry.close();
  };
  stopOnSignal({ addresses, close: closeAll }, log);
  const width = Math.max(...addresses.map(([label]) => label.length));
  for (const [label, address] of addresses) console.log(`${label.padEnd(width)}  ${address}`);
};

const main = async () => {
  const words = process.argv.slice(2);
  const help = readHelp(words);
  if (help !== undefined) return console.log(help);
  const command = readCommand(words);
  if (command === 'decrypt') {
    const { decrypt } = await import('./compose/decrypt.ts');
    return console.log(await decrypt(words.slice(1), readSettings(process.env)));
  }
  if (command === 'erase') {
    const settings = readSettings(process.env);
    const { eraseCustomer } = await import('./compose/erase.ts');
    const { stdin: input, stdout: output } = process;
    const gone = await eraseCustomer({
      args: words.slice(1),
      settings,
      environment: process.env,
      log: makeLog(settings.LOG_LEVEL),
      input,
      output,
    });
    // What is still typed into a terminal would keep the process.
    process.exit(gone ? 0 : 1);
  }
  if (command === 'service-key') {
    const { newServiceKey } = await import('./compose/service-key.ts');
    return console.log(newServiceKey());
  }
  if (command !== 'doctor') return start(command);
  const { examine } = await import('./compose/doctor.ts');
  process.exitCode = await examine(process.env, console.log);
};

try {
  await main();
} catch (fault) {
  if (!(fault instanceof SettingsError)) throw fault;
  for (const line of fault.lines) console.error(line);
  process.exitCode = exitConfig;
}
