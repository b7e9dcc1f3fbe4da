// How often results are read although a socket is up: every minute, since nothing promises that no event is lost, but
// less often if thousands wait and events have proved reliable. With 10,000 waiting, 167 reads a second were three
// quarters of an idle process's work. The price: where few events are lost, those ends are told some minutes later.

/** The average time (ms) between two reads that a watcher may make. */
export const safetyEvery = 60_000;
/** Up to this many watchers, all read each time, which makes 25 reads a second. Of more, only a part does. */
const allRead = 1_500;
/**
 * Events are trusted after this many ends in a row were reported by one: a service that loses one in fifty is noticed.
 */
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

  /** Whether a watcher whose turn has come should read. */
  isDue(): boolean {
    return this.#reported < proof || this.#random() * this.#waiting() < allRead;
  }
}
