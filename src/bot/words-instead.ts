// A message that a channel refuses as it is goes once more, as short plain text: a card that is too large must not end
// in silence.
import type { Activity } from 'botbuilder';
import type { Log } from '../platform/log.ts';
import type { Connector } from './connector.ts';
import { ConnectorError } from './connector-error.ts';

/** Characters that no channel refuses (one segment of a text message holds 160, a chat several thousand). */
const short = 1000;

const cut = (text: string) => (text.length > short ? `${text.slice(0, short - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text);

/** What is said in place of an activity; `undefined`: nothing shorter or plainer is left to say. */
const inWords = (activity: Partial<Activity>): Partial<Activity> | undefined => {
  const { attachments, suggestedActions: _, summary, speak, text = '', ...rest } = activity;
  const words = speak && speak.length <= short ? speak : (summary ?? speak ?? text);
  const plain = attachments?.length ? words : text;
  if (plain === '' || (!attachments?.length && plain.length <= short)) return undefined;
  return { ...rest, text: cut(plain), textFormat: 'plain' };
};

/**
 * The connector, which posts once more in words what the channel refused (400, 413 and other final 4xx but 403 and
 * 404).
 */
export const wordsInstead = (connector: Connector, log: Log): Connector => ({
  ...connector,
  post: async (conversationId, activity, replyToId) => {
    try {
      return await connector.post(conversationId, activity, replyToId);
    } catch (fault) {
      const words = fault instanceof ConnectorError && fault.code === 'rejected' ? inWords(activity) : undefined;
      if (!words) throw fault;
      const { status, reason } = fault as ConnectorError;
      log.warn({ channel: activity.channelId, status, reason }, 'a channel refused a message; it goes once more as short plain text');
      return connector.post(conversationId, words, replyToId);
    }
  },
});
