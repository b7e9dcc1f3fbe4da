// The bot's side of our Direct Line: its posts, updates and removals, stored first and then shown.
import { iso } from '../platform/time/clock.ts';
import type { Chat } from '../storage/index.ts';
import { type BotActivity, callPrefix, deliveryKeyOf, fromBot, isBots, isRemoved, removed } from './activity.ts';
import type { DirectLineContext } from './context.ts';
import type { Change } from './signals.ts';

/** The conversation that the bot wants to post to does not exist and will not come back: a retry is useless. */
export class ConversationGone extends Error {
  override readonly name = 'ConversationGone';
  readonly status = 404;
  readonly code = 'conversation_not_found';
  readonly final = true;
  /** Certainly nothing was posted. */
  readonly ambiguous = false;
}

/**
 * Twice as long as a gateway may be silent, plus a margin (ms): then the call is over, reported or not.
 */
const silence = 150_000;

/** Whether a call has ended. Nobody would hear what is said in it. */
const hungUp = ({ id, ended, heardAt }: Chat, now: number): boolean =>
  id.startsWith(callPrefix) && (ended === true || now - (heardAt ?? now) > silence);

export type DirectLineConnector = ReturnType<typeof makeDirectLineConnector>;

/** The bot's way into a conversation. All three throw {@link ConversationGone} if the conversation does not exist. */
export const makeDirectLineConnector = ({
  chats,
  signals,
  parties,
  clock,
  newId,
}: Pick<DirectLineContext, 'chats' | 'clock' | 'newId' | 'parties' | 'signals'>) => {
  const find = async (conversationId: string) => {
    // If a call has ended meanwhile, only the database knows.
    const known = conversationId.startsWith(callPrefix) ? undefined : chats.turnIn(conversationId)?.options.chat;
    const chat = known ?? (await chats.get(conversationId));
    if (!chat || hungUp(chat, clock.now())) throw new ConversationGone('there is no such conversation');
    return chat;
  };

  const known = async (conversationId: string, activityId: string | undefined) => {
    const turn = chats.turnIn(conversationId);
    if (activityId === undefined || (activityId === turn?.options.activityId && !turn.options.begins)) return activityId;
    return (await chats.has(conversationId, activityId)) ? activityId : undefined;
  };

  /** Writes to a conversation and shows it, unless a turn that gathers its writes shows all of them. */
  const write = async <Result>(
    conversationId: string,
    work: () => Promise<Result>,
    changeIn: (result: Result) => Change = () => ({}),
  ): Promise<Result> => {
    // Asked first: if no turn gathers it now, none will show it, whichever begins meanwhile.
    const turn = chats.turnIn(conversationId);
    turn?.showBy((stored) => signals.notify(conversationId, { stored }));
    const result = await work();
    if (!turn) signals.notify(conversationId, changeIn(result));
    return result;
  };

  /**
   * Replaces the content of one of the bot's own activities. `false`: it does not exist (any more), or is the
   * customer's.
   */
  const replace = (conversationId: string, activityId: string, activity: BotActivity, userId: string) =>
    write(conversationId, () =>
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
      ),
    );

  return {
    /**
     * Posts an activity and returns its id. Under a `channelData.deliveryKey` that the conversation has seen, the first
     * activity is updated in place, since its buttons may have changed, and its id is returned. Typing is shown but not
     * stored. An unknown `replyToId` is dropped: Web Chat would hold the activity back for it.
     */
    post: async (conversationId: string, activity: BotActivity, replyToId?: string): Promise<{ id: string }> => {
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
        signals.notify(conversationId, { passing: own });
        return { id: own.id };
      }
      const key = deliveryKeyOf(activity);
      const dedupeKey = key === undefined ? undefined : `bot:${key}`;
      const append = () => chats.append(conversationId, own, { dedupeKey });
      const kept = await write(conversationId, append, (result) => ({ stored: result?.stored }));
      if (!kept) throw new ConversationGone('there is no such conversation');
      if (!kept.added) await replace(conversationId, kept.id, activity, userId);
      return { id: kept.id };
    },

    /**
     * Replaces one of the bot's own activities in place. `undefined`: it does not exist (any more), or is the customer's.
     */
    update: async (conversationId: string, activityId: string, activity: BotActivity): Promise<{ id: string } | undefined> => {
      const { userId } = await find(conversationId);
      return (await replace(conversationId, activityId, activity, userId)) ? { id: activityId } : undefined;
    },

    /** Removes an activity, from open pages too. Repeating it, or removing one that does not exist, changes nothing. */
    remove: async (conversationId: string, activityId: string): Promise<void> => {
      await find(conversationId);
      const gone = await chats.takeBack(conversationId, activityId, (before) => (isRemoved(before) ? undefined : removed(before)));
      if (gone) signals.notify(conversationId);
    },
  };
};
