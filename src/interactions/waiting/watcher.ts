// Watches an interaction until it is decided: when to connect, when to read the result, when time is up.
import { type EventFrame, type EventType, settles } from '../../contract/index.ts';
import { noTracing } from '../../platform/telemetry.ts';
import { type Backoff, fullJitter } from '../../platform/time/waits.ts';
import type { Decision, DeviceStep, Interaction } from '../interaction.ts';
import type { EventsRequest } from '../ports.ts';
import { ResultPoller, type ResultPollerListener } from './result-poller.ts';
import { safetyEvery } from './safety-reads.ts';
import { concerns, type WatchedRequest, type WatcherContext } from './service-queries.ts';

/**
 * Between two attempts to connect, and between two reads while there is no socket or the last read failed. An
 * interaction that ended during an outage is delivered within 10 s of the service's return.
 */
const retry: Backoff = { base: 500, cap: 8_000 };
/** After a socket that lasted this long (ms), the backoff starts again from the beginning. */
const stableAfter = 10_000;
/** Without a socket, one attempt in four also checks whether the request was withdrawn. */
const checkEvery = 4;

const steps: Partial<Record<EventType, DeviceStep>> = { 'task.sent': 'sent', 'task.bootstrapped': 'opened', 'task.started': 'started' };

/**
 * Watches one waiting interaction until it is decided or the watcher is stopped. Failures are logged and tried again;
 * only the deadline ends the wait without an answer.
 *
 * Ten thousand of these wait at a time, each for minutes (decision 0014): two small objects with one timer, and nothing
 * else until something happens.
 */
export class Watcher implements EventsRequest, ResultPollerListener {
  /** Resolves when all its work has ended. */
  readonly done: Promise<void>;
  readonly #context: WatcherContext;
  readonly #of: WatchedRequest;
  readonly #poller: ResultPoller;
  #source: { close(): void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Attempts since the last stable socket. */
  #tries = 0;
  #connectedAt = 0;
  /** The token was sent over the socket. */
  #up = false;
  /** Reads in a row that failed while the socket was up. */
  #failures = 0;
  #expired = false;
  /** It reads although the socket is up and has reported no end. */
  #doubts = false;

  /** `sent`: it was sent this moment, so that there is no result to read until the socket is up. */
  constructor(context: WatcherContext, interaction: Interaction, sent?: 'sent') {
    const { id, epoch, blindLookup, app, deadline, requestId, wsToken, traceparent } = interaction;
    const { tracing = noTracing } = context;
    this.#context = context;
    this.#of = {
      id,
      epoch,
      app,
      deadline,
      ...(blindLookup && { blindLookup }),
      ...(requestId !== undefined && { requestId }),
      ...(wsToken !== undefined && { wsToken }),
    };
    this.#poller = new ResultPoller(context, this.#of, this);
    const work = () => {
      if (sent && wsToken !== undefined) this.#connect();
      else this.#attempt();
      return this.#poller.done;
    };
    this.done = tracing.span('watch', { app }, work, { from: traceparent });
  }

  /** The epoch of the claim it runs under. */
  get epoch(): number {
    return this.#of.epoch;
  }

  get wsToken(): string {
    return this.#of.wsToken ?? '';
  }

  get requestId(): string | undefined {
    return this.#of.requestId;
  }

  /** Stops watching. Resolves when all its work has ended. */
  stop(): Promise<void> {
    this.#poller.end();
    return this.done;
  }

  /** The end that the service's event reported, until it is confirmed. */
  get heard(): Decision['status'] | undefined {
    return this.#poller.heard;
  }

  /** Continues from a final event that an earlier watcher received. */
  hear(status: Decision['status']): void {
    this.#poller.confirm(status);
  }

  onUp(): void {
    this.#up = true;
    this.#failures = 0;
    this.#poller.poll('reconnected');
  }

  /** A new socket reports nothing about earlier ends, so the waits stay short until a read has succeeded. */
  onPolled(answered: boolean): void {
    this.#doubts = false;
    if (!this.#up) return;
    if (answered) {
      this.#failures = 0;
      this.#listen();
      return;
    }
    this.#arm(fullJitter(retry, this.#failures, this.#context.random), () => this.#poller.poll());
    this.#failures += 1;
  }

  onOver(): void {
    if (this.#doubts && !this.#poller.heard) this.#context.safety.missed();
    this.#end();
  }

  onMalformed(): void {
    this.#poller.poll();
  }

  onEvent(type: EventType, frame: EventFrame): void {
    const { app, id } = this.#of;
    if (!concerns(this.#of, frame)) {
      this.#context.log.warn({ app, interaction: id, event: type, reason: 'mismatch' }, 'an event was about another request');
      return;
    }
    const status = settles(type);
    const step = steps[type];
    if (status) {
      if (!this.#poller.heard) this.#context.safety.reported();
      this.#poller.confirm(status);
    } else if (step) this.#poller.advance(step);
  }

  onDown(reason: string): void {
    const { clock, log } = this.#context;
    log.debug({ interaction: this.#of.id, reason }, 'the socket is gone');
    this.#source = undefined;
    this.#up = false;
    if (clock.now() - this.#connectedAt > stableAfter) this.#tries = 0;
    // The socket is closed for good without a final event: the request may have been withdrawn.
    if (reason === 'closed_1000') this.#poller.checkWithdrawn();
    this.#pause();
  }

  /**
   * Reads the result while connecting. If the read has not begun when the socket is up, it serves as the read after
   * connecting too.
   */
  #attempt(): void {
    this.#poller.poll();
    if (this.#of.wsToken !== undefined) {
      this.#connect();
      return;
    }
    // Without a socket there is no hint of a withdrawal, so it is checked now and then.
    if (this.#tries % checkEvery === checkEvery - 1) this.#poller.checkWithdrawn();
    this.#pause();
  }

  #connect(): void {
    const { clock, events } = this.#context;
    this.#connectedAt = clock.now();
    this.#source = events(this);
    this.#listen();
  }

  #pause(): void {
    this.#arm(fullJitter(retry, this.#tries, this.#context.random), () => this.#attempt());
    this.#tries += 1;
  }

  /** While the socket is up, results are still read now and then, so that the loss of every push only costs time. */
  #listen(): void {
    const { random, safety } = this.#context;
    this.#arm(safetyEvery * (0.5 + random()), () => {
      if (safety.isDue()) {
        this.#doubts = this.#up;
        this.#poller.poll();
      }
      this.#listen();
    });
  }

  /** The one timer: for the next step, or for the deadline if that comes first. */
  #arm(ms: number, then: () => void): void {
    const { clock } = this.#context;
    const { deadline } = this.#of;
    clearTimeout(this.#timer);
    if (this.#poller.over || this.#expired) return;
    const due = () => (clock.now() < deadline ? then() : this.#expire());
    this.#timer = setTimeout(due, Math.max(0, Math.min(ms, deadline - clock.now())));
  }

  #expire(): void {
    this.#expired = true;
    this.#poller.expire();
  }

  /** Releases the timer and the socket. */
  #end(): void {
    clearTimeout(this.#timer);
    this.#up = false;
    this.#source?.close();
    this.#source = undefined;
  }
}
