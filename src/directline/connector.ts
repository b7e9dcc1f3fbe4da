// The bot's side of our Direct Line: its posts, updates and removals, stored first and then shown.
import { z } from 'zod';
import { type Bus, makeBus } from '../platform/database/bus.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { type Clock, iso } from '../platform/time/clock.ts';
import { sleep } from '../platform/time/sleep.ts';
import type { Chat, ChatStore, StoredPart } from '../storage/index.ts';
import {
  type BotActivity,
  callPrefix,
  deliveryKeyOf,
  fromBot,
  isBots,
  isRemoved,
  type Outgoing,
  type Parties,
  removed,
} from './activity.ts';

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

/** The bot's way into a conversation. All three throw {@link ConversationGone} if the conversation does not exist. */
export interface DirectLineConnector {
  /**
   * Posts an activity and returns its id. Under a `channelData.deliveryKey` that the conversation has seen, the first
   * activity is updated in place, since its buttons may have changed, and its id is returned. Typing is shown but not
   * stored. An unknown `replyToId` is dropped: Web Chat would hold the activity back for it.
   */
  post(conversationId: string, activity: BotActivity, replyToId?: string): Promise<{ id: string }>;
  /**
   * Replaces one of the bot's own activities in place. `undefined`: it does not exist (any more), or is the customer's.
   */
  update(conversationId: string, activityId: string, activity: BotActivity): Promise<{ id: string } | undefined>;
  /** Removes an activity, from open pages too. Repeating it, or removing one that does not exist, changes nothing. */
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
    // If a call has ended meanwhile, only the database knows.
    const known = conversationId.startsWith(callPrefix) ? undefined : chats.turnIn(conversationId)?.chat;
    const chat = known ?? (await chats.get(conversationId));
    if (!chat || hungUp(chat, clock.now())) throw new ConversationGone('there is no such conversation');
    return chat;
  };

  const known = async (conversationId: string, activityId: string | undefined) => {
    const turn = chats.turnIn(conversationId);
    if (activityId === undefined || (activityId === turn?.activityId && !turn.begins)) return activityId;
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

    update: async (conversationId, activityId, activity) => {
      const { userId } = await find(conversationId);
      return (await replace(conversationId, activityId, activity, userId)) ? { id: activityId } : undefined;
    },

    remove: async (conversationId, activityId) => {
      await find(conversationId);
      const gone = await chats.takeBack(conversationId, activityId, (before) => (isRemoved(before) ? undefined : removed(before)));
      if (gone) signals.notify(conversationId);
    },
  };
};

/** How the streams of a conversation learn of changes, in this process or another. */
export interface Signals {
  /** Something changed. */
  notify(conversationId: string, change?: Change): void;
  /** Listens until the returned function is called. Without a change: look at everything. */
  subscribe(conversationId: string, listener: (change?: Change) => void): () => void;
}

/** The content of a signal. */
export interface Change {
  /** An activity that is shown now but not stored (typing). */
  readonly passing?: Outgoing | undefined;
  /** The stored activities. Only listeners in the same process receive them; others read them. */
  readonly stored?: StoredPart | undefined;
}

/** Signals that also poll now and then, until they are closed. */
export interface SharedSignals extends Signals {
  close(): Promise<void>;
}

const topicOf = (conversationId: string) => `chat ${conversationId}`;
const outgoing = z.looseObject({ id: z.string(), type: z.string() });

/** Signals over a bus; by default within this process. */
export const makeSignals = (bus: Bus = makeBus()): Signals => {
  /** What is being published: the bus notifies listeners of this process before it returns. */
  let here: Change | undefined;
  return {
    notify: (conversationId, change) => {
      here = change;
      try {
        bus.publish(topicOf(conversationId), change?.passing && JSON.stringify(change.passing));
      } finally {
        here = undefined;
      }
    },
    subscribe: (conversationId, listener) =>
      bus.subscribe(topicOf(conversationId), (message) =>
        listener(here ?? (message === undefined ? undefined : { passing: outgoing.parse(JSON.parse(message)) })),
      ),
  };
};

export interface SharedSignalsOptions {
  readonly bus: Bus;
  readonly chats: Pick<ChatStore, 'watermarks'>;
  readonly log: Log;
  /** Milliseconds between two polls of the conversations with listeners. */
  readonly pollMs?: number;
}

/** Signals over a bus between processes, with polling underneath: the next poll makes up for a lost signal. */
export const makeSharedSignals = ({ bus, chats, log, pollMs = 3_000 }: SharedSignalsOptions): SharedSignals => {
  const signals = makeSignals(bus);
  const stop = new AbortController();
  /** By conversation: its listeners, and the watermark of the last poll. */
  const open = new Map<string, { readonly listeners: Set<() => void>; seen?: number }>();

  const look = async () => {
    for (const [id, watermark] of await chats.watermarks([...open.keys()])) {
      const chat = open.get(id);
      if (!chat || chat.seen === watermark) continue;
      chat.seen = watermark;
      for (const listener of chat.listeners) listener();
    }
  };
  const polling = (async () => {
    while (await sleep(pollMs, stop.signal)) {
      if (open.size === 0) continue;
      try {
        await look();
      } catch (fault) {
        log.warn({ ...faultFields(fault), component: 'directline' }, 'open conversations could not be looked at');
      }
    }
  })();

  return {
    notify: signals.notify,
    subscribe: (conversationId, listener) => {
      const unsubscribe = signals.subscribe(conversationId, listener);
      const chat = open.get(conversationId) ?? { listeners: new Set() };
      const own = () => listener();
      chat.listeners.add(own);
      open.set(conversationId, chat);
      return () => {
        unsubscribe();
        chat.listeners.delete(own);
        if (chat.listeners.size === 0 && open.get(conversationId) === chat) open.delete(conversationId);
      };
    },
    close: async () => {
      stop.abort();
      await polling;
    },
  };
};
