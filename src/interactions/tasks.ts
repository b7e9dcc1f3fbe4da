// Background work on interactions that this process has claimed.
import { faultFields, type Log } from '../platform/log.ts';
import type { Claim } from './interaction.ts';

/** At most one task of a name runs per claim. A task that fails is logged; nothing of it reaches the caller. */
export class Tasks {
  readonly #log: Log;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #claims = new AbortController();
  /** Aborts with the process's claims or with everything. Made once for all tasks: thousands may start at one moment. */
  #signal: AbortSignal;

  constructor(log: Log) {
    this.#log = log;
    this.#signal = this.#newSignal();
  }

  /** Aborts once no more tasks are taken. */
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

  /** Resolves when the task of that name is over, or at once where none runs. */
  async finished(claim: Claim, name: string): Promise<void> {
    await this.#running.get(keyOf(claim, name));
  }

  /** Aborts what runs: the claims that it ran under are lost. New tasks may start under new claims. */
  dropClaims(): void {
    this.#claims.abort();
    this.#claims = new AbortController();
    this.#signal = this.#newSignal();
  }

  /** Aborts what runs and takes no more. */
  stop(): void {
    this.#stop.abort();
  }

  /** Resolves when every task that runs now is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #newSignal(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, this.#claims.signal]);
  }
}

const keyOf = ({ id, epoch }: Claim, name: string) => `${name}:${id}:${epoch}`;
