// Tells how an interaction ended: once per chat, with a card or a text that say the same. Outcomes that a caller missed
// by hanging up are told when the same number calls again (decision 0094).

import { type CardMessage, notSent, outcomeCard, type TextKey, unresolved } from '../../cards/index.ts';
import type { Interaction, Outcome, Trouble } from '../../src/interactions/index.ts';
import { channelOf } from '../../src/platform/channels.ts';
import { faultFields } from '../../src/platform/log.ts';
import { noteVerification } from '../../src/verification/index.ts';
import { type Extras, say } from '../turn/activities.ts';
import { lastOf, remember } from '../turn/memory.ts';
import { noteRateable, thumbsBelow } from '../turn/rating.ts';
import type { Turn } from '../turn/turn.ts';
import { isVerifiedFor } from '../turn/verified.ts';

/** How a chat remembers an ending it has shown. An unknown end may be followed by a known one, which is shown too. */
const endingOf = ({ id, blindLookup, outcome }: Interaction) =>
  outcome?.late ? `${id}:late` : blindLookup && outcome?.status === 'success' ? `${id}:success` : id;

/** A customer who left a request that may not exist is told of it only if it succeeds. */
export const leave = ({ memory }: Turn, { app, id }: Interaction): void => {
  memory.told = remember(memory.told, id);
  memory.last = { app, ending: 'cancelled' };
};

/** Whether the customer has left it. */
export const hasLeft = ({ memory }: Turn, { blindLookup, id }: Interaction): boolean =>
  blindLookup === true && (memory.told?.includes(id) ?? false);

/** If the chat may not learn whether there was a request, the request has no name until it succeeds. */
const mayBeNamed = ({ blindLookup, outcome }: Interaction): boolean => !blindLookup || outcome?.status === 'success';

/** Whether this chat has shown it before. */
const isDelivered = ({ memory }: Turn, interaction: Interaction): boolean => memory.told?.includes(endingOf(interaction)) ?? false;

/**
 * Shows the ending unless the chat already has it. `channelData.interaction` is for a page or hub that embeds the chat;
 * a refusal or an unknown end is not an outcome, so it carries none. It is stored as delivered before anything else is
 * said, so that a turn that fails later does not repeat it. If the channel refuses even the plain text, we give up and
 * the chat goes on. If a flow continues from it (`goesOn`), it is marked delivered with the turn; a repeat has the same
 * delivery key.
 */
export const deliverOutcome = async (
  turn: Turn,
  interaction: Interaction,
  goesOn = false,
  answer: NonNullable<Extras['answer']> = 'welcome',
): Promise<void> => {
  const { memory, services } = turn;
  const { app, delivered, id, outcome, requestId, state } = interaction;
  if (isDelivered(turn, interaction)) return;
  // A proof from hours ago says nothing about the person who writes now.
  if (!outcome?.late) noteVerification(memory, interaction);
  memory.told = remember(memory.told, endingOf(interaction));
  memory.last = lastOf(interaction);
  if (requestId !== undefined && mayBeNamed(interaction)) memory.requests = remember(memory.requests, requestId);
  await services.agents?.outcome(turn, interaction, endingOf(interaction));
  // The customer is back, so an outcome that could not be delivered is shown now.
  if (delivered && state !== 'undeliverable') return;
  try {
    const [card, extras] = await ending(turn, interaction, goesOn);
    const message = await say(turn, card, { ...extras, answer });
    if (outcome?.status === 'success') noteRateable(turn, id, message);
    await deliverUnheard(turn);
  } catch (fault) {
    if (!isRefused(fault)) throw fault;
    const { status } = fault as { status?: unknown };
    const fields = { ...faultFields(fault), app, interaction: id, ...(typeof status === 'number' && { status }) };
    services.log.warn(fields, 'an outcome is undeliverable: the channel refuses it, in words too');
    await services.interactions.markDelivered(interaction, 'unreachable');
    return;
  }
  if (!goesOn || !turn.news) await services.interactions.markDelivered(interaction);
};

/**
 * Delivers the outcomes that a caller missed in an earlier call, once they are verified for that customer (decision
 * 0139). Proofs from that call say nothing about who speaks now, so they verify nobody.
 */
