// Watching an interaction until it is decided: when to connect, when to look, and when it has been long enough.
import type { ServiceClient } from '../client/index.ts';
import { type EventFrame, type EventType, settles } from '../contract/index.ts';
import { type Backoff, fullJitter } from '../platform/backoff.ts';
import { noTracing, type Tracing } from '../platform/telemetry.ts';
import type { EventSource, EventsRequest } from './events.ts';
import type { Decision, Interaction, Step } from './interaction.ts';
import { ResultPoller, type ResultPollerListener, type ResultPollerParts } from './result-poller.ts';
import { concerns, type WatchedRequest } from './service-queries.ts';

export interface WatcherParts extends ResultPollerParts {
  readonly client: ServiceClient;
  readonly events: EventSource;
  readonly tracing?: Tracing;
}

/**
 * Between two attempts to connect, and between two reads while there is no socket or the last one failed. What ended during an outage is to be told
 * within 10 s of the service's return, whoever waits.
 */
const retry: Backoff = { base: 500, cap: 8_000 };
/** A socket that held this long (ms) was a good one: the next attempt starts from the first wait again. */
const stableAfter = 10_000;
/** While the socket is up, results are still read this often (ms): losing every push must only cost time. */
const safetyRead = 60_000;
/** Without a socket: one attempt in so many also asks whether the request was withdrawn. */
const asksEvery = 4;

const steps: Partial<Record<EventType, Step>> = { 'task.sent': 'sent', 'task.bootstrapped': 'opened', 'task.started': 'started' };

/**
 * Watches one waiting interaction until it is decided or it is told to stop. Whatever fails in between is logged and tried again; only the
 * deadline ends it without an answer.
 *
 * Ten thousand of these wait at a time, each for minutes (decision 0015): an object with one timer and one for what it asks, and nothing
 * else until something happens.
 */
export class Watcher implements EventsRequest, ResultPollerListener {
  /** Resolves when nothing of it runs any more. */
  readonly done: Promise<void>;
  readonly #parts: WatcherParts;
  readonly #of: WatchedRequest;
  readonly #poller: ResultPoller;
  #source: { close(): void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The attempts since the last good socket. */
  #tries = 0;
  #connectedAt = 0;
  /** The token is on its way over the socket. */
  #up = false;
  /** The reads in a row that failed while it was. */
  #failures = 0;
  #expired = false;

  constructor(parts: WatcherParts, { id, epoch, app, deadline, requestId, wsToken, traceparent }: Interaction) {
    const { tracing = noTracing } = parts;
    this.#parts = parts;
    this.#of = { id, epoch, app, deadline, ...(requestId !== undefined && { requestId }), ...(wsToken !== undefined && { wsToken }) };
    this.#poller = new ResultPoller(parts, this.#of, this);
    const work = () => {
      this.#attempt();
      return this.#poller.done;
    };
    this.done = tracing.span('watch', { app }, work, { from: traceparent });
  }

  /** The hold it runs under. */
  get epoch(): number {
    return this.#of.epoch;
  }

  get wsToken(): string {
    return this.#of.wsToken ?? '';
  }

  get requestId(): string | undefined {
    return this.#of.requestId;
  }

  /** Stops watching; resolves when nothing of it runs any more. */
  stop(): Promise<void> {
    this.#poller.end();
    return this.done;
  }

  /** How the service's event says that it ended, where one came that is not confirmed yet. */
  get heard(): Decision['status'] | undefined {
    return this.#poller.heard;
  }

  /** Goes on where an earlier watch heard a final event. */
  hear(status: Decision['status']): void {
    this.#poller.confirm(status);
  }

  onUp(): void {
    this.#up = true;
    this.#failures = 0;
    this.#poller.look('afresh');
  }

  /** A socket alone tells nothing of what ended before it was up. So the short waits go on until a read has succeeded. */
  onLooked(read: boolean): void {
    if (!this.#up) return;
    if (read) {
      this.#failures = 0;
      this.#listen();
      return;
    }
    this.#arm(fullJitter(retry, this.#failures, this.#parts.random), () => this.#poller.look());
    this.#failures += 1;
  }

  onOver(): void {
    this.#end();
  }

  onMalformed(): void {
    this.#poller.look();
  }

  onEvent(type: EventType, frame: EventFrame): void {
    const { app, id } = this.#of;
    if (!concerns(this.#of, frame)) {
      this.#parts.log.warn({ app, interaction: id, event: type, reason: 'mismatch' }, 'an event of something else');
      return;
    }
    const status = settles(type);
    const step = steps[type];
    if (status) this.#poller.confirm(status);
    else if (step) this.#poller.advance(step);
  }

  onDown(reason: string): void {
    const { clock, log } = this.#parts;
    log.debug({ interaction: this.#of.id, reason }, 'the socket is gone');
    this.#source = undefined;
    this.#up = false;
    if (clock.now() - this.#connectedAt > stableAfter) this.#tries = 0;
    // Nothing more will come, although no end was heard of.
    if (reason === 'closed_1000') this.#poller.ask();
    this.#pause();
  }

  /** Reads the result, and connects meanwhile. A read that has not begun when the socket is up serves for that too. */
  #attempt(): void {
    this.#poller.look();
    if (this.#of.wsToken !== undefined) {
      this.#connect();
      return;
    }
    // With no socket that could close, it is asked for now and then.
    if (this.#tries % asksEvery === asksEvery - 1) this.#poller.ask();
    this.#pause();
  }

  #connect(): void {
    const { clock, events } = this.#parts;
    this.#connectedAt = clock.now();
    this.#source = events(this);
    this.#listen();
  }

  #pause(): void {
    this.#arm(fullJitter(retry, this.#tries, this.#parts.random), () => this.#attempt());
    this.#tries += 1;
  }

  #listen(): void {
    this.#arm(safetyRead * (0.5 + this.#parts.random()), () => {
      this.#poller.look();
      this.#listen();
    });
  }

  /** The one timer: for what is next, or for the deadline where that comes before. */
  #arm(ms: number, then: () => void): void {
    const { clock } = this.#parts;
    const { deadline } = this.#of;
    clearTimeout(this.#timer);
    if (this.#poller.over || this.#expired) return;
    const due = () => (clock.now() < deadline ? then() : this.#expire());
    this.#timer = setTimeout(due, Math.max(0, Math.min(ms, deadline - clock.now())));
  }

  #expire(): void {
    this.#expired = true;
    this.#poller.callOver();
  }

  /** Lets go of what the inquiry does not hold. */
  #end(): void {
    clearTimeout(this.#timer);
    this.#up = false;
    this.#source?.close();
    this.#source = undefined;
  }
}
