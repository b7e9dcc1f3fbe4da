// The watchers of this process, one per interaction: of those that wait, and of those whose outcome is unknown.
import type { Claim, Decision, Interaction } from './interaction.ts';
import { LateWatcher, type LateWatcherParts } from './late-watcher.ts';
import { Watcher, type WatcherParts } from './watcher.ts';

/** How many interactions are watched: those that wait, and those of which a late result may still come. */
export interface WatcherCount {
  readonly waiting: number;
  readonly late: number;
}

export class Watchers {
  readonly #parts: WatcherParts & LateWatcherParts;
  readonly #watchers = new Map<string, Watcher | LateWatcher>();
  /** Stopped, and not over yet. */
  readonly #stopping = new Set<Promise<void>>();

  constructor(parts: WatcherParts & LateWatcherParts) {
    this.#parts = parts;
  }

  /** Watches it under the claim it was read with; a watcher under an earlier claim stops. */
  watch(interaction: Interaction): void {
    const { id, epoch, state } = interaction;
    const known = this.#watchers.get(id);
    const late = state === 'unresolved';
    if (known?.epoch === epoch && known instanceof LateWatcher === late) return;
    void this.stop(id);
    this.#watchers.set(id, late ? new LateWatcher(this.#parts, interaction) : new Watcher(this.#parts, interaction));
  }

  has(id: string): boolean {
    return this.#watchers.has(id);
  }

  /** How the service's event says that a waiting one ended, where its result has not confirmed that yet. */
  heard(id: string): Decision['status'] | undefined {
    const watcher = this.#watchers.get(id);
    return watcher instanceof Watcher ? watcher.heard : undefined;
  }

  /** Goes on from what an earlier watcher heard. */
  hear(id: string, heard: Decision['status']): void {
    const watcher = this.#watchers.get(id);
    if (watcher instanceof Watcher) watcher.hear(heard);
  }

  /** Stops the watcher of an interaction that is over under this very claim. */
  ended({ id, epoch }: Claim): void {
    if (this.#watchers.get(id)?.epoch === epoch) void this.stop(id);
  }

  count(): WatcherCount {
    const late = [...this.#watchers.values()].filter((watcher) => watcher instanceof LateWatcher).length;
    return { waiting: this.#watchers.size - late, late };
  }

  /** Resolves when nothing of the watcher runs any more. */
  async stop(id: string): Promise<void> {
    const watcher = this.#watchers.get(id);
    if (!watcher) return;
    this.#watchers.delete(id);
    const stopped = watcher.stop();
    this.#stopping.add(stopped);
    await stopped;
    this.#stopping.delete(stopped);
  }

  stopAll(): void {
    for (const id of this.#watchers.keys()) void this.stop(id);
  }

  /** Resolves when nothing runs any more of what was stopped. */
  async settled(): Promise<void> {
    await Promise.all(this.#stopping);
  }
}
