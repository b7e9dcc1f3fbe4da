// The bot's side of our Direct Line: what it posts, changes and takes back, kept first and then shown.
import { type Clock, iso } from '../platform/clock.ts';
import type { ChatStore } from '../storage/chats.ts';
import { type BotActivity, deliveryKeyOf, fromBot, isBots, isRemoved, type Parties, removed } from './activity.ts';
import { ConversationGone } from './errors.ts';
import type { Signals } from './signals.ts';

/** How the bot reaches a conversation. All three throw {@link ConversationGone} where there is none of that id. */
export interface DirectLineConnector {
  /**
   * Posts an activity and answers its id. Under a `channelData.deliveryKey` that the conversation has seen, the first one is brought up to
   * date where it stands, since its buttons may be others now, and its id is answered. Typing is shown and not kept. An unknown `replyToId` is dropped: Web Chat would hold the activity back for it.
   */
  post(conversationId: string, activity: BotActivity, replyToId?: string): Promise<{ id: string }>;
  /** Replaces an activity of the bot's own where it stands. `undefined`: it is not there (any more), or the customer's. */
  update(conversationId: string, activityId: string, activity: BotActivity): Promise<{ id: string } | undefined>;
  /** Takes an activity back, on open pages too. Doing so again, or for one that is not there, changes nothing. */
  remove(conversationId: string, activityId: string): Promise<void>;
}

export interface ConnectorOptions {
  readonly chats: ChatStore;
  readonly signals: Signals;
  readonly parties: Parties;
  readonly clock: Clock;
  readonly newId: () => string;
}

export const makeDirectLineConnector = ({ chats, signals, parties, clock, newId }: ConnectorOptions): DirectLineConnector => {
  const find = async (conversationId: string) => {
    const chat = await chats.get(conversationId);
    if (!chat) throw new ConversationGone('there is no such conversation');
    return chat;
  };

  const known = async (conversationId: string, activityId: string | undefined) =>
    activityId !== undefined && (await chats.activity(conversationId, activityId)) ? activityId : undefined;

  /** Puts a new content into an activity of the bot's own. `false`: it is not there (any more), or the customer's. */
  const replace = (conversationId: string, activityId: string, activity: BotActivity, userId: string) =>
    chats.replace(conversationId, activityId, (before) =>
      isRemoved(before) || !isBots(before)
        ? undefined
        : fromBot(activity, {
            ...parties,
            id: activityId,
            at: String(before.timestamp),
            userId,
            conversationId,
            replyToId: typeof before.replyToId === 'string' ? before.replyToId : undefined,
          }),
    );

  return {
    post: async (conversationId, activity, replyToId) => {
      const { userId } = await find(conversationId);
      const own = fromBot(activity, {
        ...parties,
        id: newId(),
        at: iso(clock.now()),
        userId,
        conversationId,
        replyToId: await known(conversationId, replyToId),
      });
      if (own.type === 'typing') {
        signals.notify(conversationId, own);
        return { id: own.id };
      }
      const key = deliveryKeyOf(activity);
      const kept = await chats.append(conversationId, own, { dedupeKey: key === undefined ? undefined : `bot:${key}` });
      if (!kept) throw new ConversationGone('there is no such conversation');
      if (!kept.added) await replace(conversationId, kept.id, activity, userId);
      signals.notify(conversationId);
      return { id: kept.id };
    },

    update: async (conversationId, activityId, activity) => {
      const { userId } = await find(conversationId);
      if (!(await replace(conversationId, activityId, activity, userId))) return undefined;
      signals.notify(conversationId);
      return { id: activityId };
    },

    remove: async (conversationId, activityId) => {
      await find(conversationId);
      const gone = await chats.takeBack(conversationId, activityId, (before) => (isRemoved(before) ? undefined : removed(before)));
      if (gone) signals.notify(conversationId);
    },
  };
};
