// Interactions whose chat must not learn whether their number and initials are a customer's: whatever becomes of them looks the same, but a success
// (decision 0017).
import type { ServiceClient } from '../client/index.ts';
import type { AppId } from '../contract/index.ts';
import type { Log } from '../platform/log.ts';
import { standFor } from './initials.ts';
import type { Claim, Decision, Interaction } from './interaction.ts';
import { makeLookup } from './lookup.ts';
import { type Check, passcodeTries } from './passcode.ts';
import type { InteractionStore } from './ports.ts';
import { callFields, type Trouble, troubleOf } from './trouble.ts';

/** How long (ms) the turn takes that asks for one, whatever comes of it: a healthy service has looked up and sent by then. */
export const answerAfter = 3_000;

/** How long (ms) after the deadline an ending is told: a healthy service has said its last word by then. */
const settling = 5_000;

/** The troubles that a service may have with one number and not with another. */
const ofTheNumber: ReadonlySet<Trouble> = new Set(['rejected', 'failed']);

/** Whether its chat may not see how it stands: until somebody has acted on the customer's own device. */
const isHidden = ({ alike, outcome }: Interaction) => alike === true && outcome?.status !== 'success';

const toldAt = ({ deadline }: Interaction) => deadline + settling;

/** How much longer (ms) than `now` its ending is kept back. */
export const keptBack = (interaction: Interaction, now: number): number =>
  isHidden(interaction) ? Math.max(0, toldAt(interaction) - now) : 0;

/** An interaction as its chat may see it at `now`: it waits for its whole time, and then it has run out. */
export const shownOf = (interaction: Interaction, now: number): Interaction => {
  if (!isHidden(interaction)) return interaction;
  const { outcome: _, refusal: __, ...rest } = interaction;
  const at = toldAt(interaction);
  if (now < at) return { ...rest, progress: {}, state: 'waiting' };
  const state = !interaction.delivered ? 'decided' : interaction.state === 'undeliverable' ? 'undeliverable' : 'delivered';
  return { ...rest, progress: {}, state, outcome: { status: 'timeout', by: 'deadline', at } };
};

/**
 * The one customer whom a number and initials name, if it is exactly one. Trouble is told only where the service would have it with any number: a
 * customer who cannot be looked up now is not found.
 */
export const identify = async (
  parts: { readonly client: ServiceClient; readonly log: Log },
  { app, phoneNumber, sessionRef }: { readonly app: AppId; readonly phoneNumber: string; readonly sessionRef: string },
  initials: string,
): Promise<{ readonly customerRef?: string } | { readonly trouble: Trouble }> => {
  const lookup = await makeLookup(parts)(app, { phoneNumber, sessionRef });
  if ('trouble' in lookup) return ofTheNumber.has(lookup.trouble) ? {} : lookup;
  const [customer, ...others] = lookup.found.customers.filter(({ name }) => standFor(initials, name));
  return customer && others.length === 0 ? { customerRef: customer.id } : {};
};

export interface GuessParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly decide: (interaction: Claim, decision: Decision) => Promise<void>;
  readonly newId: () => string;
  readonly log: Log;
}

/** Checks a code, or asks the service about a made-up request where none was sent: it takes as long, has as many tries, and is wrong. */
export const guess = async ({ client, store, decide, newId, log }: GuessParts, interaction: Interaction, code: string): Promise<Check> => {
  const { id, requestId, mistyped, outcome } = interaction;
  if (outcome?.status === 'success') return { kind: 'over' };
  if (mistyped >= passcodeTries) return { kind: 'mismatch', triesLeft: 0 };
  try {
    const { codeMatch } = await client.apps['one-time-passcode'].check({ requestId: requestId ?? newId(), code });
    if (codeMatch && interaction.state === 'waiting') {
      await decide(interaction, { status: 'success', by: 'check' });
      return { kind: 'match' };
    }
  } catch (fault) {
    const trouble = troubleOf(fault);
    log.warn({ operation: 'check', ...callFields(fault), interaction: id }, 'a code could not be checked');
    if (!ofTheNumber.has(trouble)) return { kind: 'trouble', trouble };
  }
  const { mistyped: now } = (await store.apply(interaction, { kind: 'guessed' })) ?? { mistyped: mistyped + 1 };
  return { kind: 'mismatch', triesLeft: Math.max(0, passcodeTries - now) };
};
