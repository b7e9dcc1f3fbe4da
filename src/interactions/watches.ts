// What is watched by this process, one watch an interaction: those that wait, and those whose end was unknown.
import type { Held, Interaction } from './interaction.ts';
import { LateWatch, type LateWatchParts } from './late-watch.ts';
import { Watch, type WatchParts } from './watch.ts';

export interface Watches {
  /** Watches it under the hold it was read with; a watch under an earlier one ends. */
  follow(interaction: Interaction): void;
  /** Resolves when nothing of the watch runs any more. */
  unwatch(id: string): Promise<void>;
  /** Ends the watch of an interaction that is over under this very hold. */
  over(held: Held): void;
  has(id: string): boolean;
  /** How the service's event says that a waiting one ended, where that is not confirmed yet. */
  heard(id: string): Watch['heard'];
  /** Goes on from what an earlier watch heard. */
  hear(id: string, heard: NonNullable<Watch['heard']>): void;
  /** How many wait, and how many are only looked at now and then. */
  count(): { readonly waiting: number; readonly late: number };
  endAll(): void;
  /** Resolves when nothing runs any more of what was told to end. */
  ended(): Promise<unknown>;
}

export const makeWatches = (parts: WatchParts & LateWatchParts): Watches => {
  const watches = new Map<string, Watch | LateWatch>();
  /** Told to stop, and not over yet. */
  const ending = new Set<Promise<void>>();
  const unwatch = async (id: string): Promise<void> => {
    const watch = watches.get(id);
    if (!watch) return;
    watches.delete(id);
    const ended = watch.stop();
    ending.add(ended);
    await ended;
    ending.delete(ended);
  };
  const waiting = (id: string) => {
    const watch = watches.get(id);
    return watch instanceof Watch ? watch : undefined;
  };
  return {
    follow: (interaction) => {
      const { id, epoch, state } = interaction;
      const known = watches.get(id);
      const late = state === 'unresolved';
      if (known?.epoch === epoch && known instanceof LateWatch === late) return;
      void unwatch(id);
      watches.set(id, late ? new LateWatch(parts, interaction) : new Watch(parts, interaction));
    },
    unwatch,
    over: ({ id, epoch }) => {
      if (watches.get(id)?.epoch === epoch) void unwatch(id);
    },
    has: (id) => watches.has(id),
    heard: (id) => waiting(id)?.heard,
    hear: (id, heard) => waiting(id)?.hear(heard),
    count: () => {
      const late = [...watches.values()].filter((watch) => watch instanceof LateWatch).length;
      return { waiting: watches.size - late, late };
    },
    endAll: () => {
      for (const id of watches.keys()) void unwatch(id);
    },
    ended: () => Promise.all(ending),
  };
};
