// What production asks of the connector's settings: secrets that cannot be guessed, addresses that cannot be listened to, nothing left to a guess.
import { type Environment, isInTheClear, shortSecrets, unsaidProxies } from '../platform/environment.ts';

const production = 'when NODE_ENV is production';

/** A line for each setting that would leave the bot open in production. */
export const exposed = (set: Environment): string[] => {
  const { DATABASE_URL, CHAT_TOKEN_KEY, PUBLIC_URL } = set;
  return [
    ...(PUBLIC_URL ? [] : [`PUBLIC_URL: must be set ${production}: the address at which customers find the chat.`]),
    ...unsaidProxies(set),
    ...shortSecrets(set, ['SERVICE_SECRET_KEY']),
    ...['SERVICE_BASE_URL', 'SERVICE_WS_URL', 'PUBLIC_URL']
      .filter((name) => isInTheClear(set[name] ?? ''))
      .map(
        (name) =>
          `${name}: must be ${name === 'SERVICE_WS_URL' ? 'a wss' : 'an https'} address ${production}, unless it is on this machine.`,
      ),
    ...(DATABASE_URL && !CHAT_TOKEN_KEY
      ? [`CHAT_TOKEN_KEY: must be set ${production} and DATABASE_URL is set: replicas sign the tokens of chats with the same key.`]
      : []),
  ];
};
