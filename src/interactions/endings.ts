// The ways in which watching ends, each stored before anybody is told. They answer the interaction as it is then, or
// `undefined` where it was over already.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Claim, Decision, Interaction } from './interaction.ts';
import type { InteractionStore } from './ports.ts';

export interface EndingParts {
  readonly store: InteractionStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Decides it. The first decision stands. */
export const decide = async ({ store, clock, log }: EndingParts, claim: Claim, decision: Decision): Promise<Interaction | undefined> => {
  const decided = await store.apply(claim, { kind: 'decided', outcome: { ...decision, at: clock.now() } });
  if (decided)
    log.info({ app: decided.app, interaction: claim.id, outcome: decision.status, reason: decision.by }, 'an interaction was decided');
  return decided;
};

/** Ends the wait with the outcome unknown. */
export const expire = async ({ store, log }: EndingParts, claim: Claim): Promise<Interaction | undefined> => {
  const expired = await store.apply(claim, { kind: 'expired' });
  const about = { app: expired?.app, interaction: claim.id, outcome: 'unknown' };
  if (expired) log.warn(about, 'the outcome of an interaction is unknown; its result is still looked for');
  return expired;
};

/** Gives up looking for a late result. There is nothing more to deliver. */
export const abandon = async ({ store, log }: EndingParts, claim: Claim): Promise<void> => {
  const abandoned = await store.apply(claim, { kind: 'abandoned' });
  if (abandoned) log.warn({ app: abandoned.app, interaction: claim.id }, 'no result ever came of an interaction whose outcome was unknown');
};
