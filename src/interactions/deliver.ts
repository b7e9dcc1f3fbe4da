// Delivers an outcome to its chat, with retries, until it is delivered or the chat is gone.
import { type Backoff, fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import { noTracing, type Tracing } from '../platform/telemetry.ts';
import type { Interaction } from './interaction.ts';
import type { DeliveryFault, InteractionStore, Notifier } from './ports.ts';

export interface DeliverParts {
  readonly store: InteractionStore;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly tracing?: Tracing;
}

const retry: Backoff = { base: 500, cap: 60_000 };
/** After this long (ms) a chat that cannot be reached counts as gone. */
const giveUpAfter = 24 * 60 * 60 * 1000;

/** Delivers how an interaction ended (decided, refused or unknown), until that succeeds, the chat is gone, or `stop` aborts. */
export const deliver = (parts: DeliverParts, interaction: Interaction, stop: AbortSignal): Promise<void> => {
  const { tracing = noTracing } = parts;
  return tracing.span(
    'deliver',
    { app: interaction.app, ending: interaction.outcome?.status ?? interaction.state },
    () => untilDelivered(parts, interaction, stop),
    { from: interaction.traceparent },
  );
};

const untilDelivered = async (
  { store, notifier, clock, random, log }: DeliverParts,
  decided: Interaction,
  stop: AbortSignal,
): Promise<void> => {
  const { app, id } = decided;
  const about = { app, interaction: id, outcome: decided.outcome?.status ?? decided.state };
  const until = clock.now() + giveUpAfter;
  let interaction = decided;
  /** Answers the fault after which delivery can never succeed; throws one after which it may. */
  const attemptOnce = async (): Promise<unknown> => {
    if (clock.now() >= until) return new ChatUnreachable();
    try {
      await notifier.outcome(interaction);
      return undefined;
    } catch (fault) {
      if ((fault as DeliveryFault).final === true) return fault;
      throw fault;
    }
  };
  for (let attempt = 0; !stop.aborted; attempt += 1) {
    try {
      const fault = await attemptOnce();
      // The turn may have recorded it already: that it was delivered, or that the chat refused it.
      const kept = (await store.apply(interaction, { kind: fault ? 'unreachable' : 'delivered' })) ?? (await store.get(id));
      if (fault) log.warn({ ...fieldsOf(fault), ...about, state: kept?.state }, 'an outcome, or what follows it, is undeliverable');
      else if (kept?.state !== 'undeliverable') log.info({ ...about, event: 'delivered' }, 'an outcome was delivered');
      return;
    } catch (fault) {
      log.warn({ ...fieldsOf(fault), ...about, attempt }, 'an outcome could not be delivered yet');
      const { retryAfter } = fault as DeliveryFault;
      await sleep((typeof retryAfter === 'number' ? retryAfter : 0) + fullJitter(retry, attempt, random), stop);
      // What was delivered is not delivered again: the failure came after it.
      if (!interaction.delivered)
        interaction = { ...interaction, delivered: (await store.get(id).catch(() => undefined))?.delivered ?? false };
    }
  }
};

const fieldsOf = (fault: unknown) => {
  const { status } = fault as DeliveryFault;
  return { ...faultFields(fault), ...(typeof status === 'number' && { status }) };
};

/** The chat could not be reached for too long. The name and code are the log's, which operators know. */
class ChatUnreachable extends Error {
  override readonly name = 'OutOfPatience';
  readonly code = 'out_of_patience';
}
