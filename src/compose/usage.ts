// How each command is called and what it does, for whoever asks with `--help`.
import { called } from '../platform/calls.ts';

interface Use {
  readonly call: string;
  readonly does: string;
}

/** By command. What stands in `<>` is to be replaced, what stands in `[]` can be left out. */
export const uses = {
  all: {
    call: called('npm start', 'countersign'),
    does: 'Starts the bot, and the reference service unless SERVICE_BASE_URL names another.',
  },
  bot: { call: called('npm run bot', 'countersign bot'), does: 'Starts the bot alone.' },
  doctor: {
    call: called('npm run doctor', 'countersign doctor'),
    does: 'Looks whether everything is as it should be, and changes nothing.',
  },
  erase: {
    call: `${called('npm run erase --', 'countersign erase')} <customerRef> [--account=<id>] [--yes]`,
    does: 'Removes a customer. --account says which, where several accounts know the reference; with --yes it does not ask.',
  },
  flows: {
    call: `${called('npm run flows --', 'countersign flows')} new|check|draw|test|status|diff|move`,
    does: 'Works on flows (docs/flows.md); --help after a word tells more of it.',
  },
} satisfies Readonly<Record<string, Use>>;

const told = ({ call, does }: Use) => `${call}\n    ${does}`;

/** In an install without the service there is one thing less to start, and none of its commands. */
const withoutService = { ...uses.all, does: 'Starts the bot, for the service that SERVICE_BASE_URL names.' };

const serviceUse = {
  call: called('npm run service -- --help', 'countersign-service --help'),
  does: 'Tells the commands of the reference service.',
};

/** Lines that say how a command is used; for `all`, how every one of this install is. `service`: whether the reference service is part of it. */
export const usageOf = (command: keyof typeof uses, service: boolean): string => {
  const all = service ? uses.all : withoutService;
  if (command !== 'all') return told(uses[command]);
  return [
    ...Object.values({ ...uses, all }).map(told),
    ...(service ? [told(serviceUse)] : []),
    'Settings are environment variables: the README lists them.',
  ].join('\n');
};
