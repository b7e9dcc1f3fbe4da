// The steps on the customer's device, shown in the chat as they come: one at a time for each interaction, and not too
// often.
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import type { Interaction } from './interaction.ts';
import type { Notifier } from './ports.ts';

/**
 * Milliseconds between two steps of one interaction: channels count every update (Teams: seven messages a second for a
 * bot in a chat).
 */
const interval = 1000;

interface Queue {
  /** What is to be shown next. */
  latest: Interaction | undefined;
  readonly stop: AbortController;
}

/** Live steps are best effort: one that cannot be shown costs a stale card. */
export class LiveSteps {
  readonly #show: Notifier['progress'];
  readonly #log: Log;
  readonly #queues = new Map<string, Queue>();
  readonly #running = new Set<Promise<void>>();

  constructor(show: Notifier['progress'], log: Log) {
    this.#show = show;
    this.#log = log;
  }

  /** Shows the progress at once, or when the step before is a second old. Of several that wait, the latest is shown. */
  show(interaction: Interaction): void {
    const { id } = interaction;
    const known = this.#queues.get(id);
    if (known) {
      known.latest = interaction;
      return;
    }
    const queue: Queue = { latest: interaction, stop: new AbortController() };
    this.#queues.set(id, queue);
    const run = this.#run(id, queue).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Shows nothing more of it. */
  end(id: string): void {
    this.#queues.get(id)?.stop.abort();
  }

  /** Shows nothing more of any; resolves when nothing runs any more. */
  async close(): Promise<void> {
    for (const { stop } of this.#queues.values()) stop.abort();
    await Promise.all(this.#running);
  }

  async #run(id: string, queue: Queue): Promise<void> {
    const { signal } = queue.stop;
    while (queue.latest && !signal.aborted) {
      const { latest } = queue;
      queue.latest = undefined;
      await this.#show(latest).catch((fault) => this.#log.warn({ ...faultFields(fault), interaction: id }, 'a step was not shown'));
      await sleep(interval, signal);
    }
    if (this.#queues.get(id) === queue) this.#queues.delete(id);
  }
}
