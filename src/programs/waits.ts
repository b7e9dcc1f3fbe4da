// Waits for a change: woken by events in this process, and by regular looks for events in others.
import { HttpProblem } from '../platform/http/http-problem.ts';
import { sleep } from '../platform/time/waits.ts';

/** The interval (ms) between looks. */
const interval = 1_000;
/** How many waits one program may have at a time. */
const mostWaits = 200;

export class Waits {
  readonly #stop = new AbortController();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #held = new Map<string, number>();

  /** Something may have changed. */
  wake(id: string): void {
    for (const wake of this.#waiting.get(id) ?? []) wake();
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
        const stopListening = this.#listen(id, () => woken.abort());
        try {
          const seen = await look();
          if (isOver(seen) || ms <= 0 || over.aborted) return seen;
          await sleep(interval, AbortSignal.any([woken.signal, over]));
        } finally {
          stopListening();
        }
      }
    } finally {
      clearTimeout(timer);
      const now = (this.#held.get(program) ?? 1) - 1;
      if (now > 0) this.#held.set(program, now);
      else this.#held.delete(program);
    }
  }

  #listen(id: string, wake: () => void): () => void {
    const all = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, all.add(wake));
    return () => {
      all.delete(wake);
      if (all.size === 0 && this.#waiting.get(id) === all) this.#waiting.delete(id);
    };
  }
}
