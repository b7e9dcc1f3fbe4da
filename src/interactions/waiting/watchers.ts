// The watchers of this process, one for each interaction that waits or whose outcome is unknown.
import PQueue from 'p-queue';
import type { Claim, Decision, Interaction } from '../interaction.ts';
import { LateWatcher } from './late-watcher.ts';
import { SafetyReads } from './safety-reads.ts';
import type { WatcherContext } from './service-queries.ts';
import { Watcher } from './watcher.ts';

/** Concurrent reads of results: fewer than the client has connections, so that turns need not wait for them. */
const concurrentReads = 32;
/** Concurrent reads of late results. */
const concurrentLateReads = 4;

export class Watchers {
  readonly #context: WatcherContext;
  readonly #watchers = new Map<string, Watcher | LateWatcher>();
  /** Watchers that were stopped, but have not ended yet. */
  readonly #stopping = new Set<Promise<void>>();

  constructor(context: Omit<WatcherContext, 'lateReads' | 'lifecycle' | 'reads' | 'safety'>, lifecycle: WatcherContext['lifecycle']) {
    this.#context = {
      ...context,
      lifecycle,
      reads: new PQueue({ concurrency: concurrentReads }),
      lateReads: new PQueue({ concurrency: concurrentLateReads }),
      safety: new SafetyReads(() => this.#watchers.size, context.random),
    };
  }

  /**
   * Watches it under the claim it was read with; a watcher under an earlier claim stops. `sent`: it was sent this
   * moment.
   */
  watch(interaction: Interaction, sent?: 'sent'): void {
    const { id, epoch, state } = interaction;
    const known = this.#watchers.get(id);
    const late = state === 'unresolved';
    if (known?.epoch === epoch && known instanceof LateWatcher === late) return;
    void this.stop(id);
    this.#watchers.set(id, late ? new LateWatcher(this.#context, interaction) : new Watcher(this.#context, interaction, sent));
  }

  has(id: string): boolean {
    return this.#watchers.has(id);
  }

  /** The end that the service's event reported for a waiting interaction, until its result confirms it. */
  heard(id: string): Decision['status'] | undefined {
    const watcher = this.#watchers.get(id);
    return watcher instanceof Watcher ? watcher.heard : undefined;
  }

  /** Continues from the end that an earlier watcher received. */
  hear(id: string, heard: Decision['status']): void {
    const watcher = this.#watchers.get(id);
    if (watcher instanceof Watcher) watcher.hear(heard);
  }

  /** Stops the watcher of an interaction that ended under this very claim. */
  ended({ id, epoch }: Claim): void {
    if (this.#watchers.get(id)?.epoch === epoch) void this.stop(id);
  }

  /** The interactions that wait, and those that may still get a late result. */
  count() {
    const late = [...this.#watchers.values()].filter((watcher) => watcher instanceof LateWatcher).length;
    return { waiting: this.#watchers.size - late, late };
  }

  /** Resolves when all work of the watcher has ended. */
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

  /** Resolves when all work of the stopped watchers has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#stopping);
  }
}
