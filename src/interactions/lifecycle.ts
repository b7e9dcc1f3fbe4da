// This process's work on the interactions that it has claimed: send, watch, decide, deliver. `resume` looks only at the
// state and does the next step, so a start, a claim after a crash and a finished step take the same path. It is a class
// because these steps call one another.
import { noTracing } from '../platform/telemetry.ts';
import { sleep } from '../platform/time/waits.ts';
import { deliver, LiveSteps } from './deliver.ts';
import { type Claim, type Decision, type DeviceStep, type Interaction, notClaimed } from './interaction.ts';
import type { InteractionsContext, Notify } from './ports.ts';
import { isCalledOff, withheldFor } from './starting/blind-lookup.ts';
import { resumeIntent } from './starting/start.ts';
import { Tasks } from './tasks.ts';
import { Watchers } from './waiting/watchers.ts';

/**
 * Moves claimed interactions from state to state: {@link Lifecycle.resume} does what the state requires, watchers and
 * timeouts decide, and each decision is delivered.
 */
export class Lifecycle {
  readonly tasks: Tasks;
  readonly watchers: Watchers;
  readonly #context: InteractionsContext;
  readonly #steps: LiveSteps;
  readonly #undelivered = new Map<string, number>();
  #notify: Notify | undefined;

  constructor(context: InteractionsContext) {
    this.#context = context;
    this.tasks = new Tasks(context.log);
    this.#steps = new LiveSteps(async (interaction) => this.#notify?.(interaction, 'progress'), context.log);
    this.watchers = new Watchers(context, this);
  }

  /** Delivers outcomes through `notify` from now on. */
  open(notify: Notify): void {
    this.#notify = notify;
  }

  /**
   * Does what the interaction's state requires, unless another process has claimed it. `sent`: it was sent this moment.
   */
  resume(interaction: Interaction, sent?: 'sent'): void {
    const { epoch, state } = interaction;
    if (epoch === notClaimed) return;
    if (state === 'intended') this.tasks.run(interaction, 'send', (signal) => this.#send(interaction, signal));
    else if (state === 'waiting' || state === 'unresolved') this.#watch(interaction, sent);
    else if (!interaction.delivered) this.deliver(interaction);
  }

  /**
   * The one place where an interaction is decided. The first decision stands and is delivered; a later one changes
   * nothing.
   */
  async decide(claim: Claim, decision: Decision): Promise<void> {
    const { clock, log, store } = this.#context;
    const decided = await store.apply(claim, { kind: 'decided', outcome: { ...decision, at: clock.now() } });
    const about = { app: decided?.app, interaction: claim.id, outcome: decision.status, reason: decision.by };
    if (decided) log.info(about, 'an interaction was decided');
    this.#ended(claim);
    if (decided) this.deliver(decided);
  }

  /** Ends the wait without a known outcome, which is delivered too. */
  async expire(claim: Claim): Promise<void> {
    const expired = await this.#context.store.apply(claim, { kind: 'expired' });
    const about = { app: expired?.app, interaction: claim.id, outcome: 'unknown' };
    if (expired) this.#context.log.warn(about, 'the outcome of an interaction is unknown; its result is still looked for');
    this.#ended(claim);
    if (expired) this.deliver(expired);
  }

  /** Gives up looking for a late result. There is nothing more to deliver. */
  async abandon(claim: Claim): Promise<void> {
    const abandoned = await this.#context.store.apply(claim, { kind: 'abandoned' });
    const about = { app: abandoned?.app, interaction: claim.id };
    if (abandoned) this.#context.log.warn(about, 'no result ever came of an interaction whose outcome was unknown');
    this.#ended(claim);
  }

  /** Records a step on the customer's device, and shows it. */
  async advance(claim: Claim, step: DeviceStep): Promise<void> {
    const { clock, store } = this.#context;
    const advanced = await store.advance(claim, step, clock.now());
    if (advanced && !advanced.blindLookup) this.#steps.show(advanced);
  }

  /**
   * Delivers how it ended, after `delay` ms at the earliest. If that is unknown, looks for a late result from then on.
   */
  deliver(interaction: Interaction, delay = 0): void {
    const { clock, store } = this.#context;
    const { id, epoch, state } = interaction;
    this.tasks.run(interaction, `deliver ${state}`, async (signal) => {
      const calledOff = isCalledOff(interaction);
      // A timer may fire slightly early, when the chat may not see the outcome yet: then it is set once more.
      for (let wait = delay; !calledOff; wait = 0) {
        wait = Math.max(wait, withheldFor(interaction, clock.now()));
        if (wait === 0) break;
        if (!(await sleep(wait, signal))) return;
        const now = await store.get(id);
        if (now?.epoch !== epoch || now.delivered) return;
      }
      const delivered = calledOff
        ? ((await store.apply(interaction, { kind: 'delivered' })) ?? (await store.get(id)))
        : this.#notify && (await this.#deliverTo(this.#notify, interaction, signal));
      if (delivered?.state === 'unresolved') this.resume(delivered);
    });
  }

  /**
   * Watches an interaction again, beginning with a read of the result. `heard`: the end reported by the service's
   * events so far.
   */
  async rewatch({ id }: Claim, heard?: Decision['status']): Promise<void> {
    await this.watchers.stop(id);
    const now = await this.#context.store.get(id);
    if (now?.state !== 'waiting' || now.epoch === notClaimed) return;
    this.#watch(now);
    if (heard) this.watchers.hear(id, heard);
  }

  /** How many outcomes this process has tried to deliver, in vain, for more than `ms`. */
  undelivered(ms: number): number {
    const now = this.#context.clock.now();
    return [...this.#undelivered.values()].filter((since) => now - since > ms).length;
  }

  /** Ends everything that runs under claims that this process has lost. */
  dropClaims(): void {
    this.tasks.dropClaims();
    this.watchers.stopAll();
  }

  /** Ends everything. Resolves when all work has ended. */
  async close(): Promise<void> {
    this.tasks.stop();
    this.watchers.stopAll();
    await Promise.all([this.tasks.settled(), this.watchers.settled(), this.#steps.close()]);
  }

  #deliverTo(notify: Notify, interaction: Interaction, signal: AbortSignal): Promise<Interaction | undefined> {
    const { app, id, outcome, state, traceparent } = interaction;
    const { tracing = noTracing } = this.#context;
    const work = () => deliver(this.#context, notify, this.#undelivered, interaction, signal).finally(() => this.#undelivered.delete(id));
    return tracing.span('deliver', { app, ending: outcome?.status ?? state }, work, { from: traceparent });
  }

  /** Sends an intent that was recorded earlier. */
  async #send(intended: Interaction, signal: AbortSignal): Promise<void> {
    const sent = await resumeIntent(this.#context, intended, { signal });
    if (sent.state !== 'intended') this.resume(sent);
  }

  #watch(interaction: Interaction, sent?: 'sent'): void {
    if (!this.tasks.stopped.aborted) this.watchers.watch(interaction, sent);
  }

  /** Wherever it ended, there is nothing left to watch under this claim. */
  #ended(claim: Claim): void {
    this.watchers.ended(claim);
    this.#steps.end(claim.id);
  }
}
