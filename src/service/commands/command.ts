// The service's command line, and its help.
import { parseArgs } from 'node:util';
import { called } from '../../platform/process/run-process.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';

/** By command. `<…>` is to be replaced, `[…]` may be left out. */
export const uses = {
  start: { call: called('npm run service', 'countersign-service'), does: 'Starts the reference service alone.' },
  doctor: {
    call: called('npm run service -- doctor', 'countersign-service doctor'),
    does: 'Checks everything that the service needs, and changes nothing.',
  },
  decrypt: {
    call: `${called('npm run decrypt --', 'countersign-service decrypt')} <file with a result record, or a request id> [file with the private key]`,
    does: 'Shows the answers of a zero-knowledge form.',
  },
  erase: {
    call: 'countersign-service erase <customerRef> [--account=<id>] [--yes]',
    does: 'Erases a customer. --account: for a reference that several accounts know; --yes: without asking.',
  },
  'service-key': {
    call: called('npm run service-key', 'countersign-service service-key'),
    does: 'Generates a secret key for an account of the reference service, and its SHA-256 for the catalogue file.',
  },
} satisfies Readonly<Record<string, { readonly call: string; readonly does: string }>>;

export type Command = keyof typeof uses;

const commandOf = (given: string) => (Object.keys(uses) as Command[]).find((known) => known === given);

/**
 * @throws {SettingsError} for an unknown command. Only `decrypt` and `erase` take arguments.
 */
export const readCommand = ([given = 'start', ...rest]: readonly string[]): Command => {
  const command = commandOf(given);
  if (!command)
    throw new SettingsError([
      'command: unknown. Without a command the service starts; the others are doctor, decrypt, erase and service-key.',
    ]);
  if (rest.length > 0 && command !== 'decrypt' && command !== 'erase')
    throw new SettingsError([`command: ${command} takes no arguments: ${rest.join(' ')}.`]);
  return command;
};

/**
 * The help for a command, or for all, that `--help` or `-h` asks for; `undefined` without either, or for an unknown
 * command.
 */
export const readHelp = (words: readonly string[]): string | undefined => {
  // The command itself checks other options.
  const { values, positionals } = parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } }, strict: false });
  const [given] = positionals;
  const command = commandOf(given ?? 'start');
  if (values.help !== true || !command) return undefined;
  const asked = given === undefined ? Object.values(uses) : [uses[command]];
  return asked.map(({ call, does }) => `${call}\n    ${does}`).join('\n');
};
