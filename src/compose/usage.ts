// How each command is called and what it does, for whoever asks with `--help`.

interface Use {
  readonly call: string;
  readonly does: string;
}

/** By command. What stands in `<>` is to be replaced, what stands in `[]` can be left out. */
export const uses = {
  all: { call: 'npm start', does: 'Starts the bot, and the reference service unless SERVICE_BASE_URL names another.' },
  bot: { call: 'npm run bot', does: 'Starts the bot alone.' },
  doctor: { call: 'npm run doctor', does: 'Looks whether everything is as it should be, and changes nothing.' },
  erase: {
    call: 'npm run erase -- <customerRef> [--account=<id>] [--yes]',
    does: 'Removes a customer. --account says which, where several accounts know the reference; with --yes it does not ask.',
  },
} satisfies Readonly<Record<string, Use>>;

const told = ({ call, does }: Use) => `${call}\n    ${does}`;

/** Lines that say how a command is used; for `all`, how every one is. */
export const usageOf = (command: keyof typeof uses): string =>
  command === 'all'
    ? [
        ...Object.values(uses).map(told),
        'npm run service -- --help\n    Tells the commands of the reference service.',
        'Settings are environment variables: the README lists them.',
      ].join('\n')
    : told(uses[command]);
