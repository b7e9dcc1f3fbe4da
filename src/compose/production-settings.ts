// What production asks of the settings: secrets that cannot be guessed, addresses that cannot be listened to, and nothing left to a guess.
import { isLoopbackHost } from '../platform/loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Characters of a secret that somebody could try out at leisure. */
export const secretLength = 32;

const production = 'when NODE_ENV is production';

/** A line for each setting that would leave the bot, or the service, open in production. */
export const exposed = (set: Environment, command: 'all' | 'bot' | 'service'): string[] => {
  const service = command === 'service';
  const secrets = service ? ['SERVICE_SECRET_KEY', 'SERVICE_GATEWAY_SECRET'] : ['SERVICE_SECRET_KEY'];
  const addresses = service ? [] : ['SERVICE_BASE_URL', 'SERVICE_WS_URL', 'PUBLIC_URL'];
  const { DATABASE_URL, CHAT_TOKEN_KEY, PUBLIC_URL, TRUSTED_PROXIES } = set;
  return [
    ...(!service && !PUBLIC_URL ? [`PUBLIC_URL: must be set ${production}: the address at which customers find the chat.`] : []),
    ...(TRUSTED_PROXIES ? [] : [`TRUSTED_PROXIES: must be set ${production}: how many proxies stand in front, 0 if there is none.`]),
    ...secrets.filter((name) => isShort(set[name])).map((name) => `${name}: must have at least ${secretLength} characters ${production}.`),
    ...addresses
      .filter((name) => isInTheClear(set[name]))
      .map(
        (name) =>
          `${name}: must be ${name === 'SERVICE_WS_URL' ? 'a wss' : 'an https'} address ${production}, unless it is on this machine.`,
      ),
    ...(!service && DATABASE_URL && !CHAT_TOKEN_KEY
      ? [`CHAT_TOKEN_KEY: must be set ${production} and DATABASE_URL is set: replicas sign the tokens of chats with the same key.`]
      : []),
  ];
};

const isShort = (secret: string | undefined) => secret !== undefined && secret !== '' && secret.length < secretLength;

const isInTheClear = (address: string | undefined) =>
  address !== undefined && /^(?:http|ws):/i.test(address) && !isLoopbackHost(URL.parse(address)?.hostname);
