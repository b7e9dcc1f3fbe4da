// The ways in which watching ends, each kept before anybody is told.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Claim, Decision, Interaction } from './interaction.ts';
import type { InteractionStore } from './ports.ts';

export interface EndingsParts {
  readonly store: InteractionStore;
  readonly clock: Clock;
  readonly log: Log;
  notify(interaction: Interaction): void;
  /** Nothing is watched under this hold any more. */
  over(claim: Claim): void;
}

export interface Endings {
  /** The one place where an interaction is decided. The first decision stands and is told; any later one changes nothing. */
  decide(claim: Claim, decision: Decision): Promise<void>;
  /** Ends the wait with its end unknown, which is told. */
  expire(claim: Claim): Promise<void>;
  /** Ends it with nothing more to tell. */
  abandon(claim: Claim): Promise<void>;
}

export const makeEndings = ({ store, clock, log, notify: tell, over }: EndingsParts): Endings => ({
  decide: async (claim, decision) => {
    const decided = await store.apply(claim, { kind: 'decided', outcome: { ...decision, at: clock.now() } });
    // Decided here or elsewhere, there is nothing to watch under this hold any more.
    over(claim);
    if (!decided) return;
    log.info({ app: decided.app, interaction: claim.id, outcome: decision.status, reason: decision.by }, 'an interaction was decided');
    tell(decided);
  },
  expire: async (claim) => {
    const expired = await store.apply(claim, { kind: 'expired' });
    over(claim);
    if (!expired) return;
    log.warn(
      { app: expired.app, interaction: claim.id, outcome: 'unknown' },
      'how an interaction ended is unknown; its result is looked for on',
    );
    tell(expired);
  },
  abandon: async (claim) => {
    const abandoned = await store.apply(claim, { kind: 'abandoned' });
    over(claim);
    if (abandoned) log.warn({ app: abandoned.app, interaction: claim.id }, 'no result ever came of an interaction whose end was unknown');
  },
});
