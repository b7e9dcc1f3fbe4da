// Turns of conversations without a channel: they begin and stay in this process, and their messages are not sent
// anywhere.
import { type ChatReference, type TurnLock, type TurnLogic, turnKey } from '../../bot/index.ts';
import { type Activity, BotAdapter, type ResourceResponse, TurnContext } from '../../compose/bot/sdk.ts';

export type InnerTurns = ReturnType<typeof makeInnerTurns>;

/** One turn at a time per conversation, under the same lock as channels' turns, so that a stop waits for these too. */
export const makeInnerTurns = (lock: TurnLock) => {
  const adapter = new InnerAdapter();
  /**
   * A turn for an activity made in this process.
   * @throws whatever the logic throws; `TurnLockError` when the conversation stays busy.
   */
  const take = (activity: Activity, logic: TurnLogic): Promise<void> =>
    lock.run(turnKey(activity), async (lease) => {
      await logic(new TurnContext(adapter, activity));
      // Nothing is stored once another replica has taken over. The state's eTag would show it too, but later.
      await lease.confirm();
    });
  return {
    take,
    /** A proactive turn of the conversation, with the same errors. */
    continueConversation: ({ bot, channelId, conversation, locale, serviceUrl, user }: ChatReference, logic: TurnLogic): Promise<void> => {
      const event = { type: 'event', name: 'ContinueConversation', channelId, serviceUrl, conversation, from: user, recipient: bot };
      return take({ ...event, ...(locale !== undefined && { locale }) } as Activity, logic);
    },
  };
};

/** Accepts messages, and leaves it to the turn to store them. */
class InnerAdapter extends BotAdapter {
  override async sendActivities(_context: TurnContext, activities: Partial<Activity>[]): Promise<ResourceResponse[]> {
    return activities.map((_activity, index) => ({ id: String(index) }));
  }

  override async updateActivity(): Promise<void> {}

  override async deleteActivity(): Promise<void> {}

  override continueConversation(): Promise<void> {
    throw new Error('These conversations are continued by their turns.');
  }
}