const deliverUnheard = async (turn: Turn): Promise<void> => {
  const { memory, services, t } = turn;
  const { unheard = [] } = memory;
  for (const id of unheard) {
    const interaction = await services.interactions.get(id);
    if (interaction && !isVerifiedFor(turn, interaction.customerRef)) continue;
    memory.unheard = memory.unheard?.filter((other) => other !== id) ?? [];
    if (!interaction?.outcome) continue;
    await say(turn, t('speech.earlier'), { deliveryKey: `${id}:earlier`, answer: 'later' });
    await say(turn, await outcomeOf(turn, interaction, interaction.outcome), { deliveryKey: `${id}:unheard` });
  }
};

/** The most that callers want to hear at the beginning of a call. */
const maxMentioned = 3;

/** Whether an interaction's chat was a call. */
const wasCalled = ({ address }: { readonly address: string }): boolean => address !== '' && channelOf(JSON.parse(address)).voice;

/**
 * Says once that there is news of an earlier call, without its subject: a caller's number can be
 * forged.
 */
export const mentionUnheard = async (turn: Turn): Promise<void> => {
  const { channel, context, memory, services, t } = turn;
  if (!channel.voice) return;
  const number = memory.gateway?.caller ?? (await services.callerNumber(context.activity));
  if (number === undefined) return;
  const unheard = (await services.interactions.undeliverableTo(number, maxMentioned)).filter(wasCalled).map(({ id }) => id);
  if (unheard.length === 0) return;
  memory.unheard = unheard;
  await say(turn, t('speech.unheard'), { answer: 'later' });
  turn.afterwards.push(() => services.interactions.mention(unheard));
};

/** Notes a refusal that needs no card, because the customer can correct it at once. */
export const passOver = async ({ memory, services }: Turn, interaction: Interaction): Promise<void> => {
  memory.told = remember(memory.told, endingOf(interaction));
  memory.last = lastOf(interaction);
  await services.interactions.markDelivered(interaction);
};

/** The channel will never accept this message, but may accept another (bot: connector error `rejected`). */
const isRefused = (fault: unknown) => (fault as { code?: unknown }).code === 'rejected';

/**
 * The message for an ending. The customer's own turn and the turn with the news use the same name for it.
 */
const ending = async (turn: Turn, interaction: Interaction, goesOn: boolean): Promise<[CardMessage, Extras]> => {
  const { app, outcome, requestId } = interaction;
  const name = `${endingOf(interaction)}:ending`;
  if (!outcome) return [withoutOutcome(turn, interaction), { deliveryKey: name }];
  const card = await outcomeOf(turn, interaction, outcome, goesOn);
  const named = mayBeNamed(interaction);
  // How easy something was is asked only of who has done it.
  const rated = outcome.status === 'success' ? thumbsBelow(turn, interaction.id) : {};
  const channelData = { ...rated.channelData, interaction: { app, ...(named && { requestId }), status: outcome.status } };
  return [card, { ...rated, deliveryKey: name, channelData, alert: true }];
};

const outcomeOf = async (
  turn: Turn,
  { id, blindLookup, app, customerRef, subject }: Interaction,
  outcome: Outcome,
  goesOn = false,
): Promise<CardMessage> => {
  const { services, t } = turn;
  const { status, at, by, late } = outcome;
  const verified = isVerifiedFor(turn, customerRef);
  // Documents and receipts are not stored: a chat that may see them gets them from the service now.
  const result = (verified && status === 'success' && (await services.interactions.result(id))) || outcome.result;
  const ended = {
    status,
    at,
    elsewhere: by === 'service',
    goesOn,
    verified,
    actions: [],
    ...(result && { result }),
    ...(subject !== undefined && { subject }),
    ...(blindLookup && status !== 'success' && { unmatched: true }),
  };
  return outcomeCard(app, { ...ended, ...(late && { late }) }, t);
};

/** Why a request was refused, in words. The stored value may come from another version. */
const refusals: Readonly<Record<Trouble, TextKey>> = {
  misconfigured: 'trouble.misconfigured',
  busy: 'trouble.busy',
  rejected: 'trouble.rejected',
  failed: 'trouble.failed',
  unavailable: 'trouble.unavailable',
  crowded: 'trouble.crowded',
  open: 'trouble.open',
};

const withoutOutcome = ({ t }: Turn, { app, createdAt, deadline, refusal, state, subject }: Interaction): CardMessage => {
  const minutes = Math.ceil((deadline - createdAt) / 60_000);
  if (state === 'refused') return notSent({ app, because: t(refusals[refusal as Trouble] ?? refusals.unavailable, { minutes }) }, t);
  if (state === 'unknown') return notSent({ app }, t);
  return unresolved({ app, subject }, t);
};
