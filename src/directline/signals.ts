// How what happens in a conversation reaches its streams, in this process or another.
import { z } from 'zod';
import { type Bus, makeBus } from '../platform/database/bus.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/time/waits.ts';
import type { ChatStore, StoredPart } from '../storage/index.ts';
import type { Outgoing } from './activity.ts';

export type Signals = ReturnType<typeof makeSignals>;

/** The content of a signal. */
export interface Change {
  /** An activity that is shown now but not stored (typing). */
  readonly passing?: Outgoing | undefined;
  /** The stored activities. Only listeners in the same process receive them; others read them. */
  readonly stored?: StoredPart | undefined;
}

const topicOf = (conversationId: string) => `chat ${conversationId}`;
const outgoing = z.looseObject({ id: z.string(), type: z.string() });

/** Signals over a bus; by default within this process. */
export const makeSignals = (bus: Bus = makeBus()) => {
  /** What is being published: the bus notifies listeners of this process before it returns. */
  let here: Change | undefined;
  return {
    /** Something changed. */
    notify: (conversationId: string, change?: Change): void => {
      here = change;
      try {
        bus.publish(topicOf(conversationId), change?.passing && JSON.stringify(change.passing));
      } finally {
        here = undefined;
      }
    },
    /** Listens until the returned function is called. Without a change: look at everything. */
    subscribe: (conversationId: string, listener: (change?: Change) => void): (() => void) =>
      bus.subscribe(topicOf(conversationId), (message) =>
        listener(here ?? (message === undefined ? undefined : { passing: outgoing.parse(JSON.parse(message)) })),
      ),
  };
};

/** How often (ms) the conversations with listeners are polled. */
const pollEvery = 3_000;

/** Signals over a bus between processes, with polling underneath: the next poll makes up for a lost signal. */
export const makeSharedSignals = (bus: Bus, chats: Pick<ChatStore, 'watermarks'>, log: Log, pollMs = pollEvery) => {
  const signals = makeSignals(bus);
  const stop = new AbortController();
  /** By conversation: its listeners, and the watermark of the last poll. */
  const open = new Map<string, { readonly listeners: Set<() => void>; seen?: number }>();

  const poll = async () => {
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
        await poll();
      } catch (fault) {
        log.warn({ ...faultFields(fault), component: 'directline' }, 'open conversations could not be looked at');
      }
    }
  })();

  return {
    notify: signals.notify,
    subscribe: (conversationId: string, listener: (change?: Change) => void) => {
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
