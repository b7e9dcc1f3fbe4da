// Background work on interactions that this process has claimed.
import { faultFields, type Log } from '../platform/log.ts';
import type { Claim } from './interaction.ts';

/** At most one task of a name runs per claim. A task that fails is logged; its caller does not learn of it. */
export class Tasks {
  readonly #log: Log;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #claims = new AbortController();
  /** Aborts when claims are lost or everything stops. One signal for all tasks: thousands may start at one moment. */
  #signal: AbortSignal;

  constructor(log: Log) {
    this.#log = log;
    this.#signal = this.#newSignal();
  }

  /** Aborts once no more tasks are accepted. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Starts a task, unless one of the same name runs under the same claim. */
  run(claim: Claim, name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const key = keyOf(claim, name);
    if (this.#stop.signal.aborted || this.#running.has(key)) return;
    const task = work(this.#signal)
      .catch((fault) => this.#log.error({ ...faultFields(fault), interaction: claim.id, operation: name }, 'background work failed'))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, task);
  }

  /** Resolves when the task of that name is over, or at once if none runs. */
  async finished(claim: Claim, name: string): Promise<void> {
    await this.#running.get(keyOf(claim, name));
  }

  /** Aborts running tasks, whose claims are lost. New tasks may start under new claims. */
  dropClaims(): void {
    this.#claims.abort();
    this.#claims = new AbortController();
    this.#signal = this.#newSignal();
  }

  /** Aborts running tasks and accepts no more. */
  stop(): void {
    this.#stop.abort();
  }

  /** Resolves when every running task is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #newSignal(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, this.#claims.signal]);
  }
}

const keyOf = ({ id, epoch }: Claim, name: string) => `${name}:${id}:${epoch}`;
