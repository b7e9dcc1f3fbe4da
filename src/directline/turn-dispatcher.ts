// Handing customers' activities to the bot: each once, also when it is sent again, and also when the process died in the middle.
//
// An activity is kept before its turn, marked as awaiting it; the mark goes when the turn is over. A client that got no answer sends the same
// activity again under the same client id: with the mark gone it is answered at once, with the mark set (the process died, or the bot failed)
// the turn is taken, and while the turn is running the second sender waits for that one.
import { ownServiceUrl } from '../platform/channels.ts';
import { type Clock, iso } from '../platform/clock.ts';
import { HttpProblem } from '../platform/http-problem.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { Chat, ChatStore, StoredActivity } from '../storage/index.ts';
import { channelId, isBlanked, isRemoved, type Parties } from './activity.ts';
import type { VouchedFor } from './tokens.ts';

/** What we know of whoever speaks: what their token vouches for, and the network that they speak from. */
type Known = VouchedFor & { readonly network?: string | undefined };

/** An activity as the bot gets it: Bot Framework's shape, with everything that decides who speaks put in by us. */
export type TurnActivity = { readonly id: string; readonly type: string; readonly [field: string]: unknown };

/** How a turn ended for the one who waits for it. `late`: it is still running. A problem: the bot does not take it, for the sender's part. */
export type TurnEnd = 'done' | 'failed' | 'late' | HttpProblem;

export interface TurnDispatcherOptions {
  readonly chats: ChatStore;
  readonly parties: Parties;
  readonly onActivity: (activity: TurnActivity) => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
  /** How long a sender waits for a turn, in milliseconds. The turn itself goes on. */
  readonly turnTimeoutMs: number;
}

export interface TakeOptions {
  /** The activity was kept before: its turn may have been taken meanwhile. */
  readonly again: boolean;
  /** Gives uploaded files addresses that open. */
  readonly link: (activity: StoredActivity) => Promise<StoredActivity>;
}

export const makeTurnDispatcher = ({ chats, parties, onActivity, log, clock, turnTimeoutMs }: TurnDispatcherOptions) => {
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

  const inTime = (turn: Promise<TurnEnd>) => withTimeout(turn, turnTimeoutMs, (): TurnEnd => 'late');

  /** What every activity has that we write for a chat's user. */
  const partsOf = ({ id, userId }: Chat) => {
    const user = { id: userId, role: 'user' };
    const bot = { id: parties.botId, name: parties.botName, role: 'bot' };
    return { user, bot, timestamp: iso(clock.now()), channelId, from: user, recipient: bot, conversation: { id } };
  };

  const begin = (chat: Chat, verified: VouchedFor | undefined, locale: string | undefined) =>
    run(`${chat.id} start`, chat.id, async () => {
      const now = await chats.get(chat.id);
      if (!now || now.started) return;
      const { user, bot, ...ours } = partsOf(chat);
      // Told again under the same id when the process died on the way: a bot that greeted under a delivery key, or remembers, greets once.
      await onActivity(
        forBot(
          {
            id: `${chat.id}|start`,
            type: 'conversationUpdate',
            ...ours,
            membersAdded: [bot, user],
            ...(locale !== undefined && { locale }),
          },
          verified,
        ),
      );
      await chats.start(chat.id);
    });

  return {
    /** Tells the bot that the chat began, unless it was told. Safe to call on every connection. */
    begin: (chat: Chat, verified: VouchedFor | undefined, locale?: string) => {
      if (!chat.started) void begin(chat, verified, locale);
    },

    /** Takes the turn for a kept activity, unless it was taken meanwhile. */
    take: (chat: Chat, kept: StoredActivity, verified: Known | undefined, { again, link }: TakeOptions): Promise<TurnEnd> =>
      inTime(
        run(`${chat.id} ${kept.id}`, chat.id, async () => {
          const stored = again ? await chats.awaiting(chat.id, kept.id) : kept;
          if (!stored) return;
          // What was taken out of the chat (a passcode), or never kept (a card number), is found only in what was sent again.
          const activity = isRemoved(stored) || isBlanked(stored) ? kept : stored;
          // A conversation begins before anything is said in it. If beginning failed, the customer is answered all the same.
          await running.get(`${chat.id} start`);
          await onActivity(forBot(await link(activity), verified));
          await chats.settle(chat.id, activity.id);
        }),
      ),

    /** Takes the turn for an activity that is not kept. */
    pass: (chat: Chat, activity: StoredActivity, verified: VouchedFor | undefined): Promise<TurnEnd> =>
      inTime(run(`${chat.id} ${activity.id}`, chat.id, () => onActivity(forBot(activity, verified)))),

    /** Tells the bot that the chat is gone on with in another tab. */
    resume: (chat: Chat, id: string): Promise<TurnEnd> => {
      const { user: _, bot: __, ...ours } = partsOf(chat);
      const activity = { id: `${chat.id}|${id}`, type: 'event', name: 'chat.resumed', ...ours };
      return inTime(run(activity.id, chat.id, () => onActivity(forBot(activity, undefined))));
    },

    /** Resolves when no turn is running any more, or after `graceMs`. */
    idle: async (graceMs: number) => {
      await withTimeout(Promise.allSettled(running.values()), graceMs, () => {});
    },
  };
};

export type TurnDispatcher = ReturnType<typeof makeTurnDispatcher>;

/** With what was verified where only we can write: `channelData.verified`. It is never kept. */
const forBot = (activity: StoredActivity, verified: Known | undefined): TurnActivity => ({
  ...activity,
  type: String(activity.type),
  serviceUrl: ownServiceUrl,
  channelData: { ...(activity.channelData as object | undefined), ...(verified && { verified }) },
});
