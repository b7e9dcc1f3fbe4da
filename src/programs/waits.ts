// Waits for a change: woken by events in this process, and by regular looks for events in others.
import { EventEmitter } from 'node:events';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { sleep } from '../platform/time/waits.ts';

/** The interval (ms) between looks. */
const interval = 1_000;
/** How many waits one program may have at a time. */
const mostWaits = 200;

export class Waits {
  readonly #stop = new AbortController();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #held = new Map<string, number>();

  /** Something may have changed. */
  wake(id: string): void {
    this.#changes.emit(`change of ${id}`);
  }

  /** Ends all waits with the current state. */
  close(): void {
    this.#stop.abort();
  }

  /**
   * Looks until `isOver`, for `ms` at most, or until `signal` aborts; returns the last state seen.
   * @throws {HttpProblem} 429 if the program already has too many waits.
   */
  async until<Seen>(
    { id, program, ms, signal }: { readonly id: string; readonly program: string; readonly ms: number; readonly signal: AbortSignal },
    look: () => Promise<Seen>,
    isOver: (seen: Seen) => boolean,
  ): Promise<Seen> {
    const held = this.#held.get(program) ?? 0;
    if (held >= mostWaits)
      throw new HttpProblem(429, 'too_many_waits', 'You wait for too much at a time.', { headers: { 'Retry-After': '5' } });
    this.#held.set(program, held + 1);
    const timeUp = new AbortController();
    const timer = setTimeout(() => timeUp.abort(), ms);
    const over = AbortSignal.any([timeUp.signal, signal, this.#stop.signal]);
    try {
      for (;;) {
        const woken = new AbortController();
        const wake = () => woken.abort();
        this.#changes.once(`change of ${id}`, wake);
        try {
          const seen = await look();
          if (isOver(seen) || ms <= 0 || over.aborted) return seen;
          await sleep(interval, AbortSignal.any([woken.signal, over]));
        } finally {
          this.#changes.off(`change of ${id}`, wake);
        }
      }
    } finally {
      clearTimeout(timer);
      const now = (this.#held.get(program) ?? 1) - 1;
      if (now > 0) this.#held.set(program, now);
      else this.#held.delete(program);
    }
  }
}
