import countersign from '../package.json' with { type: 'json' };
// The process: what to do, what to print, how to stop.
import { capabilityCommand, needsCapabilities, readCommand, readHelp } from './compose/commands/command.ts';
import { makeLog } from './platform/log.ts';
import { keepCompiled } from './platform/process/compile-cache.ts';
import { asksForVersion, runProgram } from './platform/process/run-process.ts';

// Each command loads what it needs, so that a mistyped one is refused at once.
const erase = async (args: readonly string[]) => {
  const [{ readSettings }, { eraseCustomer }] = await Promise.all([
    import('./compose/start/settings.ts'),
    import('./compose/commands/erase.ts'),
  ]);
  const settings = readSettings(process.env);
  const { env, stdin: input, stdout: output } = process;
  const gone = await eraseCustomer(args, settings, env, { log: makeLog(settings.LOG_LEVEL), input, output });
  // Input that is still open on a terminal would keep the process alive.
  process.exit(gone ? 0 : 1);
};

await runProgram(async () => {
  const words = process.argv.slice(2);
  if (asksForVersion(words)) return console.log(countersign.version);
  const { capabilities } = needsCapabilities(words) ? await import('./compose/capabilities.ts') : { capabilities: [] };
  const own = capabilityCommand(words, capabilities);
  if (own) {
    process.exitCode = await own.run(words.slice(1), process.env, console.log, capabilities);
    return;
  }
  if (readHelp(words) !== undefined) {
    const { findService } = await import('./compose/installed-service.ts');
    return console.log(readHelp(words, capabilities, (await findService()) !== undefined));
  }
  const command = readCommand(words, capabilities);
  if (command === 'erase') return erase(words.slice(1));
  if (command === 'manifest') {
    const { writeManifest } = await import('./compose/commands/manifest.ts');
    return console.log(writeManifest(words.slice(1), process.env).join('\n'));
  }
  if (command === 'all' || command === 'bot') {
    keepCompiled();
    const { startProgram } = await import('./start.ts');
    return startProgram(command);
  }
  const { examine } = await import('./compose/commands/doctor.ts');
  process.exitCode = await examine(process.env, console.log);
});
