// Starting an interaction by phone number and initials, so that the chat cannot tell hit from miss (decision 0017).
import type { KeptRate } from '../../platform/limits.ts';
import { sleep } from '../../platform/time/waits.ts';
import type { Interaction } from '../interaction.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { InteractionsContext } from '../ports.ts';
import type { Trouble } from '../trouble.ts';
import { dependsOnNumber, standFor } from './blind-lookup.ts';
import { makeLookup } from './lookup.ts';
import { apply, dispatch, type Plan, recordIntent } from './start.ts';

/** How long (ms) the turn takes in every case: by then a healthy service has looked up and sent. */
const answerAfter = 3_000;

/** How many such interactions may be open in one chat. */
const maxOpen = 3;

/**
 * Records the plan, and sends it in the background if its number and initials name exactly one customer. Returns the
 * interaction as it stands, after the same time in every case.
 * @param ownTurn how long (ms) the turn has to deliver an outcome itself
 */
export const startBlind = async (
  context: InteractionsContext,
  lifecycle: Lifecycle,
  plan: Plan,
  ownTurn: number,
  language?: string,
): Promise<Interaction> => {
  const answered = sleep(answerAfter, lifecycle.tasks.stopped);
  const known = await context.store.get(plan.id);
  const interaction = known ?? (await recordFor(context, plan));
  if (!known) {
    const send = async () => lifecycle.resume(await dispatch(context, interaction, { language }));
    if (interaction.state === 'intended') lifecycle.tasks.run(interaction, 'send', send);
    else lifecycle.deliver(interaction, ownTurn);
  }
  await answered;
  return (await context.store.get(plan.id)) ?? interaction;
};

/**
 * Records a plan for the one customer whom its number and initials identify: `intended`. If they match nobody, or
 * several customers, it is `refused`; if the lookup fails, it is refused like any other interaction.
 */
const recordFor = async (context: InteractionsContext, { initials = '', ...plan }: Plan): Promise<Interaction> => {
  const refuse = async (refusal: Trouble, wait?: number) =>
    apply(context, await recordIntent(context, plan, wait), { kind: 'refused', refusal });
  // Checked before the lookup, and counted for hit and miss alike, so this refusal may be shown.
  if ((await context.store.waitingIn(plan.conversation)).length >= maxOpen) return refuse('open');
  const counted = `${plan.phoneNumber} ${plan.origin ?? ''}`;
  const { waitMs } = await context.fromOrigin.take(counted);
  if (waitMs > 0) return refuse('crowded', waitMs);
  const found = await identify(context, plan, initials);
  if ('trouble' in found) {
    await context.fromOrigin.giveBack(counted);
    return refuse(found.trouble);
  }
  const { customerRef } = found;
  const isFull = customerRef !== undefined && (await isUsedUp(context, plan, customerRef));
  if (customerRef === undefined || isFull) {
    // Neither may be told from a request that was sent.
    const unsent = await recordIntent(context, { ...plan, blindLookup: true });
    if (isFull) context.log.warn({ component: 'interactions', interaction: plan.id, reason: 'crowded' }, 'a number has had its messages');
    return apply(context, unsent, { kind: 'refused', refusal: 'nobody' });
  }
  return recordIntent(context, { ...plan, customerRef, request: { ...plan.request, customerRef }, blindLookup: true });
};

/** How long (ms) after a success its customer has messages that strangers cannot use up: half of them in that chat only. */
const ownFor = 30 * 86_400_000;

/** Whether a customer has had all messages that this chat may have sent to them (decision 0169). */
const isUsedUp = async (
  { clock, sendsToNumber, store }: InteractionsContext,
  { conversation, phoneNumber }: Plan,
  customerRef: string,
): Promise<boolean> => {
  const now = clock.now();
  const sent = await Promise.all(
    sendsToNumber.map(({ kept, points, seconds }) =>
      store.sentTo(phoneNumber, now - seconds * 1000, points + kept.customer + kept.session),
    ),
  );
  if (sendsToNumber.every(({ points }, index) => (sent[index] ?? 0) < points)) return false;
  const own = await store.succeededFor(phoneNumber, customerRef, conversation, now - ownFor);
  const keptFor = ({ customer, session }: KeptRate['kept']) => (own === 'session' ? customer + session : own === 'customer' ? customer : 0);
  return sendsToNumber.some(({ kept, points }, index) => (sent[index] ?? 0) >= points + keptFor(kept));
};

/**
 * The one customer whom a number and initials identify. Trouble counts only if it would occur with any number: a
 * customer who cannot be looked up now is not found.
 */
const identify = async (
  context: InteractionsContext,
  { app, phoneNumber, sessionRef }: Pick<Plan, 'app' | 'phoneNumber' | 'sessionRef'>,
  initials: string,
): Promise<{ readonly customerRef?: string } | { readonly trouble: Trouble }> => {
  const lookup = await makeLookup(context)(app, { phoneNumber, sessionRef });
  if ('trouble' in lookup) return dependsOnNumber(lookup.trouble) ? {} : lookup;
  const [customer, ...others] = lookup.found.customers.filter(({ name }) => standFor(initials, name));
  return customer && others.length === 0 ? { customerRef: customer.id } : {};
};
