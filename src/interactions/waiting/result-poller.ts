// Reads an interaction's result while it is watched: the socket hints, the results endpoint is the truth.
import { type Backoff, endingWith, fullJitter, sleep, withTimeout } from '../../platform/time/waits.ts';
import type { Decision, DeviceStep } from '../interaction.ts';
import { lastCall } from '../starting/blind-lookup.ts';
import { callFields } from '../trouble.ts';
import { readResult, type WatchedRequest, type WatcherContext, wasWithdrawn, withdraw } from './service-queries.ts';

export interface ResultPollerListener {
  /** The reads that {@link ResultPoller.poll} started are done; `answered`: the service answered, if only "not yet". */
  onPolled(answered: boolean): void;
  /** The interaction is decided, or the poller was ended. Called once. */
  onOver(): void;
}

/** How long (ms) a final event waits for its result before it counts alone (decision 0025). */
const confirmation = 5_000;
/** A read that has run longer than this (ms) when a new connection comes up is assumed to hang on the broken one. */
const stuck = 1_000;
/** Milliseconds between two attempts to store a decision. */
const retry: Backoff = { base: 500, cap: 15_000 };
/** The reason of aborts. Created once, since creating one takes longer than the rest of an ending. */
const over = new DOMException('it is decided, or nobody watches it any more', 'AbortError');

/**
 * Polls until the interaction is decided or {@link ResultPoller.end} is called. Failures are logged and tried again;
 * nothing throws.
 */
export class ResultPoller {
  /** Resolves when polling is over and all its work has ended. */
  readonly done: Promise<void>;
  readonly #context: WatcherContext;
  readonly #of: WatchedRequest;
  readonly #listener: ResultPollerListener;
  #over = false;
  /** The final event, and when it came. */
  #heard: { readonly status: Decision['status']; readonly at: number } | undefined;
  /** A poll's read, running or queued. */
  #reading: 'queued' | 'running' | undefined;
  #readAgain = false;
  /** The poll's running read. */
  #current: { readonly begun: number; readonly stop: AbortController } | undefined;
  /** The number of running tasks, and the controller that aborts them. */
  #running = 0;
  #stop: AbortController | undefined;
  #finish: () => void = () => {};

