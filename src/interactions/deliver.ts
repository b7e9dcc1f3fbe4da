// Telling the chat how an interaction ended, until it is told or the chat is gone.
import { type Backoff, fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import { noTracing, type Tracing } from '../platform/telemetry.ts';
import type { Interaction } from './interaction.ts';
import type { InteractionStore, Teller } from './ports.ts';

export interface DeliverParts {
  readonly store: InteractionStore;
  readonly teller: Teller;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly tracing?: Tracing;
}

const retry: Backoff = { base: 500, cap: 60_000 };
/** A chat that could not be reached for this long (ms) will not be. */
const patience = 24 * 60 * 60 * 1000;

/** Tells the outcome of a decided (or refused, or unknown) interaction, trying again until it is told, the chat is gone, or `stop` aborts. */
export const deliver = (parts: DeliverParts, interaction: Interaction, stop: AbortSignal): Promise<void> => {
  const { tracing = noTracing } = parts;
  return tracing.span(
    'deliver',
    { app: interaction.app, ending: interaction.outcome?.status ?? interaction.state },
    () => untilTold(parts, interaction, stop),
    { from: interaction.traceparent },
  );
};

const untilTold = async (
  { store, teller, clock, random, log }: DeliverParts,
  interaction: Interaction,
  stop: AbortSignal,
): Promise<void> => {
  const { app, id } = interaction;
  const until = clock.now() + patience;
  for (let attempt = 0; !stop.aborted; attempt += 1) {
    try {
      const told = clock.now() < until ? await teller.outcome(interaction) : 'gone';
      await store.apply(interaction, { kind: told === 'told' ? 'told' : 'unreachable' });
      log.info(
        { app, interaction: id, outcome: interaction.outcome?.status ?? interaction.state, event: told },
        'an outcome was delivered',
      );
      return;
    } catch (fault) {
      log.warn({ ...faultFields(fault), app, interaction: id, attempt }, 'an outcome could not be delivered yet');
      await sleep(fullJitter(retry, attempt, random), stop);
    }
  }
};
