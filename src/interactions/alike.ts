// What a chat may see of an interaction by number and initials: a hit, a miss and a refusal look the same until the
// customer has acted (decision 0017).
import type { Interaction } from './interaction.ts';
import type { Trouble } from './trouble.ts';

/** How long (ms) after the deadline an outcome is delivered: by then a healthy service has said its last word. */
const settling = 5_000;

/** How long (ms) each of the three calls may take that end the wait, so that a slow service does not delay the outcome. */
export const lastCall = 1_500;

/** The troubles that a service may have with one phone number and not with another. */
const numberTroubles: ReadonlySet<Trouble> = new Set(['rejected', 'failed']);

/** Whether a trouble may depend on the phone number, so that showing it would tell hit from miss. */
export const dependsOnNumber = (trouble: Trouble): boolean => numberTroubles.has(trouble);

/** Its chat may not see how it stands until somebody has acted on the customer's own device. */
const isHidden = ({ alike, outcome }: Interaction) => alike === true && outcome?.status !== 'success';

/** Its chat has called it off: unless it succeeds, nothing more is delivered. */
export const isCalledOff = ({ cancelRequested, outcome }: Interaction): boolean =>
  cancelRequested === true && outcome?.status !== 'success';

const revealedAt = ({ deadline }: Interaction) => deadline + settling;

/** How much longer (ms) than `now` its outcome is withheld. */
export const withheldFor = (interaction: Interaction, now: number): number =>
  isHidden(interaction) ? Math.max(0, revealedAt(interaction) - now) : 0;

/** An interaction as its chat may see it at `now`: it waits for its whole time, and then it has timed out. */
export const shownOf = (interaction: Interaction, now: number): Interaction => {
  if (!isHidden(interaction)) return interaction;
  const { outcome: _, refusal: __, ...rest } = interaction;
  const at = revealedAt(interaction);
  if (now < at) return { ...rest, progress: {}, state: 'waiting' };
  const state = !interaction.delivered ? 'decided' : interaction.state === 'undeliverable' ? 'undeliverable' : 'delivered';
  return { ...rest, progress: {}, state, outcome: { status: 'timeout', by: 'deadline', at } };
};
