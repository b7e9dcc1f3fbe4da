// What a bot that others than this machine's user can reach asks of its settings: secrets that cannot be guessed, addresses that cannot be
// listened to, nothing left to a guess.
import { type Environment, inProduction, inTheClear, shortSecrets, unsaidProxies } from '../platform/environment.ts';

/** Whether the bot listens for everybody: in production, and with an app id, since a channel must be able to reach it. */
export const isPublic = ({
  MicrosoftAppId,
  NODE_ENV,
}: {
  readonly MicrosoftAppId?: string | undefined;
  readonly NODE_ENV?: string | undefined;
}): boolean => NODE_ENV === 'production' || Boolean(MicrosoftAppId);

/** A line for each setting that would leave a bot open that is public. */
export const exposed = (set: Environment): string[] => {
  if (!isPublic(set)) return [];
  const { ASSERTION_KEY, DATABASE_URL, CHAT_TOKEN_KEY, HANDOFF = 'none', HANDOFF_KEY, NODE_ENV, PUBLIC_URL } = set;
  const shared = DATABASE_URL && HANDOFF !== 'none';
  const when = NODE_ENV === 'production' ? inProduction : 'when MicrosoftAppId is set';
  return [
    ...(PUBLIC_URL ? [] : [`PUBLIC_URL: must be set ${when}: the address at which customers find the chat.`]),
    ...unsaidProxies(set, when),
    ...shortSecrets(set, ['SERVICE_SECRET_KEY'], when),
    ...inTheClear(set, ['SERVICE_BASE_URL', 'SERVICE_WS_URL', 'PUBLIC_URL', 'HANDOFF_WEBHOOK_URL'], when),
    ...(DATABASE_URL && !CHAT_TOKEN_KEY
      ? [`CHAT_TOKEN_KEY: must be set ${when} and DATABASE_URL is set: replicas sign the tokens of chats with the same key.`]
      : []),
    ...(shared && !ASSERTION_KEY
      ? [`ASSERTION_KEY: must be set ${when} and DATABASE_URL and HANDOFF are set: replicas prove who is verified with the same key.`]
      : []),
    ...(shared && HANDOFF.includes('webhook') && !HANDOFF_KEY
      ? [`HANDOFF_KEY: must be set ${when} and DATABASE_URL is set: a platform has one key for all replicas.`]
      : []),
  ];
};
