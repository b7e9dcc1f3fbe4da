// Deliveries to the chat: outcomes, retried until one is delivered or the chat is gone; and live steps, once each.

import { faultFields, type Log } from '../platform/log.ts';
import { type Backoff, fullJitter, sleep } from '../platform/time/waits.ts';
import type { Interaction } from './interaction.ts';
import type { InteractionsContext, Notify } from './ports.ts';

/** What a fault may say of itself: see {@link Notify}. */
type DeliveryFault = Partial<Readonly<Record<'final' | 'retryAfter' | 'status', unknown>>>;

/** From this attempt on, about ten seconds after the first, an operator should know. */
const attemptsInSilence = 5;

const retry: Backoff = { base: 500, cap: 60_000 };
/** After this long (ms) an unreachable chat counts as gone. */
const giveUpAfter = 24 * 60 * 60 * 1000;

/**
 * Delivers how an interaction ended (decided, refused or unknown), until that succeeds, the chat is gone, or `stop`
 * aborts. Returns the interaction as it is then.
 * @param undelivered - interactions whose last attempt failed, and since when (epoch ms) each could have been delivered
 */
export const deliver = async (
  { store, clock, random, log }: InteractionsContext,
  notify: Notify,
  undelivered: Map<string, number>,
  decided: Interaction,
  stop: AbortSignal,
): Promise<Interaction | undefined> => {
  const { app, id } = decided;
  const about = { app, interaction: id, outcome: decided.outcome?.status ?? decided.state };
  const until = clock.now() + giveUpAfter;
  let interaction = decided;
  /** Returns a fault after which delivery can never succeed; throws one after which it still may. */
  const attemptOnce = async (): Promise<unknown> => {
    if (clock.now() >= until) return new ChatUnreachable();
    try {
      await notify(interaction, 'outcome');
      return undefined;
    } catch (fault) {
      if ((fault as DeliveryFault).final === true) return fault;
      throw fault;
    }
  };
  for (let attempt = 0; !stop.aborted; attempt += 1) {
    try {
      const fault = await attemptOnce();
      // Usually the turn has recorded it already: as delivered, or as refused by the chat.
      const found = await store.get(id);
      const kept = found?.delivered
        ? found
        : ((await store.apply(interaction, { kind: fault ? 'unreachable' : 'delivered' })) ?? (await store.get(id)));
      if (fault) log.warn({ ...fieldsOf(fault), ...about, state: kept?.state }, 'an outcome, or what follows it, is undeliverable');
      else if (kept?.state !== 'undeliverable') log.info({ ...about, event: 'delivered' }, 'an outcome was delivered');
      return kept;
    } catch (fault) {
      undelivered.set(id, decided.outcome?.at ?? until - giveUpAfter);
      log[attempt < attemptsInSilence ? 'warn' : 'error'](
        { ...fieldsOf(fault), ...about, attempt },
        'an outcome could not be delivered yet',
      );
      const { retryAfter } = fault as DeliveryFault;
      await sleep((typeof retryAfter === 'number' ? retryAfter : 0) + fullJitter(retry, attempt, random), stop);
      // An outcome that is recorded as delivered is not delivered again: the fault came later. And the chat may have moved.
      const kept = interaction.delivered ? undefined : await store.get(id).catch(() => undefined);
      if (kept) interaction = { ...interaction, delivered: kept.delivered, address: kept.address || interaction.address };
    }
  }
  return undefined;
};

const fieldsOf = (fault: unknown) => {
  const { status } = fault as DeliveryFault;
  return { ...faultFields(fault), ...(typeof status === 'number' && { status }) };
};

/** The chat was unreachable for too long. Operators know the name and code from the log. */
class ChatUnreachable extends Error {
  override readonly name = 'ChatUnreachable';
  readonly code = 'chat_unreachable';
}

/**
 * Milliseconds between two steps of one interaction: channels count every update (Teams allows a bot seven messages a
 * second in a chat).
 */
const interval = 1000;

/** `latest`: the next step to show. */
type Queue = { latest: Interaction | undefined; readonly stop: AbortController };

/** Live steps are best effort: losing one costs a stale card. */
export class LiveSteps {
  readonly #show: (interaction: Interaction) => Promise<void>;
  readonly #log: Log;
  readonly #queues = new Map<string, Queue>();
  readonly #running = new Set<Promise<void>>();

  constructor(show: (interaction: Interaction) => Promise<void>, log: Log) {
    this.#show = show;
    this.#log = log;
  }

  /** Shows the progress at once, or a second after the previous step. If several wait, only the latest is shown. */
  show(interaction: Interaction): void {
    const { id } = interaction;
    const known = this.#queues.get(id);
    if (known) {
      known.latest = interaction;
      return;
    }
    const queue: Queue = { latest: interaction, stop: new AbortController() };
    this.#queues.set(id, queue);
    const run = this.#run(id, queue).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Shows no more of its steps. */
  end(id: string): void {
    this.#queues.get(id)?.stop.abort();
  }

  /** Shows no more steps at all. Resolves when all work has ended. */
  async close(): Promise<void> {
    for (const { stop } of this.#queues.values()) stop.abort();
    await Promise.all(this.#running);
  }

  async #run(id: string, queue: Queue): Promise<void> {
    const { signal } = queue.stop;
    while (queue.latest && !signal.aborted) {
      const { latest } = queue;
      queue.latest = undefined;
      await this.#show(latest).catch((fault) => this.#log.warn({ ...faultFields(fault), interaction: id }, 'a step was not shown'));
      await sleep(interval, signal);
    }
    if (this.#queues.get(id) === queue) this.#queues.delete(id);
  }
}
