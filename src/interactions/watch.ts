// Watching an interaction until it is decided: the socket hints, the results endpoint is the truth, the deadline ends it.
import type { ServiceClient } from '../client/index.ts';
import { type EventFrame, type EventType, settles } from '../contract/index.ts';
import { type Backoff, fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import { noTracing, type Tracing } from '../platform/telemetry.ts';
import type { EventSource, EventsRequest } from './events.ts';
import type { Gate } from './gate.ts';
import type { Held, Interaction, Step, Verdict } from './interaction.ts';
import { callFields } from './trouble.ts';
import { concerns, readResult, type Watched, wasWithdrawn, withdraw } from './watched.ts';

export interface WatchParts {
  readonly client: ServiceClient;
  readonly events: EventSource;
  /** What reads of results go through: a start takes thousands up at once. */
  readonly gate: Gate;
  /** Decides once, durably. Must resolve, or throw and be asked again. */
  readonly decide: (interaction: Held, verdict: Verdict) => Promise<void>;
  readonly advance: (interaction: Held, step: Step) => Promise<void>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly tracing?: Tracing;
}

/** Between two attempts to connect, and between two reads while there is no socket. */
const retry: Backoff = { base: 500, cap: 15_000 };
/** A socket that held this long (ms) was a good one: the next attempt starts from the first wait again. */
const held = 10_000;
/** While the socket is up, results are still read this often (ms): losing every push must only cost time. */
const safetyRead = 60_000;
/** Without a socket: one attempt in so many also asks whether the request was withdrawn. */
const asksEvery = 4;
/** How long (ms) a final event waits for its result before it is believed alone (decisions: Websocket). */
const confirmation = 5_000;

const steps: Partial<Record<EventType, Step>> = { 'task.sent': 'sent', 'task.bootstrapped': 'opened', 'task.started': 'started' };

/**
 * Watches one waiting interaction until it is decided or it is told to stop. Whatever fails in between is logged and tried again; only the
 * deadline ends it without an answer.
 *
 * Ten thousand of these wait at a time, each for minutes (decision 0015): one object, one timer, and nothing else until something happens.
 */
export class Watch implements EventsRequest {
  /** Resolves when nothing of it runs any more. */
  readonly done: Promise<void>;
  readonly #parts: WatchParts;
  readonly #of: Watched;
  #source: { close(): void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The attempts since the last good socket. */
  #tries = 0;
  #connectedAt = 0;
  #over = false;
  #expired = false;
  /** When a final event came. */
  #heardAt: number | undefined;
  /** A read because of a hint: on its way, or waiting for its turn. */
  #reading: 'queued' | 'running' | undefined;
  #readAgain = false;
  /** What runs at the moment, and the end of it. */
  #running = 0;
  #stop: AbortController | undefined;
  #finish: () => void = () => {};

  constructor(parts: WatchParts, { id, epoch, app, deadline, requestId, wsToken, traceparent }: Interaction) {
    const { tracing = noTracing } = parts;
    this.#parts = parts;
    this.#of = { id, epoch, app, deadline, ...(requestId !== undefined && { requestId }), ...(wsToken !== undefined && { wsToken }) };
    const work = () =>
      new Promise<void>((resolve) => {
        this.#finish = resolve;
        this.#attempt();
      });
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
    this.#end();
    return this.done;
  }

  onUp(): void {
    this.#look();
  }

  onMalformed(): void {
    this.#look();
  }

  onEvent(type: EventType, frame: EventFrame): void {
    const { advance, log } = this.#parts;
    const { app, id } = this.#of;
    if (!concerns(this.#of, frame)) {
      log.warn({ app, interaction: id, event: type, reason: 'mismatch' }, 'an event of something else');
      return;
    }
    const status = settles(type);
    const step = steps[type];
    if (status) this.#confirm(status);
    else if (step) void this.#try('advance', this.#signal(), () => advance(this.#of, step));
  }

  onDown(reason: string): void {
    const { clock, log } = this.#parts;
    log.debug({ interaction: this.#of.id, reason }, 'the socket is gone');
    this.#source = undefined;
    if (clock.now() - this.#connectedAt > held) this.#tries = 0;
    // Nothing more will come, although no end was heard of.
    if (reason === 'closed_1000') this.#ask();
    this.#pause();
  }

  /** Reads the result, and connects meanwhile. A read that has not begun when the socket is up serves for that too. */
  #attempt(): void {
    this.#look();
    if (this.#of.wsToken !== undefined) {
      this.#connect();
      return;
    }
    // With no socket that could close, it is asked for now and then.
    if (this.#tries % asksEvery === asksEvery - 1) this.#ask();
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
      this.#look();
      this.#listen();
    });
  }

  /** The one timer: for what is next, or for the deadline where that comes before. */
  #arm(ms: number, then: () => void): void {
    const { clock } = this.#parts;
    const { deadline } = this.#of;
    clearTimeout(this.#timer);
    if (this.#over || this.#expired) return;
    const due = () => (clock.now() < deadline ? then() : this.#expire());
    this.#timer = setTimeout(due, Math.max(0, Math.min(ms, deadline - clock.now())));
  }

  /** Reads because of a hint. However many come, one read runs at a time, and one more follows for those that came meanwhile. */
  #look(): void {
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
  #ask(): void {
    if (this.#heardAt !== undefined || this.#over) return;
    this.#run((signal) =>
      this.#try('requests', signal, async () => {
        if (await wasWithdrawn(this.#parts, this.#of, signal)) await this.#settle({ status: 'cancelled', by: 'service' });
      }),
    );
  }

  /** A final event is confirmed by its result; believed alone once the result could not be read in time. The first one counts. */
  #confirm(status: Verdict['status']): void {
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

  /** Looks a last time, and then waits no longer. */
  #expire(): void {
    this.#expired = true;
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
    this.#end();
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

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
    this.#stop?.abort();
    if (this.#running === 0) this.#finish();
  }
}
