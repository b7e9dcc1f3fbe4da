// Which chat a turn belongs to: the key of its conversation, and the address for later messages.
import { ownServiceUrl } from '../../platform/channels.ts';
import { rootOf } from '../../platform/root-bot.ts';
import { type Activity, type ConversationReference, TurnContext } from '../sdk.ts';

/** The address of a chat, and the root bot through which it is reached, if any. */
export type ChatReference = Partial<ConversationReference> & { readonly callerId?: string };

/**
 * The key of a conversation's turn lock. Two channels may use the same conversation id, and a root bot may name any
 * channel and conversation, so the conversations of each root bot have separate keys.
 */
export const turnKey = (of: Partial<Pick<Activity, 'callerId' | 'channelId' | 'serviceUrl' | 'conversation'>>): string => {
  const { callerId, channelId, serviceUrl, conversation } = of;
  const root = rootOf({ callerId }) === undefined ? [] : [callerId];
  return JSON.stringify([serviceUrl === ownServiceUrl ? ownServiceUrl : channelId, conversation?.id, ...root]);
};

/** The chat of an interaction: its name, and the address for later messages. */
export type ChatAddress = { readonly conversation: string; readonly address: string };

/**
 * The chat of an activity. The address does not include the activity's id: an outcome is not a reply to one message.
 */
export const chatOf = (activity: Partial<Activity>): ChatAddress => {
  const { activityId: _, ...reference } = TurnContext.getConversationReference(activity);
  const { callerId } = activity;
  return { conversation: turnKey(activity), address: JSON.stringify({ ...reference, ...(rootOf({ callerId }) && { callerId }) }) };
};

/** The locale of the chat that an address names, as its channel said it. */
export const localeOfChat = (address: string): string | undefined => (JSON.parse(address) as ChatReference).locale;
