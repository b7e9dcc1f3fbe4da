// The list of conversations as this process knows it: read once for everybody at the desk, and again when a signal says
// that something has changed. A lost signal costs a few seconds.

import type { HandoffRecord } from '../handoff/index.ts';
import { faultFields } from '../platform/log.ts';
import type { DeskContext } from './context.ts';
import { type Row, rowOf } from './view.ts';

/** What has changed in the list, and the conversations in which something may have happened. */
export interface BoardChange {
  readonly rows: readonly Row[];
  readonly gone: readonly string[];
  readonly touched: readonly string[];
}

/** Signals that a handoff of the desk has changed; the message is its id. */
export const deskTopic = 'desk';

/** Conversations in the list. */
const most = 1000;

export type Board = ReturnType<typeof makeBoard>;

/** @param pollMs - how often the whole list is read, in case a signal was lost */
export const makeBoard = (
  { handoffs, bus, clock, log }: Pick<DeskContext, 'bus' | 'clock' | 'handoffs' | 'log'>,
  hub: string,
  pollMs = 5_000,
) => {
  /** A conversation as it is sent to everybody, and the number of its last event. */
  const keep = (handoff: HandoffRecord, now: number) => {
    const row = rowOf(handoff, now);
    return { row, text: JSON.stringify(row), last: handoff.events };
  };
  let known = new Map<string, ReturnType<typeof keep>>();
  let loaded = false;
  const waiting = new Set<string>();
  let all = false;
  let running: Promise<void> | undefined;
  const listeners = new Set<(change: BoardChange) => void>();

  const tell = (change: BoardChange) => {
    if (change.rows.length + change.gone.length + change.touched.length === 0) return;
    for (const hear of listeners) hear(change);
  };

  const readAll = async () => {
    const now = clock.now();
    const before = known;
    known = new Map((await handoffs.list(hub, most)).map((handoff) => [handoff.id, keep(handoff, now)]));
    loaded = true;
    const all = [...known.values()];
    const rows = all.flatMap(({ row, text }) => (before.get(row.id)?.text === text ? [] : [row]));
    const gone = [...before.keys()].filter((id) => !known.has(id));
    const touched = all.filter(({ row, text, last }) => before.get(row.id)?.text !== text || before.get(row.id)?.last !== last);
    tell({ rows, gone, touched: [...touched.map(({ row }) => row.id), ...gone] });
  };
  const readSome = async (ids: readonly string[]) => {
    const found = await Promise.all(ids.map((id) => handoffs.get(id)));
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
    /** The list as it is now. */
    rows: async (): Promise<readonly Row[]> => {
      if (!loaded) {
        all = true;
        await run();
      }
      return [...known.values()].map(({ row }) => row);
    },
    subscribe: (hear: (change: BoardChange) => void) => {
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
