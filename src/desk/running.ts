// The list of chats that are with the bot. It is read from the records that all processes share, once for everybody at
// this process, and only while somebody has the list open.
import { hash } from 'node:crypto';
import type { HandoffRecord, RunningChat } from '../escalation/index.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { BotStateStore, RunningState } from '../storage/index.ts';
import type { RunningRow } from './sockets/protocol.ts';
import { badgeOf } from './view.ts';

/** What has changed in the list; `all`: it is the whole list. */
export interface RunningChange {
  readonly rows: readonly RunningRow[];
  readonly gone: readonly string[];
  readonly all?: true;
}

export interface RunningChats {
  /** Reports the whole list, and then its changes, until the returned function is called. */
  subscribe(hear: (change: RunningChange) => void): () => void;
  /** The chat of a row; `undefined`: it is not running any more. */
  find(id: string): Promise<Pick<HandoffRecord, 'address' | 'conversation'> | undefined>;
  close(): Promise<void>;
}

export interface RunningOptions {
  readonly store: Pick<BotStateStore, 'running'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly pollMs?: number;
}

/** A customer who was silent for an hour is not waited for any more. */
const withinMs = 60 * 60_000;
const most = 500;

/** A chat's key contains the channel's ids, which stay private. */
const idOf = ({ key }: RunningState) => hash('sha256', key, 'base64url').slice(0, 22);

const rowOf = (state: RunningState, now: number): RunningRow => {
  const { app, channel, flow, language, since, verification, waitsFor } = state.running as RunningChat;
  return {
    ...{ id: idOf(state), channel, language, waitsFor, since, badge: badgeOf({ verification }, now) },
    ...(app !== undefined && { app }),
    ...(flow !== undefined && { flow }),
  };
};

export const makeRunningChats = ({ store, clock, log, pollMs = 2_000 }: RunningOptions): RunningChats => {
  let known = new Map<string, { readonly row: RunningRow; readonly text: string }>();
  let reading: Promise<void> | undefined;
  const listeners = new Set<(change: RunningChange) => void>();
  const fresh = new Set<(change: RunningChange) => void>();

  const read = async () => {
    const now = clock.now();
    const states = await store.running(withinMs, most);
    const before = known;
    known = new Map(states.map((state) => rowOf(state, now)).map((row) => [row.id, { row, text: JSON.stringify(row) }]));
    const rows = [...known.values()].flatMap(({ row, text }) => (before.get(row.id)?.text === text ? [] : [row]));
    const gone = [...before.keys()].filter((id) => !known.has(id));
    if (rows.length + gone.length > 0) for (const hear of listeners) hear({ rows, gone });
    for (const hear of fresh) {
      hear({ rows: [...known.values()].map(({ row }) => row), gone: [], all: true });
      listeners.add(hear);
    }
    fresh.clear();
  };
  const look = () => {
    reading ??= read()
      .catch((fault: unknown) => log.warn({ ...faultFields(fault), component: 'desk' }, 'the chats with the bot could not be read'))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const poll = setInterval(() => {
    if (listeners.size + fresh.size > 0) void look();
  }, pollMs);
  poll.unref();

  return {
    subscribe: (hear) => {
      fresh.add(hear);
      void look();
      return () => {
        fresh.delete(hear);
        listeners.delete(hear);
      };
    },
    find: async (id) => {
      const found = (await store.running(withinMs, most)).find((state) => idOf(state) === id);
      return found && { conversation: found.key, address: (found.running as RunningChat).address };
    },
    close: async () => {
      clearInterval(poll);
      await reading;
    },
  };
};
