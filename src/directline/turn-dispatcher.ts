// Passes customers' activities to the bot: each once, even if it is sent again, and even if the process died in the
// middle.
//
// An activity is stored before its turn and marked as awaiting it; the mark is removed when the turn is over. A client
// that got no answer sends the same activity again under the same client id. Without the mark it is answered at once;
// with the mark (the process died, or the bot failed) the turn is run; and while the turn is running, the second
// request waits for it. A client that got its answer before the turn was over does not send it again: what still has
// the mark when it reconnects is run then, and a failure is told in the chat (decision 0020).

import { ownServiceUrl } from '../platform/channels.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { faultFields } from '../platform/log.ts';
import { iso } from '../platform/time/clock.ts';
import { withTimeout } from '../platform/time/waits.ts';
import type { Chat, GatherOptions, StoredActivity } from '../storage/index.ts';
import { channelOfConversation, isBlanked, isRemoved } from './activity.ts';
import type { DirectLineContext } from './context.ts';
import type { VouchedFor } from './tokens.ts';

/** What we know about a sender: the facts that their token vouches for, and their network. */
type Known = VouchedFor & { readonly network?: string | undefined };

/** An activity for the bot, in the Bot Framework's shape. We set every field that says who speaks. */
export type TurnActivity = { readonly id: string; readonly type: string; readonly [field: string]: unknown };

/**
 * How a turn ended, for its sender. `late`: it is still running. A problem: the bot refuses it because of the sender.
 */
export type TurnEnd = 'done' | 'failed' | 'late' | HttpProblem;

/**
 * @param apologize - says in the chat that a turn failed for which nobody waits any more
 * @param turnTimeoutMs - how long a sender waits for a turn by default; the turn itself continues
 */
