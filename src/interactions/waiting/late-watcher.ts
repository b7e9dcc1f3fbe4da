// Polls slowly for a late result, after the wait ended without a known outcome (decision 0016).
import { type Backoff, fullJitter } from '../../platform/time/waits.ts';
import type { Decision, Interaction } from '../interaction.ts';
import { callFields } from '../trouble.ts';
import { readResult, type WatchedRequest, type WatcherContext, withdraw } from './service-queries.ts';

/** Milliseconds between two polls: ten thousand watchers read about thirty results a second. */
const pace: Backoff = { base: 60_000, cap: 600_000 };
/** How long (ms) after the deadline a result may still come. */
const lateFor = 24 * 60 * 60_000;

/** One timer between two polls. Needs no stored state: after a restart it begins again, with the same end. */
export class LateWatcher {
  readonly epoch: number;
  readonly #context: WatcherContext;
  readonly #of: WatchedRequest;
  readonly #until: number;
  #timer: NodeJS.Timeout | undefined;
  #tries = 0;
  /** The service cannot withdraw requests. */
  #unsupported = false;
  /** The running poll. */
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #over = false;

  constructor(context: WatcherContext, { id, epoch, app, deadline, requestId }: Interaction) {
    this.epoch = epoch;
    this.#context = context;
    this.#of = { id, epoch, app, deadline, ...(requestId !== undefined && { requestId }) };
    this.#until = deadline + lateFor;
    this.#schedule();
  }

  /** Stops polling. Resolves when all its work has ended. */
  async stop(): Promise<void> {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#running?.stop.abort();
    await this.#running?.done;
  }

  #schedule(): void {
    if (this.#over) return;
    const { clock, random } = this.#context;
    const wait = Math.min(fullJitter(pace, this.#tries, random), this.#until - clock.now());
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#poll(), Math.max(0, wait));
  }

  #poll(): void {
    const stop = new AbortController();
    const done = this.#decide(stop.signal)
      .catch((fault) => {
        const { app, id } = this.#of;
        if (!this.#over) this.#context.log.warn({ ...callFields(fault), app, interaction: id }, 'a late read failed; it is tried again');
        // Past the end there is no further poll.
        return this.#isPast() && !this.#over ? this.#context.lifecycle.abandon(this.#of) : undefined;
      })
      .catch((fault) => this.#context.log.warn({ ...callFields(fault), interaction: this.#of.id }, 'late reads could not be ended yet'))
      .finally(() => {
        this.#running = undefined;
        this.#schedule();
      });
    this.#running = { stop, done };
  }

  async #decide(signal: AbortSignal): Promise<void> {
    const { lateReads, lifecycle } = this.#context;
    const decision = await lateReads.add(() => this.#findOut(signal));
    if (signal.aborted) return;
    if (decision) await lifecycle.decide(this.#of, { ...decision, late: true });
    else if (this.#isPast()) await lifecycle.abandon(this.#of);
  }

  /** The result; or a timeout, once the service confirms that nobody can use the request any more. */
  async #findOut(signal: AbortSignal): Promise<Decision | undefined> {
    const { log } = this.#context;
    const read = async (): Promise<Decision | undefined> => {
      const result = signal.aborted ? undefined : await readResult(this.#context, this.#of, signal);
      return result && { status: result.status, by: 'result', result };
    };
    const decision = await read();
    if (decision || this.#unsupported || signal.aborted) return decision;
    const answer = await withdraw(this.#context, this.#of, signal).catch((fault) => {
      log.warn({ ...callFields(fault), app: this.#of.app, interaction: this.#of.id }, 'a request could not be withdrawn late');
      return undefined;
    });
    this.#unsupported = answer === 'unsupported';
    if (answer === 'cancelled') return (await read()) ?? { status: 'timeout', by: 'deadline' };
    return answer === 'already_finished' ? read() : undefined;
  }

  #isPast(): boolean {
    return this.#context.clock.now() >= this.#until;
  }
}
