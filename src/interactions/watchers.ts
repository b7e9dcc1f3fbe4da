// What is watched by this process, one watch an interaction: those that wait, and those whose end was unknown.
import type { Claim, Interaction } from './interaction.ts';
import { LateWatcher, type LateWatcherParts } from './late-watcher.ts';
import { Watcher, type WatcherParts } from './watcher.ts';

export interface Watchers {
  /** Watches it under the hold it was read with; a watch under an earlier one ends. */
  follow(interaction: Interaction): void;
  /** Resolves when nothing of the watch runs any more. */
  unwatch(id: string): Promise<void>;
  /** Ends the watch of an interaction that is over under this very hold. */
  over(claim: Claim): void;
  has(id: string): boolean;
  /** How the service's event says that a waiting one ended, where that is not confirmed yet. */
  heard(id: string): Watcher['heard'];
  /** Goes on from what an earlier watch heard. */
  hear(id: string, heard: NonNullable<Watcher['heard']>): void;
  /** How many wait, and how many are only looked at now and then. */
  count(): { readonly waiting: number; readonly late: number };
  endAll(): void;
  /** Resolves when nothing runs any more of what was told to end. */
  ended(): Promise<unknown>;
}

export const makeWatchers = (parts: WatcherParts & LateWatcherParts): Watchers => {
  const watchers = new Map<string, Watcher | LateWatcher>();
  /** Told to stop, and not over yet. */
  const ending = new Set<Promise<void>>();
  const unwatch = async (id: string): Promise<void> => {
    const watcher = watchers.get(id);
    if (!watcher) return;
    watchers.delete(id);
    const ended = watcher.stop();
    ending.add(ended);
    await ended;
    ending.delete(ended);
  };
  const waiting = (id: string) => {
    const watcher = watchers.get(id);
    return watcher instanceof Watcher ? watcher : undefined;
  };
  return {
    follow: (interaction) => {
      const { id, epoch, state } = interaction;
      const known = watchers.get(id);
      const late = state === 'unresolved';
      if (known?.epoch === epoch && known instanceof LateWatcher === late) return;
      void unwatch(id);
      watchers.set(id, late ? new LateWatcher(parts, interaction) : new Watcher(parts, interaction));
    },
    unwatch,
    over: ({ id, epoch }) => {
      if (watchers.get(id)?.epoch === epoch) void unwatch(id);
    },
    has: (id) => watchers.has(id),
    heard: (id) => waiting(id)?.heard,
    hear: (id, heard) => waiting(id)?.hear(heard),
    count: () => {
      const late = [...watchers.values()].filter((watcher) => watcher instanceof LateWatcher).length;
      return { waiting: watchers.size - late, late };
    },
    endAll: () => {
      for (const id of watchers.keys()) void unwatch(id);
    },
    ended: () => Promise.all(ending),
  };
};
