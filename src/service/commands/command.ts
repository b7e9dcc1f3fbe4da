// What the service's command line asks for, and how it is used.
import { parseArgs } from 'node:util';
import { called } from '../../platform/run-process.ts';
import { SettingsError } from '../../platform/settings-error.ts';

/** By command. What stands in `<>` is to be replaced, what stands in `[]` can be left out. */
export const uses = {
  start: { call: called('npm run service', 'countersign-service'), does: 'Starts the reference service alone.' },
  decrypt: {
    call: `${called('npm run decrypt --', 'countersign-service decrypt')} <file with a result record, or a request id> [file with the private key]`,
    does: 'Shows the answers of a zero-knowledge form.',
  },
  erase: {
    call: 'countersign-service erase <customerRef> [--account=<id>] [--yes]',
    does: 'Removes a customer. --account says which, where several accounts know the reference; with --yes it does not ask.',
  },
  'service-key': {
    call: called('npm run service-key', 'countersign-service service-key'),
    does: "Makes a secret key for an account of the reference service, and its SHA-256 for the catalogue's file.",
  },
} satisfies Readonly<Record<string, { readonly call: string; readonly does: string }>>;

export type Command = keyof typeof uses;

const commandOf = (given: string) => (Object.keys(uses) as Command[]).find((known) => known === given);

/**
 * @throws {SettingsError} for anything but nothing or one of the commands; only `decrypt` and `erase` take arguments.
 */
export const readCommand = ([given = 'start', ...rest]: readonly string[]): Command => {
  const command = commandOf(given);
  if (!command)
    throw new SettingsError(['command: is not one of ours. Say nothing to start the service, or one of: decrypt, erase, service-key.']);
  if (rest.length > 0 && command !== 'decrypt' && command !== 'erase')
    throw new SettingsError([`command: ${command} takes no arguments: ${rest.join(' ')}.`]);
  return command;
};

/**
 * How a command is used, where `--help` or `-h` asks for it, or how all are; `undefined` where nothing asks, or nobody
 * knows the command.
 */
export const readHelp = (words: readonly string[]): string | undefined => {
  // Other options are for the command itself to judge.
  const { values, positionals } = parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } }, strict: false });
  const [given] = positionals;
  const command = commandOf(given ?? 'start');
  if (values.help !== true || !command) return undefined;
  const asked = given === undefined ? Object.values(uses) : [uses[command]];
  return asked.map(({ call, does }) => `${call}\n    ${does}`).join('\n');
};
