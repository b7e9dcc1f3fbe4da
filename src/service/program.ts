// The service's process: what to do, what to print, how to stop.

import { makeLog } from '../platform/log.ts';
import { keepCompiled, keepStarted } from '../platform/process/compile-cache.ts';
import { asksForVersion, logUncaught, printAddresses, runProgram, stopOnSignal } from '../platform/process/run-process.ts';
import { readCommand, readHelp } from './commands/command.ts';
import service from './package.json' with { type: 'json' };

const start = async () => {
  const { addressesOf, optionsOf, readServiceSettings, settingNames, startService } = await import('./index.ts');
  const { misspelt, warnOfMisspelt } = await import('../platform/settings/environment.ts');
  const settings = readServiceSettings(process.env);
  const log = makeLog(settings.LOG_LEVEL);
  logUncaught(log);
  warnOfMisspelt(misspelt(process.env, settingNames), log);
  const leaving = new AbortController();
  const started = await startService({ ...optionsOf(settings, log), leaving: leaving.signal });
  stopOnSignal(started.close, log, () => leaving.abort(), settings.SHUTDOWN_DELAY);
  printAddresses(addressesOf(started));
  keepStarted();
};

const erase = async (args: readonly string[]) => {
  const { eraseCustomer } = await import('./commands/erase.ts');
  const { env: environment, stdin: input, stdout: output } = process;
  const gone = await eraseCustomer(args, environment, { log: makeLog('warn'), input, output });
  // What is still typed into a terminal would keep the process.
  process.exit(gone ? 0 : 1);
};

await runProgram(async () => {
  const words = process.argv.slice(2);
  if (asksForVersion(words)) return console.log(service.version);
  const help = readHelp(words);
  if (help !== undefined) return console.log(help);
  switch (readCommand(words)) {
    case 'start':
      keepCompiled();
      return start();
    case 'doctor': {
      const { examine } = await import('./commands/doctor.ts');
      process.exitCode = await examine(process.env, console.log);
      return;
    }
    case 'decrypt': {
      const { decrypt } = await import('./commands/decrypt.ts');
      return console.log(await decrypt(words.slice(1), process.env));
    }
    case 'erase':
      return erase(words.slice(1));
    case 'service-key': {
      const { newServiceKey } = await import('./commands/service-key.ts');
      return console.log(newServiceKey());
    }
  }
});
