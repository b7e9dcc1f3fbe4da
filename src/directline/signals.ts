// Word that a conversation changed, so that its open streams look at once. Losing it costs time only: the next word, the next poll or the next
// connection brings what was missed.
import { z } from 'zod';
import { type Bus, makeBus } from '../platform/bus.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import type { ChatStore } from '../storage/chats.ts';
import type { Outgoing } from './activity.ts';

/** How the streams of a conversation hear of changes, in this process or another. */
export interface Signals {
  /** Something changed. `passing`: an activity that is shown now and not kept (typing). */
  notify(conversationId: string, passing?: Outgoing): void;
  /** Listens until the returned function is called. */
  subscribe(conversationId: string, listener: (passing?: Outgoing) => void): () => void;
}

/** Signals that look by themselves now and then, until they are closed. */
export interface SharedSignals extends Signals {
  close(): Promise<void>;
}

const topicOf = (conversationId: string) => `chat ${conversationId}`;
const outgoing = z.looseObject({ id: z.string(), type: z.string() });

/** Signals over a bus; one within this process unless told. */
export const makeSignals = (bus: Bus = makeBus()): Signals => ({
  notify: (conversationId, passing) => bus.publish(topicOf(conversationId), passing && JSON.stringify(passing)),
  subscribe: (conversationId, listener) =>
    bus.subscribe(topicOf(conversationId), (message) => listener(message === undefined ? undefined : outgoing.parse(JSON.parse(message)))),
});

export interface SharedSignalsOptions {
  readonly bus: Bus;
  readonly chats: Pick<ChatStore, 'watermarks'>;
  readonly log: Log;
  /** Milliseconds between two looks at the conversations that have listeners. */
  readonly pollMs?: number;
}

/** Signals over a bus between processes, with polling underneath: a word that is lost is made up for by the next look. */
export const makeSharedSignals = ({ bus, chats, log, pollMs = 3_000 }: SharedSignalsOptions): SharedSignals => {
  const signals = makeSignals(bus);
  const stop = new AbortController();
  /** By conversation: its listeners, and the watermark that the last look found. */
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
