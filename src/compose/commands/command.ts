// The command line: commands, and their help.
import { parseArgs } from 'node:util';
import { called } from '../../platform/process/run-process.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';

/** What to start: the bot, and the service beside it if no other is configured; or the bot alone. */
export type Program = 'all' | 'bot';

/**
 * What to do: start something, examine the configuration, erase a customer, make the Teams package, or work on flows.
 */
export type Command = Program | 'doctor' | 'erase' | 'manifest' | 'flows';

const commands: readonly Command[] = ['all', 'bot', 'doctor', 'erase', 'manifest', 'flows'];
const withArguments: readonly Command[] = ['erase', 'manifest', 'flows'];

const commandOf = (given: string) => commands.find((known) => known === given);

/** @throws {SettingsError} for an unknown command. Only `erase`, `manifest` and `flows` take arguments. */
export const readCommand = ([given = 'all', ...rest]: readonly string[]): Command => {
  const command = commandOf(given);
  if (!command)
    throw new SettingsError([
      'command: unknown. Without a command everything starts; the others are bot, doctor, erase, manifest and flows. The service has its own commands.',
    ]);
  if (rest.length > 0 && !withArguments.includes(command))
    throw new SettingsError([`command: ${command} takes no arguments: ${rest.join(' ')}.`]);
  return command;
};

/**
 * The help that `--help` or `-h` asks for; `undefined` without either, or for an unknown command. `service`: whether
 * the reference service is part of this install.
 */
export const readHelp = (words: readonly string[], service = true): string | undefined => {
  // The commands judge other options themselves.
  const { values, positionals } = parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } }, strict: false });
  const command = commandOf(positionals[0] ?? 'all');
  return values.help === true && command ? usageOf(command, service) : undefined;
};

interface Use {
  readonly call: string;
  readonly does: string;
}

/** By command. `<…>` is to be replaced, `[…]` may be left out. */
const uses = {
  all: {
    call: called('npm start', 'countersign'),
    does: 'Starts the bot, and the reference service unless SERVICE_BASE_URL names another.',
  },
  bot: { call: called('npm run bot', 'countersign bot'), does: 'Starts the bot alone.' },
  doctor: {
    call: called('npm run doctor', 'countersign doctor'),
    does: 'Checks everything that the bot needs, and changes nothing.',
  },
  erase: {
    call: `${called('npm run erase --', 'countersign erase')} <customerRef> [--account=<id>] [--yes]`,
    does: 'Erases a customer. --account: for a reference that several accounts know; --yes: without asking.',
  },
  manifest: {
    call: `${called('npm run manifest --', 'countersign manifest')} --app-id <id> --host <host> [teams|skill|connector]`,
    does: 'Writes to dist/manifest what Teams, skills and Power Platform ask for. Without options: MicrosoftAppId, PUBLIC_URL.',
  },
  flows: {
    call: `${called('npm run flows --', 'countersign flows')} new|check|draw|test|status|diff|move`,
    does: 'Works on flows (docs/flows.md). Add --help after a verb for more.',
  },
} satisfies Readonly<Record<string, Use>>;

const printed = ({ call, does }: Use) => `${call}\n    ${does}`;

/** An install without the service starts less, and lacks the service's commands. */
const withoutService = { ...uses.all, does: 'Starts the bot, for the service that SERVICE_BASE_URL names.' };

const serviceUse = {
  call: called('npm run service -- --help', 'countersign-service --help'),
  does: 'Lists the commands of the reference service.',
};

/**
 * Help for one command; for `all`, help for every command of this install. `service`: whether the reference service is
 * part of it.
 */
const usageOf = (command: keyof typeof uses, service: boolean): string => {
  const all = service ? uses.all : withoutService;
  if (command !== 'all') return printed(uses[command]);
  return [
    ...Object.values({ ...uses, all }).map(printed),
    ...(service ? [printed(serviceUse)] : []),
    'Settings are environment variables: docs/operations.md in the repository lists them.',
  ].join('\n');
};
