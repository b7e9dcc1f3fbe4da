// A typed passcode: checked at the service, counted here, because the service says only yes or no.
import type { ServiceClient } from '../client/index.ts';
import type { Log } from '../platform/log.ts';
import type { Claim, Decision, Interaction } from './interaction.ts';
import type { InteractionStore } from './ports.ts';
import { callFields, type Trouble, troubleOf } from './trouble.ts';

/** How many wrong codes the service takes before the code is dead (security: Passcode rules). */
export const passcodeTries = 5;

export type Check =
  | { readonly kind: 'match' }
  | { readonly kind: 'mismatch'; readonly triesLeft: number }
  /** No more tries; the interaction has failed. */
  | { readonly kind: 'dead' }
  /** It is no longer waiting for a code. */
  | { readonly kind: 'over' }
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

export interface CheckParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly decide: (interaction: Claim, decision: Decision) => Promise<void>;
  readonly log: Log;
}

/** Checks a code of six characters. A match or the last mismatch decides the interaction, by its result record where that can be read. */
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
  if (counted.mistyped < passcodeTries) return { kind: 'mismatch', triesLeft: passcodeTries - counted.mistyped };
  await decide(interaction, { status: 'failure', by: 'check' });
  return { kind: 'dead' };
};
