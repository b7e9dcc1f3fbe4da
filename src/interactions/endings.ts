// The ways in which watching ends, each kept before anybody is told.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Held, Interaction, Verdict } from './interaction.ts';
import type { InteractionStore } from './ports.ts';

export interface EndingsParts {
  readonly store: InteractionStore;
  readonly clock: Clock;
  readonly log: Log;
  tell(interaction: Interaction): void;
  /** Nothing is watched under this hold any more. */
  over(held: Held): void;
}

export interface Endings {
  /** The one place where an interaction is decided. The first decision stands and is told; any later one changes nothing. */
  decide(held: Held, verdict: Verdict): Promise<void>;
  /** Ends the wait with its end unknown, which is told. */
  expire(held: Held): Promise<void>;
  /** Ends it with nothing more to tell. */
  abandon(held: Held): Promise<void>;
}

export const makeEndings = ({ store, clock, log, tell, over }: EndingsParts): Endings => ({
  decide: async (held, verdict) => {
    const decided = await store.apply(held, { kind: 'decided', outcome: { ...verdict, at: clock.now() } });
    // Decided here or elsewhere, there is nothing to watch under this hold any more.
    over(held);
    if (!decided) return;
    log.info({ app: decided.app, interaction: held.id, outcome: verdict.status, reason: verdict.by }, 'an interaction was decided');
    tell(decided);
  },
  expire: async (held) => {
    const expired = await store.apply(held, { kind: 'expired' });
    over(held);
    if (!expired) return;
    log.warn(
      { app: expired.app, interaction: held.id, outcome: 'unknown' },
      'how an interaction ended is unknown; its result is looked for on',
    );
    tell(expired);
  },
  abandon: async (held) => {
    const abandoned = await store.apply(held, { kind: 'abandoned' });
    over(held);
    if (abandoned) log.warn({ app: abandoned.app, interaction: held.id }, 'no result ever came of an interaction whose end was unknown');
  },
});
