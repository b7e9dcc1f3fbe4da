// Telling how an interaction ended: once per chat, with a card or a text that say the same.
import { type CardMessage, notSent, outcomeCard, type TextKey, unresolved } from '../cards/index.ts';
import type { Interaction, Outcome, Trouble } from '../src/interactions/index.ts';
import { faultFields } from '../src/platform/log.ts';
import { noteVerification, requireVerified } from '../src/verification/index.ts';
import { type Extras, say } from './activities.ts';
import { lastOf, remember } from './memory.ts';
import { tellPerson } from './person.ts';
import { TurnContext } from './sdk.ts';
import type { Turn } from './turn.ts';

/** What a chat remembers of an ending that it has told. An end that was unknown may be followed by another, which is told too. */
const endingOf = ({ id, alike, outcome }: Interaction) =>
  outcome?.late ? `${id}:late` : alike && outcome?.status === 'success' ? `${id}:success` : id;

/** Whoever has left a request that may not exist is told only if it succeeds. */
export const leave = ({ memory }: Turn, { app, id }: Interaction): void => {
  memory.told = remember(memory.told, id);
  memory.last = { app, ending: 'cancelled' };
};

/** Whether they have. */
export const hasLeft = ({ memory }: Turn, { alike, id }: Interaction): boolean => alike === true && (memory.told?.includes(id) ?? false);

/** Whether this chat has told it before. */
const isDelivered = ({ memory }: Turn, interaction: Interaction): boolean => memory.told?.includes(endingOf(interaction)) ?? false;

/**
 * Tells the ending unless this chat has been told. `channelData.interaction` is for a page or hub that embeds the chat;
 * a refusal or an unknown fate is no outcome, so it carries none. That it was told is kept before anything else is said:
 * should the rest of the turn fail, it is not told again. One that its channel refuses, in words too, is given up: the chat goes on.
 */
export const deliverOutcome = async (turn: Turn, interaction: Interaction): Promise<void> => {
  const { memory, services } = turn;
  const { app, id, state, delivered: told } = interaction;
  if (isDelivered(turn, interaction)) return;
  // What was proved hours ago proves nothing of who writes now.
  if (!interaction.outcome?.late) noteVerification(memory, interaction);
  memory.told = remember(memory.told, endingOf(interaction));
  memory.last = lastOf(interaction);
  const { alike, outcome, requestId } = interaction;
  if (requestId !== undefined && !(alike && outcome?.status !== 'success')) memory.requests = remember(memory.requests, requestId);
  await tellPerson(turn, interaction, endingOf(interaction));
  // What could not be delivered is told to a customer who is here again.
  if (told && state !== 'undeliverable') return;
  try {
    await say(turn, ...(await ending(turn, interaction)));
  } catch (fault) {
    if (!isRefused(fault)) throw fault;
    const { status } = fault as { status?: unknown };
    const fields = { ...faultFields(fault), app, interaction: id, ...(typeof status === 'number' && { status }) };
    services.log.warn(fields, 'an outcome is undeliverable: the channel refuses it, in words too');
    await services.interactions.markDelivered(interaction, 'unreachable');
    return;
  }
  await services.interactions.markDelivered(interaction);
};

/** A refusal that is told in another way: where it can be put right at once, that is all there is to say. */
export const passOver = async ({ memory, services }: Turn, interaction: Interaction): Promise<void> => {
  memory.told = remember(memory.told, endingOf(interaction));
  memory.last = lastOf(interaction);
  await services.interactions.markDelivered(interaction);
};

/** The channel will never take this message; another it may (bot: connector error `rejected`). */
const isRefused = (fault: unknown) => (fault as { code?: unknown }).code === 'rejected';

/**
 * What is said of it. The customer's own turn may say it, and the turn that brings the news: both under the same name.
 */
const ending = async (turn: Turn, interaction: Interaction): Promise<[CardMessage, Extras]> => {
  const { app, outcome, requestId } = interaction;
  const name = `${endingOf(interaction)}:ending`;
  if (!outcome) return [withoutOutcome(turn, interaction), { deliveryKey: name }];
  const card = await outcomeOf(turn, interaction, outcome);
  // Where nobody may learn whether there was a request, it has no name.
  const named = interaction.alike && outcome.status !== 'success' ? {} : { requestId };
  return [card, { deliveryKey: name, channelData: { interaction: { app, ...named, status: outcome.status } }, alert: true }];
};

const outcomeOf = async (turn: Turn, { id, alike, app, customerRef, subject }: Interaction, outcome: Outcome): Promise<CardMessage> => {
  const { services, t } = turn;
  const { status, at, by, late } = outcome;
  const verified = isVerifiedFor(turn, customerRef);
  // Of a document or a receipt nothing is kept: whoever may see it is shown what the service says now.
  const result = (verified && status === 'success' && (await services.interactions.result(id))) || outcome.result;
  const ended = {
    status,
    at,
    elsewhere: by === 'service',
    verified,
    actions: [],
    ...(result && { result }),
    ...(subject !== undefined && { subject }),
    ...(alike && status !== 'success' && { unmatched: true }),
  };
  return outcomeCard(app, { ...ended, ...(late && { late }) }, t);
};

/** Why a request was refused, in words. What is stored may come from another version. */
const refusals: Readonly<Record<Trouble, TextKey>> = {
  misconfigured: 'trouble.misconfigured',
  busy: 'trouble.busy',
  rejected: 'trouble.rejected',
  failed: 'trouble.failed',
  unavailable: 'trouble.unavailable',
  crowded: 'trouble.crowded',
};

const withoutOutcome = ({ t }: Turn, { app, createdAt, deadline, refusal, state, subject }: Interaction): CardMessage => {
  const minutes = Math.ceil((deadline - createdAt) / 60_000);
  if (state === 'refused') return notSent({ app, because: t(refusals[refusal as Trouble] ?? refusals.unavailable, { minutes }) }, t);
  if (state === 'unknown') return notSent({ app }, t);
  return unresolved({ app, subject }, t);
};

const isVerifiedFor = ({ context, memory, services }: Turn, customerRef: string): boolean =>
  requireVerified(memory, TurnContext.getConversationReference(context.activity), { customerRef }, services.clock.now()).verified;
