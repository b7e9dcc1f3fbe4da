// Requests by number and initials: customers give these where the chat may not show which names we know. Until somebody
// acts on the customer's device, a hit, a miss and a refusal look the same in the chat (decision 0017).
import type { Interaction } from '../interaction.ts';
import type { Trouble } from '../trouble.ts';

/** How long (ms) after the deadline an outcome is delivered: by then a healthy service has given its last result. */
const settling = 5_000;

/**
 * How long (ms) each of the three calls that end the wait may take, so that a slow service does not delay the outcome.
 */
export const lastCall = 1_500;

/** Troubles that a service may have with some phone numbers only. */
const numberTroubles: ReadonlySet<Trouble> = new Set(['rejected', 'failed']);

/** Whether a trouble may depend on the phone number, so that showing it would tell hit from miss. */
export const dependsOnNumber = (trouble: Trouble): boolean => numberTroubles.has(trouble);

/** Hidden from its chat until somebody has acted on the customer's device. */
const isHidden = ({ blindLookup, outcome }: Interaction) => blindLookup === true && outcome?.status !== 'success';

/** Its chat has called it off: unless it succeeds, nothing more is delivered. */
export const isCalledOff = ({ cancelRequested, outcome }: Interaction): boolean =>
  cancelRequested === true && outcome?.status !== 'success';

const revealedAt = ({ deadline }: Interaction) => deadline + settling;

/** For how much longer (ms) after `now` its outcome is withheld. */
export const withheldFor = (interaction: Interaction, now: number): number =>
  isHidden(interaction) ? Math.max(0, revealedAt(interaction) - now) : 0;

/** An interaction as its chat may see it at `now`: waiting until its time is up, and then timed out. */
export const shownOf = (interaction: Interaction, now: number): Interaction => {
  if (!isHidden(interaction)) return interaction;
  const { outcome: _, refusal: __, ...rest } = interaction;
  const at = revealedAt(interaction);
  if (now < at) return { ...rest, progress: {}, state: 'waiting' };
  const state = !interaction.delivered ? 'decided' : interaction.state === 'undeliverable' ? 'undeliverable' : 'delivered';
  return { ...rest, progress: {}, state, outcome: { status: 'timeout', by: 'deadline', at } };
};

/** Letters without diacritics, in capitals: É as E. */
const bare = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();

/** The most words that a name has. */
const maxWords = 6;

/**
 * The initials in typed text, in capitals: from `M. T.`, `mt`, or a whole name, which is not kept. `undefined`: there
 * are none, or it is one word that may be a name.
 */
export const initialsIn = (typed: string): string | undefined => {
  const words = typed.normalize('NFKC').match(/\p{L}\p{M}*(?:['’-]?\p{L}\p{M}*)*/gu) ?? [];
  const [only = ''] = words;
  if (words.length === 1) return /^(?:\p{Lu}{1,4}|\p{L}{1,2})$/u.test(only) ? bare(only) : undefined;
  return words.length > 0 && words.length <= maxWords ? words.map(firstOf).join('') : undefined;
};

const firstOf = (word: string) => [...bare(word)][0] ?? '';

/**
 * Whether initials match a name: its first one, and some of the others in order, since people leave out middle names
 * and second surnames. A name of several words needs two.
 */
export const standFor = (initials: string, name: string): boolean => {
  const own = name.split(/\s+/).filter(Boolean).map(firstOf);
  const [first, ...others] = [...initials];
  if (first === undefined || first !== own[0] || (own.length > 1 && others.length === 0)) return false;
  let at = 0;
  return others.every((letter) => {
    at = own.indexOf(letter, at + 1);
    return at > 0;
  });
};
