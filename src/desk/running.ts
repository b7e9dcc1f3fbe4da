// The list of chats that are with the bot. It is read from the records that all processes share, once for everybody at
// this process, and only while somebody has the list open.
import { hash } from 'node:crypto';
import type { HandoffRecord, RunningChat } from '../handoff/index.ts';
import { faultFields } from '../platform/log.ts';
import type { RunningState } from '../storage/index.ts';
import type { DeskContext } from './context.ts';
import { badgeOf } from './view.ts';

/** What has changed in the list; `all`: it is the whole list. */
export interface RunningChange {
  readonly rows: readonly RunningRow[];
  readonly gone: readonly string[];
  readonly all?: true;
}

/** A customer who was silent for an hour is not waited for any more. */
const withinMs = 60 * 60_000;
const most = 500;

/** A chat's key contains the channel's ids, which stay private. */
const idOf = ({ key }: RunningState) => hash('sha256', key, 'base64url').slice(0, 22);

/** A chat that is with the bot: what it is waiting for and since when, and none of its messages. */
export type RunningRow = ReturnType<typeof rowOf>;

const rowOf = (state: RunningState, now: number) => {
  const { app, channel, flow, language, since, verification, waitsFor } = state.running as RunningChat;
  return {
    ...{ id: idOf(state), channel, language, waitsFor, since, badge: badgeOf({ verification }, now) },
    ...(app !== undefined && { app }),
    ...(flow !== undefined && { flow }),
  };
};

export type RunningChats = ReturnType<typeof makeRunningChats>;

export const makeRunningChats = ({ chats, clock, log }: DeskContext) => {
  let known = new Map<string, { readonly row: RunningRow; readonly text: string }>();
  let reading: Promise<void> | undefined;
  const listeners = new Set<(change: RunningChange) => void>();
  const fresh = new Set<(change: RunningChange) => void>();

  const read = async () => {
    const now = clock.now();
    const states = await chats.running(withinMs, most);
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
  }, 2_000);
  poll.unref();

  return {
    /** Reports the whole list, and then its changes, until the returned function is called. */
    subscribe: (hear: (change: RunningChange) => void) => {
      fresh.add(hear);
      void look();
      return () => {
        fresh.delete(hear);
        listeners.delete(hear);
      };
    },
    /** The chat of a row; `undefined`: it is not running any more. */
    find: async (id: string): Promise<Pick<HandoffRecord, 'address' | 'conversation'> | undefined> => {
      const found = (await chats.running(withinMs, most)).find((state) => idOf(state) === id);
      return found && { conversation: found.key, address: (found.running as RunningChat).address };
    },
    close: async () => {
      clearInterval(poll);
      await reading;
    },
  };
};