  constructor(context: WatcherContext, of: WatchedRequest, listener: ResultPollerListener) {
    this.#context = context;
    this.#of = of;
    this.#listener = listener;
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get over(): boolean {
    return this.#over;
  }

  /** The end that the service's event reported. */
  get heard(): Decision['status'] | undefined {
    return this.#heard?.status;
  }

  /**
   * Reads the result. One read runs at a time, and calls during it share one more. `reconnected`: the service has just
   * come back, so a read that has hung since before is aborted.
   */
  poll(reconnected?: 'reconnected'): void {
    if (this.#reading === 'running') this.#readAgain = true;
    if (reconnected && this.#current && this.#context.clock.now() - this.#current.begun > stuck) this.#current.stop.abort(over);
    if (this.#reading || this.#over) return;
    this.#run(async (signal) => {
      let read: boolean;
      do {
        this.#reading = 'queued';
        this.#readAgain = false;
        read = await this.#read(signal, undefined, () => {
          this.#reading = 'running';
          this.#current = { begun: this.#context.clock.now(), stop: endingWith(signal) };
          return this.#current.stop.signal;
        });
        this.#current = undefined;
      } while (this.#readAgain && !signal.aborted);
      this.#reading = undefined;
      if (!this.#over) this.#listener.onPolled(read);
    });
  }

  /** Checks whether the request was withdrawn at the service. Any other end has a result. */
  checkWithdrawn(): void {
    if (this.#heard || this.#over) return;
    this.#run((signal) =>
      this.#try('requests', signal, async () => {
        if (await wasWithdrawn(this.#context, this.#of, signal)) await this.#settle({ status: 'cancelled', by: 'service' });
      }),
    );
  }

  /**
   * Confirms a final event by its result. If that cannot be read in time, the event counts alone. The first event
   * stands.
   */
  confirm(status: Decision['status']): void {
    if (this.#heard || this.#over) return;
    this.#heard = { status, at: this.#context.clock.now() };
    this.#run(async (signal) => {
      const inTime = endingWith(signal);
      const { signal: within } = inTime;
      const reading = (async () => {
        for (let tries = 0; !within.aborted; tries += 1) {
          await this.#read(within, 'urgent');
          await sleep(Math.min(100 * 2 ** tries, 1000), within);
        }
      })();
      await sleep(confirmation, signal);
      inTime.abort(over);
      await reading;
      await this.#untilStored(signal, () => this.#settle({ status, by: 'event' }));
    });
  }

  /** Records a step on the customer's device. */
  advance(step: DeviceStep): void {
    this.#run((signal) => this.#try('advance', signal, () => this.#context.lifecycle.advance(this.#of, step)));
  }

  /** At the deadline: withdraws the request, reads a last time, and ends the wait. */
  expire(): void {
    this.#run(async (signal) => {
      let answer: Awaited<ReturnType<typeof withdraw>> | undefined;
      await this.#lastCall(signal, (within) => this.#read(within, 'urgent'));
      // The service may accept an answer later than our deadline. Once withdrawn, a request cannot be paid or signed
      // after the chat has said that time is up. The last read below finds one that was finished at the last moment.
      if (!signal.aborted)
        await this.#lastCall(signal, (within) =>
          this.#try('withdraw', within, async () => {
            answer = await withdraw(this.#context, this.#of, within);
          }),
        );
      if (!signal.aborted) await this.#lastCall(signal, (within) => this.#read(within, 'urgent'));
      // A final event is being confirmed. Only without one is the outcome a timeout, or unknown.
      if (this.#heard) return;
      await this.#untilStored(signal, () =>
        answer === 'cancelled' ? this.#settle({ status: 'timeout', by: 'deadline' }) : this.#giveUp(),
      );
    });
  }

  /** Makes a call that ends the wait. If its duration would tell hit from miss, its time is limited. */
  async #lastCall(signal: AbortSignal, call: (within: AbortSignal) => Promise<unknown>): Promise<void> {
    const late = endingWith(signal);
    if (this.#of.blindLookup) await withTimeout(call(late.signal), lastCall, () => late.abort(over));
    else await call(late.signal);
  }

  /** Tries until the end is stored. */
  async #untilStored(signal: AbortSignal, end: () => Promise<void>): Promise<void> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      await this.#try('decide', signal, end);
      if (!signal.aborted) await sleep(fullJitter(retry, tries, this.#context.random), signal);
    }
  }

  /** Reads the result, and decides if there is one. Returns whether the service answered. */
  #read(signal: AbortSignal, urgent?: 'urgent', begun: () => AbortSignal = () => signal): Promise<boolean> {
    return this.#try('results', signal, async () => {
      const reading = async () => {
        const own = begun();
        return signal.aborted ? undefined : readResult(this.#context, this.#of, own);
      };
      const result = await this.#context.reads.add(reading, { priority: urgent ? 1 : 0 });
      if (result) await this.#settle({ status: result.status, by: 'result', result });
    });
  }

  async #settle(decision: Decision): Promise<void> {
    if (this.#over) return;
    await this.#context.lifecycle.decide(this.#of, this.#heard ? { ...decision, heardAt: this.#heard.at } : decision);
    this.end();
  }

  async #giveUp(): Promise<void> {
    if (this.#over) return;
    await this.#context.lifecycle.expire(this.#of);
    this.end();
  }

  /** Runs work whose failure must not end the watching. Returns whether it succeeded. */
  async #try(what: string, signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (fault) {
      const { app, id } = this.#of;
      if (!signal.aborted)
        this.#context.log.warn({ operation: what, ...callFields(fault), app, interaction: id }, 'watching goes on after a fault');
      return false;
    }
  }

  /** Runs work that {@link ResultPoller.done} waits for. */
  #run(work: (signal: AbortSignal) => Promise<unknown>): void {
    this.#running += 1;
    void work(this.#signal()).finally(() => {
      this.#running -= 1;
      if (this.#running > 0) return;
      this.#stop = undefined;
      if (this.#over) this.#finish();
    });
  }

  /** Aborts when the poller ends. Created when work starts and dropped afterwards: most of the time nothing runs. */
  #signal(): AbortSignal {
    this.#stop ??= new AbortController();
    return this.#stop.signal;
  }

  /** Ends polling without a decision. */
  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.onOver();
    this.#stop?.abort(over);
    if (this.#running === 0) this.#finish();
  }
}
