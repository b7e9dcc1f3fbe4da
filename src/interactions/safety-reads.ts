// How often results are read although a socket is up (decision 0146): each minute, and less often where thousands wait
// and events have proved to come.

/** Milliseconds between two times at which a watcher may read, on average. */
export const safetyEvery = 60_000;
/** As many watchers read each time, which makes 25 reads a second. Of more, a part of them does. */
const allRead = 1_500;
/** Events are relied on once so many ends in a row were reported by one: a service that loses one in fifty is noticed. */
const proof = 200;

/** What the watchers of this process know about the service's events. */
export class SafetyReads {
  readonly #waiting: () => number;
  readonly #random: () => number;
  /** Ends in a row that an event reported. */
  #reported = 0;

  constructor(waiting: () => number, random: () => number) {
    this.#waiting = waiting;
    this.#random = random;
  }

  /** An event reported an end. */
  reported(): void {
    this.#reported += 1;
  }

  /** A read found an end although the socket is up and no event has reported it. */
  missed(): void {
    this.#reported = 0;
  }

  /** Whether a watcher whose time it is reads. */
  isDue(): boolean {
    return this.#reported < proof || this.#random() * this.#waiting() < allRead;
  }
}
