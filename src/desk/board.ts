// The list of conversations as this process knows it: read once for everybody at the desk, and again when a signal says
// that something has changed. A lost signal costs a few seconds.

import type { HandoffRecord } from '../escalation/index.ts';
import type { HandoffStore } from '../handoff/index.ts';
import type { Bus } from '../platform/database/bus.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Row } from './sockets/protocol.ts';
import { rowOf } from './view.ts';

/** What has changed in the list, and the conversations in which something may have happened. */
export interface BoardChange {
  readonly rows: readonly Row[];
  readonly gone: readonly string[];
  readonly touched: readonly string[];
}

export interface Board {
  /** The list as it is now. */
  rows(): Promise<readonly Row[]>;
  subscribe(hear: (change: BoardChange) => void): () => void;
  close(): Promise<void>;
}

/** A conversation as last sent to everybody, and the number of its last event. */
interface Known {
  readonly row: Row;
  readonly text: string;
  readonly last: number;
}

export interface BoardOptions {
  readonly hub: string;
  readonly store: Pick<HandoffStore, 'get' | 'list'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** How often (ms) the whole list is read, in case a signal was lost. */
  readonly pollMs?: number;
}

/** Signals that a handoff of the desk has changed; the message is its id. */
export const deskTopic = 'desk';

/** Conversations in the list. */
const most = 1000;

export const makeBoard = ({ hub, store, bus, clock, log, pollMs = 5_000 }: BoardOptions): Board => {
  let known = new Map<string, Known>();
  let loaded = false;
  const waiting = new Set<string>();
  let all = false;
  let running: Promise<void> | undefined;
  const listeners = new Set<(change: BoardChange) => void>();

  const keep = (handoff: HandoffRecord, now: number): Known => {
    const row = rowOf(handoff, now);
    return { row, text: JSON.stringify(row), last: handoff.events };
  };
  const tell = (change: BoardChange) => {
    if (change.rows.length + change.gone.length + change.touched.length === 0) return;
    for (const hear of listeners) hear(change);
  };

  const readAll = async () => {
    const now = clock.now();
    const before = known;
    known = new Map((await store.list(hub, most)).map((handoff) => [handoff.id, keep(handoff, now)]));
    loaded = true;
    const all = [...known.values()];
    const rows = all.flatMap(({ row, text }) => (before.get(row.id)?.text === text ? [] : [row]));
    const gone = [...before.keys()].filter((id) => !known.has(id));
    const touched = all.filter(({ row, text, last }) => before.get(row.id)?.text !== text || before.get(row.id)?.last !== last);
    tell({ rows, gone, touched: [...touched.map(({ row }) => row.id), ...gone] });
  };
  const readSome = async (ids: readonly string[]) => {
    const found = await Promise.all(ids.map((id) => store.get(id)));
    const now = clock.now();
    const rows: Row[] = [];
    const gone: string[] = [];
    for (const [index, id] of ids.entries()) {
      const handoff = found[index];
      if (handoff?.hub === hub && handoff.state !== 'over') {
        const fresh = keep(handoff, now);
        if (known.get(id)?.text !== fresh.text) rows.push(fresh.row);
        known.set(id, fresh);
      } else if (known.delete(id)) gone.push(id);
    }
    tell({ rows, gone, touched: ids });
  };

  const work = async () => {
    while (all || waiting.size > 0) {
      const ids = [...waiting];
      waiting.clear();
      if (all || !loaded) {
        all = false;
        await readAll();
        tell({ rows: [], gone: [], touched: ids });
      } else await readSome(ids);
    }
  };
  const run = (): Promise<void> => {
    running ??= work()
      .catch((fault: unknown) => log.warn({ ...faultFields(fault), component: 'desk' }, 'the list of conversations could not be read'))
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  const unsubscribe = bus.subscribe(deskTopic, (id) => {
    if (listeners.size === 0) {
      // The next subscriber reads the whole list.
      loaded = false;
      return;
    }
    if (id === undefined) all = true;
    else waiting.add(id);
    void run();
  });
  const poll = setInterval(() => {
    if (listeners.size === 0) return;
    all = true;
    void run();
  }, pollMs);
  poll.unref();

  return {
    rows: async () => {
      if (!loaded) {
        all = true;
        await run();
      }
      return [...known.values()].map(({ row }) => row);
    },
    subscribe: (hear) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    close: async () => {
      clearInterval(poll);
      unsubscribe();
      await running;
    },
  };
};