export const makeTurnDispatcher = (
  { chats, clock, log, parties, signals }: DirectLineContext,
  onActivity: (activity: TurnActivity) => Promise<void>,
  apologize: (chatId: string, activity: StoredActivity) => Promise<unknown>,
  turnTimeoutMs: number,
) => {
  const running = new Map<string, Promise<TurnEnd>>();

  /** Runs under a name that is not running yet, or joins the run that is. */
  const run = (name: string, conversation: string, work: () => Promise<void>): Promise<TurnEnd> => {
    const joined = running.get(name);
    if (joined) return joined;
    const turn = work()
      .then(
        (): TurnEnd => 'done',
        (fault): TurnEnd => {
          if (fault instanceof HttpProblem && fault.status < 500) {
            log.warn({ component: 'directline', conversation, code: fault.code, status: fault.status }, 'a turn was refused');
            return fault;
          }
          log.error({ ...faultFields(fault), component: 'directline', conversation }, 'a turn failed');
          return 'failed';
        },
      )
      .finally(() => running.delete(name));
    running.set(name, turn);
    return turn;
  };

  const inTime = (turn: Promise<TurnEnd>, waitMs = turnTimeoutMs) => withTimeout(turn, waitMs, (): TurnEnd => 'late');

  /** Ends a turn that failed when nobody waited for it any more: its sender is told, and it is not run again. */
  const giveUp = async (chatId: string, activity: StoredActivity) => {
    try {
      await apologize(chatId, activity);
      await chats.settle(chatId, activity.id);
    } catch (fault) {
      log.error({ ...faultFields(fault), component: 'directline', conversation: chatId }, 'a failed turn could not be told in its chat');
    }
  };

  /** The fields of every activity that we write on behalf of a chat's user. */
  const partsOf = ({ id, userId }: Chat) => ({
    timestamp: iso(clock.now()),
    channelId: channelOfConversation(id),
    from: { id: userId, role: 'user' },
    recipient: { id: parties.botId, name: parties.botName, role: 'bot' },
    conversation: { id },
  });

  /** Runs a turn whose writes are gathered. Returns whether they settled the activity too. */
  const gathered = async (options: GatherOptions, activity: () => Promise<TurnActivity>): Promise<boolean> => {
    const { id } = options.chat;
    const turn = chats.gather({ ...options, onStored: (stored) => signals.notify(id, { stored }) });
    try {
      await onActivity(await activity());
    } finally {
      await turn.end();
    }
    return turn.settled;
  };

  const begin = (chat: Chat, verified: VouchedFor | undefined, locale: string | undefined) =>
    run(`${chat.id} start`, chat.id, async () => {
      const now = await chats.get(chat.id);
      if (!now || now.started) return;
      // Repeated under the same id if the process died on the way. A bot that greets under a delivery key, or
      // remembers, greets once.
      const id = `${chat.id}|start`;
      const { from: user, recipient: bot, ...parts } = partsOf(chat);
      const began = { id, type: 'conversationUpdate', ...parts, from: user, recipient: bot, membersAdded: [bot, user] };
      const activity = forBot({ ...began, ...(locale !== undefined && { locale }) }, verified);
      if (!(await gathered({ chat: now, activityId: id, again: true, begins: true }, async () => activity))) await chats.start(chat.id);
    });

  /** Runs the turn of an activity that is not stored. */
  const pass = (chat: Chat, activity: StoredActivity, verified?: VouchedFor): Promise<TurnEnd> =>
    inTime(run(`${chat.id} ${activity.id}`, chat.id, () => onActivity(forBot(activity, verified))));

  return {
    /** Tells the bot that the chat began, unless it was told. Safe to call on every connection. */
    begin: async (chat: Chat, verified: VouchedFor | undefined, locale?: string): Promise<TurnEnd> =>
      chat.started ? 'done' : inTime(begin(chat, verified, locale)),

    /**
     * Runs the turn of a stored activity, unless it was run in the meantime.
     * @param link - gives uploaded files temporary addresses
     * @param how - `again`: it was stored before, so its turn may have been run meanwhile. `answered`: its sender has an
     * answer already, so a failure is said in the chat. `waitMs`: how long its sender waits, if not as long as usual.
     */
    take: async (
      chat: Chat,
      kept: StoredActivity,
      verified: Known | undefined,
      link: (activity: StoredActivity) => Promise<StoredActivity>,
      { again, answered = false, waitMs }: { readonly again: boolean; readonly answered?: boolean; readonly waitMs?: number },
    ) => {
      const turn = run(`${chat.id} ${kept.id}`, chat.id, async () => {
        const stored = again ? await chats.awaiting(chat.id, kept.id) : kept;
        if (!stored) return;
        // A removed passcode or a card number that was never stored is found only in the repeated request.
        const activity = isRemoved(stored) || isBlanked(stored) ? kept : stored;
        // A conversation begins before anything is said in it. If beginning fails, the customer still gets an answer.
        await running.get(`${chat.id} start`);
        const isSettled = await gathered({ chat, activityId: activity.id, again }, async () => forBot(await link(activity), verified));
        if (!isSettled) await chats.settle(chat.id, activity.id);
      });
      const end = await inTime(turn, waitMs);
      if (end === 'late' || answered) void turn.then((real) => (real === 'done' ? undefined : giveUp(chat.id, kept)));
      return end;
    },

    pass,

    /** Tells the bot that the chat continues in another tab. */
    resume: (chat: Chat, id: string): Promise<TurnEnd> =>
      pass(chat, { id: `${chat.id}|${id}`, type: 'event', name: 'chat.resumed', ...partsOf(chat) }),

    /** Tells the bot that the other end has hung up. */
    hangUp: (chat: Chat, id: string): Promise<TurnEnd> =>
      pass(chat, { id: `${chat.id}|${id}`, type: 'endOfConversation', code: 'userCancelled', ...partsOf(chat) }),

    /** Resolves when no turn is running any more, or after `graceMs`. */
    idle: async (graceMs: number) => {
      await withTimeout(Promise.allSettled(running.values()), graceMs, () => {});
    },
  };
};

export type TurnDispatcher = ReturnType<typeof makeTurnDispatcher>;

/** Adds the verified facts where only we can write: `channelData.verified`. They are never stored. */
const forBot = (activity: StoredActivity, verified: Known | undefined): TurnActivity => ({
  ...activity,
  type: String(activity.type),
  serviceUrl: ownServiceUrl,
  channelData: { ...(activity.channelData as object | undefined), ...(verified && { verified }) },
});
