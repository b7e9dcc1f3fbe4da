// From a plan to a request: recorded first, then sent once.
import type { AppId } from '../contract/index.ts';
import type { Rate } from '../platform/rate-limit.ts';
import type { Intent, Interaction } from './interaction.ts';
import type { InteractionStore } from './ports.ts';
import { type SendParts, send } from './send.ts';
import type { Transition } from './states.ts';

/** What a dialog has gathered and the customer has confirmed. Its id names the confirmation: one that is repeated has the same. */
export type Plan<Id extends AppId = AppId> = Omit<Intent<Id>, 'alike' | 'createdAt' | 'deadline' | 'traceparent'> & {
  /** Names the customer together with the phone number where the chat must not learn who was found; `customerRef` is unknown then. */
  readonly initials?: string;
};

/** An interaction as its start left it. */
export interface Started extends Interaction {
  /**
   * The fields that a refusal named, as paths. They are not stored: they help the customer who has just filled them in,
   * and a later turn has only the refusal itself.
   */
  readonly refusedFields?: readonly string[];
}

export interface StartParts extends SendParts {
  readonly store: InteractionStore;
  /** How long an interaction of each app is waited for (ms) where the service does not say how long its requests are good. */
  readonly outcomeTimeouts: Readonly<Record<AppId, number>>;
  /** Whether the service honours the idempotency key, so that an intent that may have been sent can be sent again. */
  readonly idempotent: boolean;
  readonly sendsToNumber: readonly Rate[];
}

/**
 * Records the plan and sends it; the answer is `waiting`, `refused` or `unknown`, already stored. A plan that was
 * started before, in a turn that died before it could remember that, is not started again: the answer is the interaction as it stands.
 * @param language the chat's, BCP 47
 */
export const start = async (parts: StartParts, plan: Plan, language?: string): Promise<Started> => {
  const known = await parts.store.get(plan.id);
  if (known) return known.state === 'intended' ? resumeIntent(parts, known) : known;
  return dispatch(parts, await record(parts, plan), language);
};

/** Records a plan as an intent. `wait`: how long (ms) until its deadline. */
export const record = (
  { store, clock, outcomeTimeouts, tracing }: StartParts,
  { initials: _, ...plan }: Plan & Pick<Intent, 'alike'>,
  wait = outcomeTimeouts[plan.app],
): Promise<Interaction> => {
  const createdAt = clock.now();
  return store.record({ ...plan, createdAt, deadline: createdAt + wait, traceparent: tracing?.traceparent() });
};

/** Sends what was recorded just now. */
export const dispatch = async (parts: StartParts, interaction: Interaction, language?: string): Promise<Started> => {
  const { refusedFields: fields = [], ...transition } = await send(parts, interaction, { language });
  const started = await apply(parts, interaction, transition);
  return fields.length > 0 ? { ...started, refusedFields: fields } : started;
};

/**
 * Sends an intent that a crash left behind. Whether it went out before cannot be known, so it goes out again only where
 * the service honours its key, and anything but an acceptance leaves it `unknown`; one that is stale or called off is not sent at all. The
 * answer is `intended` only when `stop` aborted in between.
 */
export const resumeIntent = async (parts: StartParts, intended: Interaction, stop?: AbortSignal): Promise<Interaction> => {
  if (!parts.idempotent || intended.cancelRequested || parts.clock.now() >= intended.deadline)
    return apply(parts, intended, { kind: 'lost' });
  const transition = await send(parts, intended, { signal: stop });
  // Stopped in the middle, it is still an intent, and the next start resumes it.
  if (stop?.aborted && transition.kind !== 'accepted') return intended;
  // What the service refuses now, it may have accepted before.
  return apply(parts, intended, transition.kind === 'refused' ? { kind: 'lost' } : transition);
};

/** Applies a transition; answers the interaction as it stands then, whether or not that changed it. */
export const apply = async ({ store }: Pick<StartParts, 'store'>, interaction: Interaction, transition: Transition) =>
  (await store.apply(interaction, transition)) ?? (await store.get(interaction.id)) ?? interaction;
