// The command line: the commands of every bot and those of its capabilities, and their help.
import { parseArgs } from 'node:util';
import { called } from '../../platform/process/run-process.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import type { AnyCapability, CapabilityCommands } from '../bot/capability.ts';

/** What to start: the bot, and the service beside it if no other is configured; or the bot alone. */
export type Program = 'all' | 'bot';

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
};

type CoreCommand = keyof typeof uses;
const commands = Object.keys(uses) as CoreCommand[];
const withArguments: readonly CoreCommand[] = ['erase', 'manifest'];

const coreCommand = (given: string) => commands.find((known) => known === given);

/** The commands that capabilities bring. */
const ownCommands = (list: readonly AnyCapability[]) => list.flatMap(({ commands: { own } = {} }) => own ?? []);

/** A capability's command, if one is asked for: it reads what follows its name itself. */
export const capabilityCommand = ([given]: readonly string[], list: readonly AnyCapability[]) =>
  ownCommands(list).find(({ name }) => name === given);

/** Whether capabilities' commands have to be known: to find one of them, or to say which there are. */
export const needsCapabilities = (words: readonly string[]): boolean => asksForHelp(words) || !coreCommand(words[0] ?? 'all');

const namesOf = (list: readonly AnyCapability[]) => {
  const names = [...commands.filter((name) => name !== 'all'), ...ownCommands(list).map(({ name }) => name)];
  return new Intl.ListFormat('en-GB').format(names);
};

/** @throws {SettingsError} for an unknown command, or for words after one that takes none. */
export const readCommand = ([given = 'all', ...rest]: readonly string[], list: readonly AnyCapability[] = []): CoreCommand => {
  const command = coreCommand(given);
  if (!command)
    throw new SettingsError([
      `command: unknown. Without a command everything starts; the others are ${namesOf(list)}. The service has its own commands.`,
    ]);
  if (rest.length > 0 && !withArguments.includes(command))
    throw new SettingsError([`command: ${command} takes no arguments: ${rest.join(' ')}.`]);
  return command;
};

/** The commands judge other options themselves. */
const askedIn = (words: readonly string[]) =>
  parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } }, strict: false });

const asksForHelp = (words: readonly string[]) => askedIn(words).values.help === true;

/**
 * The help that `--help` or `-h` asks for; `undefined` without either, or for an unknown command. `service`: whether
 * the reference service is part of this install.
 */
export const readHelp = (words: readonly string[], list: readonly AnyCapability[] = [], service = true): string | undefined => {
  const { positionals } = askedIn(words);
  const command = coreCommand(positionals[0] ?? 'all');
  return asksForHelp(words) && command ? usageOf(command, list, service) : undefined;
};

const printed = ({ call, does }: (typeof uses)[CoreCommand]) => `${call}\n    ${does}`;

const useOf = ({ name, usage, does }: NonNullable<CapabilityCommands['own']>) => ({
  call: `${called(`npm run ${name} --`, `countersign ${name}`)} ${usage}`,
  does,
});

/** An install without the service starts less, and lacks the service's commands. */
const withoutService = { ...uses.all, does: 'Starts the bot, for the service that SERVICE_BASE_URL names.' };

const serviceUse = {
  call: called('npm run service -- --help', 'countersign-service --help'),
  does: 'Lists the commands of the reference service.',
};

/** Help for one command; for `all`, help for every command of this install. */
const usageOf = (command: CoreCommand, list: readonly AnyCapability[], service: boolean): string => {
  const all = service ? uses.all : withoutService;
  if (command !== 'all') return printed(uses[command]);
  return [
    ...[...Object.values({ ...uses, all }), ...ownCommands(list).map(useOf), ...(service ? [serviceUse] : [])].map(printed),
    'Settings are environment variables: docs/operations.md in the repository lists them.',
  ].join('\n');
};
