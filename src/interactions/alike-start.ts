// Starting an interaction by phone number and initials, so that the chat cannot tell hit from miss (decision 0017).
import { sleep } from '../platform/sleep.ts';
import { dependsOnNumber, standFor } from './alike.ts';
import type { Interaction } from './interaction.ts';
import type { Lifecycle } from './lifecycle.ts';
import { makeLookup } from './lookup.ts';
import { apply, dispatch, type Plan, recordIntent, type StartParts } from './start.ts';
import type { Trouble } from './trouble.ts';

/** How long (ms) the turn takes in every case: by then a healthy service has looked up and sent. */
const answerAfter = 3_000;

/** How many such interactions may be open in one chat. */
const mostOpen = 3;

/**
 * Records the plan, and sends it in the background if its number and initials name exactly one customer. Returns the
 * interaction as it stands, after the same time in every case.
 * @param ownTurn how long (ms) the turn has to deliver an outcome itself
 */
export const startAlike = async (
  parts: StartParts,
  lifecycle: Lifecycle,
  plan: Plan,
  ownTurn: number,
  language?: string,
): Promise<Interaction> => {
  const answered = sleep(answerAfter, lifecycle.tasks.stopped);
  const known = await parts.store.get(plan.id);
  const interaction = known ?? (await recordFor(parts, plan));
  if (!known) {
    const send = async () => lifecycle.resume(await dispatch(parts, interaction, { language }));
    if (interaction.state === 'intended') lifecycle.tasks.run(interaction, 'send', send);
    else if (interaction.alike) lifecycle.resume(interaction);
    else lifecycle.deliver(interaction, ownTurn);
  }
  await answered;
  return (await parts.store.get(plan.id)) ?? interaction;
};

/**
 * Records a plan for the one customer whom its number and initials identify: `intended`. If they match nobody, or
 * several customers, it is `refused`; if the lookup fails, it is refused like any other interaction.
 */
const recordFor = async (parts: StartParts, { initials = '', ...plan }: Plan): Promise<Interaction> => {
  const refuse = async (refusal: Trouble, wait?: number) =>
    apply(parts, await recordIntent(parts, plan, wait), { kind: 'refused', refusal });
  // Checked before the lookup, and counted for hit and miss alike, so this refusal may be shown.
  if ((await parts.store.waitingIn(plan.conversation)).length >= mostOpen) return refuse('open');
  const wait = await crowdedFor(parts, plan.phoneNumber);
  if (wait !== undefined) return refuse('crowded', wait);
  const found = await identify(parts, plan, initials);
  if ('trouble' in found) return refuse(found.trouble);
  const { customerRef } = found;
  if (customerRef === undefined) {
    return apply(parts, await recordIntent(parts, { ...plan, alike: true }), { kind: 'refused', refusal: 'nobody' });
  }
  return recordIntent(parts, { ...plan, customerRef, request: { ...plan.request, customerRef }, alike: true });
};

/** Milliseconds until another request may be made for a phone number; `undefined`: it may be made now. */
const crowdedFor = async ({ clock, sendsToNumber, store }: StartParts, phoneNumber: string): Promise<number | undefined> => {
  const now = clock.now();
  const waits = sendsToNumber.map(async ({ points, seconds }) => {
    const begun = await store.startedFor(phoneNumber, now - seconds * 1000, points);
    const oldest = begun[points - 1];
    return oldest === undefined ? 0 : oldest + seconds * 1000 - now;
  });
  return Math.max(0, ...(await Promise.all(waits))) || undefined;
};

/**
 * The one customer whom a number and initials identify. Trouble counts only if it would occur with any number: a
 * customer who cannot be looked up now is not found.
 */
const identify = async (
  parts: StartParts,
  { app, phoneNumber, sessionRef }: Pick<Plan, 'app' | 'phoneNumber' | 'sessionRef'>,
  initials: string,
): Promise<{ readonly customerRef?: string } | { readonly trouble: Trouble }> => {
  const lookup = await makeLookup(parts)(app, { phoneNumber, sessionRef });
  if ('trouble' in lookup) return dependsOnNumber(lookup.trouble) ? {} : lookup;
  const [customer, ...others] = lookup.found.customers.filter(({ name }) => standFor(initials, name));
  return customer && others.length === 0 ? { customerRef: customer.id } : {};
};
