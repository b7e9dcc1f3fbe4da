// What is asked about an interaction while it is watched, and what is believed: the socket hints, the results endpoint is the truth.
import type PQueue from 'p-queue';
import type { ServiceClient } from '../client/index.ts';
import { type Backoff, fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import type { Claim, Decision, Step } from './interaction.ts';
import { readResult, type WatchedRequest, wasWithdrawn, withdraw } from './service-queries.ts';
import { callFields } from './trouble.ts';

export interface ResultPollerParts {
  readonly client: ServiceClient;
  /** What reads of results go through: a start takes thousands up at once. */
  readonly reads: PQueue;
  /** Decides once, durably. Must resolve, or throw and be asked again. */
  readonly decide: (interaction: Claim, decision: Decision) => Promise<void>;
  /** Ends the wait with its end unknown, durably. As with deciding. */
  readonly expire: (interaction: Claim) => Promise<void>;
  readonly advance: (interaction: Claim, step: Step) => Promise<void>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** How long (ms) a final event waits for its result before it is believed alone (decisions: Websocket). */
const confirmation = 5_000;
/** A read that a fresh connection finds running for longer (ms) was caught by whatever broke the one before. */
const stuck = 1_000;
/** Between two tries to keep a decision. */
const retry: Backoff = { base: 500, cap: 15_000 };

/** Who asks. */
export interface ResultPollerListener {
  /** What {@link ResultPoller.look} set going is done; `read`: the service answered, if only "not yet". */
  onLooked(read: boolean): void;
  /** It is decided or ended. Called once. */
  onOver(): void;
}

/** Asks until the interaction is decided or it is told to end. Nothing here fails outwards: what does is logged, and asked again. */
export class ResultPoller {
  /** Resolves when it is over and nothing of it runs any more. */
  readonly done: Promise<void>;
  readonly #parts: ResultPollerParts;
  readonly #of: WatchedRequest;
  readonly #listener: ResultPollerListener;
  #over = false;
  /** The final event that came, and when. */
  #heard: { readonly status: Decision['status']; readonly at: number } | undefined;
  /** A read because of a hint: on its way, or waiting for its turn. */
  #reading: 'queued' | 'running' | undefined;
  #readAgain = false;
  /** The read that runs because of a hint. */
  #current: { readonly begun: number; readonly stop: AbortController } | undefined;
  /** What runs at the moment, and the end of it. */
  #running = 0;
  #stop: AbortController | undefined;
  #finish: () => void = () => {};

  constructor(parts: ResultPollerParts, of: WatchedRequest, listener: ResultPollerListener) {
    this.#parts = parts;
    this.#of = of;
    this.#listener = listener;
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get over(): boolean {
    return this.#over;
  }

  /** How the service's event says that it ended. */
  get heard(): Decision['status'] | undefined {
    return this.#heard?.status;
  }

  /**
   * Reads because of a hint. However many come, one read runs at a time, and one more follows for those that came meanwhile. `afresh`: the service has
   * just come back, so a read that got stuck before is given up, and what waits behind it need not wait for its deadline.
   */
  look(afresh?: 'afresh'): void {
    if (this.#reading === 'running') this.#readAgain = true;
    if (afresh && this.#current && this.#parts.clock.now() - this.#current.begun > stuck) this.#current.stop.abort();
    if (this.#reading || this.#over) return;
    this.#run(async (signal) => {
      let read: boolean;
      do {
        this.#reading = 'queued';
        this.#readAgain = false;
        read = await this.#read(signal, undefined, () => {
          this.#reading = 'running';
          this.#current = { begun: this.#parts.clock.now(), stop: new AbortController() };
          return AbortSignal.any([signal, this.#current.stop.signal]);
        });
        this.#current = undefined;
      } while (this.#readAgain && !signal.aborted);
      this.#reading = undefined;
      if (!this.#over) this.#listener.onLooked(read);
    });
  }

  /** Asks whether the request was withdrawn at the service. What has ended in any other way has a result. */
  ask(): void {
    if (this.#heard || this.#over) return;
    this.#run((signal) =>
      this.#try('requests', signal, async () => {
        if (await wasWithdrawn(this.#parts, this.#of, signal)) await this.#settle({ status: 'cancelled', by: 'service' });
      }),
    );
  }

  /** A final event is confirmed by its result; believed alone once the result could not be read in time. The first one counts. */
  confirm(status: Decision['status']): void {
    if (this.#heard || this.#over) return;
    this.#heard = { status, at: this.#parts.clock.now() };
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
      await this.#insist(signal, () => this.#settle({ status, by: 'event' }));
    });
  }

  /** Notes a step of the customer's. */
  advance(step: Step): void {
    this.#run((signal) => this.#try('advance', signal, () => this.#parts.advance(this.#of, step)));
  }

  /** Looks a last time, and then waits no longer. */
  callOver(): void {
    this.#run(async (signal) => {
      let answer: Awaited<ReturnType<typeof withdraw>> | undefined;
      await this.#read(signal, 'urgent');
      // The service may give its requests longer than we wait: nobody shall pay or sign what the chat has called over. What it finished just now is read.
      if (!signal.aborted)
        await this.#try('withdraw', signal, async () => {
          answer = await withdraw(this.#parts, this.#of, signal);
        });
      if (!signal.aborted) await this.#read(signal, 'urgent');
      // A final event came, and is believed in a moment: only an end that nobody told of is a timeout, or unknown.
      if (this.#heard) return;
      await this.#insist(signal, () => (answer === 'cancelled' ? this.#settle({ status: 'timeout', by: 'deadline' }) : this.#giveUp()));
    });
  }

  /** Ends it, however often it takes until that is kept. */
  async #insist(signal: AbortSignal, end: () => Promise<void>): Promise<void> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      await this.#try('decide', signal, end);
      if (!signal.aborted) await sleep(fullJitter(retry, tries, this.#parts.random), signal);
    }
  }

  /** Whether the service answered. */
  #read(signal: AbortSignal, urgent?: 'urgent', begun: () => AbortSignal = () => signal): Promise<boolean> {
    return this.#try('results', signal, async () => {
      const reading = async () => {
        const own = begun();
        return signal.aborted ? undefined : readResult(this.#parts, this.#of, own);
      };
      const result = await this.#parts.reads.add(reading, { priority: urgent ? 1 : 0 });
      if (result) await this.#settle({ status: result.status, by: 'result', result });
    });
  }

  async #settle(decision: Decision): Promise<void> {
    if (this.#over) return;
    await this.#parts.decide(this.#of, this.#heard ? { ...decision, heardAt: this.#heard.at } : decision);
    this.end();
  }

  async #giveUp(): Promise<void> {
    if (this.#over) return;
    await this.#parts.expire(this.#of);
    this.end();
  }

  /** Runs one piece of work whose failure must not end the watch. Whether it succeeded. */
  async #try(what: string, signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (fault) {
      const { app, id } = this.#of;
      if (!signal.aborted)
        this.#parts.log.warn({ operation: what, ...callFields(fault), app, interaction: id }, 'watching goes on after a fault');
      return false;
    }
  }

  /** Runs what the watch must not end before. */
  #run(work: (signal: AbortSignal) => Promise<unknown>): void {
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
    this.#listener.onOver();
    this.#stop?.abort();
    if (this.#running === 0) this.#finish();
  }
}
