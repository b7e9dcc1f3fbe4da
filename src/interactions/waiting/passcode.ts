// Checks a typed passcode at the service and counts tries here, because the service answers only yes or no.
import type { ServiceClient } from '../../client/index.ts';
import { apps } from '../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Claim, Decision, Interaction } from '../interaction.ts';
import type { InteractionStore } from '../ports.ts';
import { dependsOnNumber } from '../starting/alike.ts';
import { callFields, type Trouble, troubleOf } from '../trouble.ts';

const { tries } = apps['one-time-passcode'].operations.check;

export type Check =
  | { readonly kind: 'match' }
  | { readonly kind: 'mismatch'; readonly triesLeft: number }
  /** No tries are left; the interaction has failed. */
  | { readonly kind: 'dead' }
  /** It no longer waits for a code. */
  | { readonly kind: 'over' }
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

export interface CheckParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly decide: (interaction: Claim, decision: Decision) => Promise<void>;
  readonly newId: () => string;
  readonly log: Log;
}

/** Checks a code of six characters. A match or the last mismatch decides the interaction. */
export const checkPasscode = async ({ client, store, decide, log }: CheckParts, interaction: Interaction, code: string): Promise<Check> => {
  const { id, requestId, state } = interaction;
  if (state !== 'waiting' || requestId === undefined) return { kind: 'over' };
  let matches: boolean;
  try {
    matches = (await client.apps['one-time-passcode'].check({ requestId, code })).codeMatch;
  } catch (fault) {
    log.warn({ operation: 'check', ...callFields(fault), interaction: id }, 'a code could not be checked');
    return { kind: 'trouble', trouble: troubleOf(fault) };
  }
  if (matches) {
    await decide(interaction, { status: 'success', by: 'check' });
    return { kind: 'match' };
  }
  const counted = await store.apply(interaction, { kind: 'mistyped' });
  if (!counted) return { kind: 'over' };
  if (counted.mistyped < tries) return { kind: 'mismatch', triesLeft: tries - counted.mistyped };
  await decide(interaction, { status: 'failure', by: 'check' });
  return { kind: 'dead' };
};

/**
 * Checks a code when the chat may not learn whether one was sent (alike.ts). If none was, it asks the service about a
 * made-up request: that takes as long, has as many tries, and is always wrong.
 */
export const checkAlike = async (
  { client, store, decide, newId, log }: CheckParts,
  interaction: Interaction,
  code: string,
): Promise<Check> => {
  const { id, requestId, mistyped, outcome } = interaction;
  if (outcome?.status === 'success') return { kind: 'over' };
  if (mistyped >= tries) return { kind: 'mismatch', triesLeft: 0 };
  try {
    const { codeMatch } = await client.apps['one-time-passcode'].check({ requestId: requestId ?? newId(), code });
    if (codeMatch && interaction.state === 'waiting') {
      await decide(interaction, { status: 'success', by: 'check' });
      return { kind: 'match' };
    }
  } catch (fault) {
    const trouble = troubleOf(fault);
    log.warn({ operation: 'check', ...callFields(fault), interaction: id }, 'a code could not be checked');
    if (!dependsOnNumber(trouble)) return { kind: 'trouble', trouble };
  }
  const { mistyped: now } = (await store.apply(interaction, { kind: 'guessed' })) ?? { mistyped: mistyped + 1 };
  return { kind: 'mismatch', triesLeft: Math.max(0, tries - now) };
};
