// Whether turns work at all. A process in which every turn fails over a fault of its own is not ready for a while, so
// that a load balancer sends customers elsewhere.

import { isOwnFault } from '../../platform/process/faults.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { turnKey } from './addresses.ts';
import type { TurnLogic } from './turns.ts';

/** So many chats in a row, each a different one: a single chat that fails says nothing about the process. */
const chats = 5;
/**
 * Failures count together within this time (ms). For as long the process is not ready: a process that is not ready gets
 * no turns, so only time tells it to try again.
 */
const window = 60_000;

export class TurnHealth {
  readonly #clock: Clock;
  /** When the turns of each chat failed, since the last turn that worked. */
  readonly #failed = new Map<string, number>();
  #notReadyUntil = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same turns, watched. */
  watch(run: TurnLogic): TurnLogic {
    return async (context, news) => {
      try {
        await run(context, news);
      } catch (fault) {
        if (isInternal(fault)) this.#fail(turnKey(context.activity));
        throw fault;
      }
      this.#failed.clear();
      this.#notReadyUntil = -Infinity;
    };
  }

  /** @throws while the last turns, of several chats, have all failed. */
  readonly check = async (): Promise<void> => {
    if (this.#clock.now() < this.#notReadyUntil) throw new Error('every turn fails');
  };

  #fail(chat: string): void {
    const now = this.#clock.now();
    for (const [other, at] of this.#failed) if (now - at > window) this.#failed.delete(other);
    this.#failed.set(chat, now);
    if (this.#failed.size < chats) return;
    this.#failed.clear();
    this.#notReadyUntil = now + window;
  }
}

/** Faults of channels, databases and the service have codes; what they need to be ready is checked separately. */
const isInternal = (fault: unknown) => isOwnFault(fault) || (fault as { code?: unknown } | undefined)?.code === undefined;
