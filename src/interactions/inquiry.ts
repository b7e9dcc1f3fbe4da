// What is asked about an interaction while it is watched, and what is believed: the socket hints, the results endpoint is the truth.
import type { ServiceClient } from '../client/index.ts';
import { type Backoff, fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import type { Gate } from './gate.ts';
import type { Held, Step, Verdict } from './interaction.ts';
import { callFields } from './trouble.ts';
import { readResult, type Watched, wasWithdrawn, withdraw } from './watched.ts';

export interface InquiryParts {
  readonly client: ServiceClient;
  /** What reads of results go through: a start takes thousands up at once. */
  readonly gate: Gate;
  /** Decides once, durably. Must resolve, or throw and be asked again. */
  readonly decide: (interaction: Held, verdict: Verdict) => Promise<void>;
  readonly advance: (interaction: Held, step: Step) => Promise<void>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** How long (ms) a final event waits for its result before it is believed alone (decisions: Websocket). */
const confirmation = 5_000;
/** Between two tries to keep a decision. */
const retry: Backoff = { base: 500, cap: 15_000 };

/** Asks until the interaction is decided or it is told to end. Nothing here fails outwards: what does is logged, and asked again. */
export class Inquiry {
  /** Resolves when it is over and nothing of it runs any more. */
  readonly done: Promise<void>;
  readonly #parts: InquiryParts;
  readonly #of: Watched;
  readonly #onOver: () => void;
  #over = false;
  /** When a final event came. */
  #heardAt: number | undefined;
  /** A read because of a hint: on its way, or waiting for its turn. */
  #reading: 'queued' | 'running' | undefined;
  #readAgain = false;
  /** What runs at the moment, and the end of it. */
  #running = 0;
  #stop: AbortController | undefined;
  #finish: () => void = () => {};

  /** @param onOver called once, when it is decided or ended. */
  constructor(parts: InquiryParts, of: Watched, onOver: () => void) {
    this.#parts = parts;
    this.#of = of;
    this.#onOver = onOver;
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get over(): boolean {
    return this.#over;
  }

  /** Reads because of a hint. However many come, one read runs at a time, and one more follows for those that came meanwhile. */
  look(): void {
    if (this.#reading === 'running') this.#readAgain = true;
    if (this.#reading || this.#over) return;
    this.#run(async (signal) => {
      do {
        this.#reading = 'queued';
        this.#readAgain = false;
        await this.#read(signal, undefined, () => {
          this.#reading = 'running';
        });
      } while (this.#readAgain && !signal.aborted);
      this.#reading = undefined;
    });
  }

  /** Asks whether the request was withdrawn at the service. What has ended in any other way has a result. */
  ask(): void {
    if (this.#heardAt !== undefined || this.#over) return;
    this.#run((signal) =>
      this.#try('requests', signal, async () => {
        if (await wasWithdrawn(this.#parts, this.#of, signal)) await this.#settle({ status: 'cancelled', by: 'service' });
      }),
    );
  }

  /** A final event is confirmed by its result; believed alone once the result could not be read in time. The first one counts. */
  confirm(status: Verdict['status']): void {
    if (this.#heardAt !== undefined || this.#over) return;
    this.#heardAt = this.#parts.clock.now();
    this.#run(async (signal) => {
      const patience = new AbortController();
      const within = AbortSignal.any([signal, patience.signal]);
      const reading = (async () => {
        for (let tries = 0; !within.aborted; tries += 1) {
          await this.#read(within, 'urgent');
          await sleep(Math.min(100 * 2 ** tries, 1000), within);
        }
      })();
      await sleep(confirmation, signal);
      patience.abort();
      await reading;
      await this.#insist({ status, by: 'event' }, signal);
    });
  }

  /** Notes a step of the customer's. */
  advance(step: Step): void {
    this.#run((signal) => this.#try('advance', signal, () => this.#parts.advance(this.#of, step)));
  }

  /** Looks a last time, and then waits no longer. */
  callOver(): void {
    this.#run(async (signal) => {
      await this.#read(signal, 'urgent');
      // The service may give its requests longer than we wait: nobody shall pay or sign what the chat has called over. What it finished just now is read.
      if (!signal.aborted) await this.#try('withdraw', signal, () => withdraw(this.#parts, this.#of, signal));
      if (!signal.aborted) await this.#read(signal, 'urgent');
      await this.#insist({ status: 'timeout', by: 'deadline' }, signal);
    });
  }

  /** Decides, however often it takes until that is kept. */
  async #insist(verdict: Verdict, signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      await this.#try('decide', signal, () => this.#settle(verdict));
      if (!signal.aborted) await sleep(fullJitter(retry, tries, this.#parts.random), signal);
    }
  }

  #read(signal: AbortSignal, urgent?: 'urgent', begun?: () => void): Promise<void> {
    return this.#try('results', signal, async () => {
      const reading = async () => {
        begun?.();
        return signal.aborted ? undefined : readResult(this.#parts, this.#of, signal);
      };
      const result = await this.#parts.gate.run(reading, urgent);
      if (result) await this.#settle({ status: result.status, by: 'result', result });
    });
  }

  async #settle(verdict: Verdict): Promise<void> {
    if (this.#over) return;
    await this.#parts.decide(this.#of, this.#heardAt === undefined ? verdict : { ...verdict, heardAt: this.#heardAt });
    this.end();
  }

  /** Runs one piece of work whose failure must not end the watch. */
  async #try(what: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (fault) {
      const { app, id } = this.#of;
      if (!signal.aborted)
        this.#parts.log.warn({ operation: what, ...callFields(fault), app, interaction: id }, 'watching goes on after a fault');
    }
  }

  /** Runs what the watch must not end before. */
  #run(work: (signal: AbortSignal) => Promise<void>): void {
    this.#running += 1;
    void work(this.#signal()).finally(() => {
      this.#running -= 1;
      if (this.#running > 0) return;
      this.#stop = undefined;
      if (this.#over) this.#finish();
    });
  }

  /** Aborts when the watch ends. Made when something begins to run, and gone with it: most of the time nothing runs. */
  #signal(): AbortSignal {
    this.#stop ??= new AbortController();
    return this.#stop.signal;
  }

  /** Decides nothing more. */
  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#onOver();
    this.#stop?.abort();
    if (this.#running === 0) this.#finish();
  }
}
