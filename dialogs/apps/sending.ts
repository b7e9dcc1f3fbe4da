// Sends what was gathered; and decides whether the chat is on the phone that receives the message, so that its link can
// be opened there.

import type { AppId } from '../../src/contract/index.ts';
import { apps, compareCode, hasReturnableLink } from '../../src/contract/index.ts';
import type { Interaction, Plan } from '../../src/interactions/index.ts';
import { maskPhoneNumber } from '../../src/platform/text/masks.ts';
import type { AppDialog, Gathered, Values } from '../asking/app-dialog.ts';
import { originOf } from '../asking/caller.ts';
import { isShared, type Turn } from '../turn/turn.ts';
import { showingTyping } from '../turn/typing.ts';
import { isVerifiedFor } from '../turn/verified.ts';
import type { WaitBeginning } from '../waiting/wait-card.ts';

/** The masked destination of an app's message; with a proviso if the chat may not learn whether it is sent at all. */
export const destinationOf = <Id extends AppId>(turn: Turn, { destination }: AppDialog<Id>, gathered: Gathered<Id>): string => {
  const to = destination?.(turn, gathered) ?? maskPhoneNumber(gathered.phoneNumber);
  return gathered.initials === undefined ? to : turn.t('initials.to', { to });
};

/** What is sent, and where its outcome is delivered. `id` identifies the confirmation. */
export const planOf = <Id extends AppId>(turn: Turn, app: AppDialog<Id>, gathered: Gathered<Id>, id: string): Plan<Id> => ({
  id,
  app: app.id,
  ...turn.services.chatOf(turn.context.activity),
  sessionRef: gathered.sessionRef,
  customerRef: gathered.customer.id,
  phoneNumber: gathered.phoneNumber,
  request: app.request(turn, gathered),
  subject: app.subject?.(turn, gathered),
  ...(gathered.initials !== undefined && { initials: gathered.initials, origin: originOf(turn.context.activity) }),
});

/**
 * Whether the link of a request may be asked for and said in this chat (docs/decisions/0091). The channel itself
 * must state, in this turn, whose number is writing; its links open on that phone, which must receive the message;
 * and nobody else may read along. Never for a number that was typed, or that comes from a token or a directory.
 */
export const isOnThisDevice = async (
  { channel, context, services }: Turn,
  { id }: Pick<AppDialog, 'id'>,
  { initials, phoneNumber }: Pick<Gathered, 'initials' | 'phoneNumber'>,
): Promise<boolean> =>
  services.saysLinks &&
  hasReturnableLink(apps[id]) &&
  channel.opensOnPhone &&
  initials === undefined &&
  !isShared(context.activity) &&
  (await services.callerNumber(context.activity)) === phoneNumber;

/** The most open requests of one customer that are looked through. */
const maxOpen = 20;

/**
 * The customer's open request for the same thing, from this chat or another. Only where the channel itself says that
 * their phone is writing, or they are verified: nobody else may learn of it.
 */
const openAlready = async (turn: Turn, app: AppId, values: Values): Promise<Interaction | undefined> => {
  const { channel, context, services } = turn;
  const { chosen, customer, interactionId, initials, phoneNumber } = values;
  if (chosen === undefined || customer === undefined || initials !== undefined) return undefined;
  const isTheirs =
    isVerifiedFor(turn, customer.id) || (!channel.candidates && (await services.callerNumber(context.activity)) === phoneNumber);
  if (!isTheirs) return undefined;
  const open = await services.interactions.waitingFor(customer.id, maxOpen);
  return open.find((one) => one.app === app && one.id !== interactionId && Object.values(one.request).includes(chosen));
};

/** Notes an open request for the same thing; `code`: the two digits that its message shows, if the service puts any there. */
export const noteOpen = async (turn: Turn, app: AppId, values: Values): Promise<{ readonly open?: { readonly code?: string } }> => {
  const { id, requestId } = (await openAlready(turn, app, values)) ?? {};
  if (id === undefined) return {};
  values.open = id;
  return { open: turn.services.showsCode && requestId !== undefined ? { code: compareCode(requestId) } : {} };
};

/** Whether a request for the same thing is open of which the customer was not told. */
export const isOpenAnew = async (turn: Turn, app: AppId, values: Values): Promise<boolean> => {
  const open = await openAlready(turn, app, values);
  return open !== undefined && open.id !== values.open;
};

/** Sends what was gathered; returns what the wait needs, if there is something to wait for. */
export const sendGathered = async <Id extends AppId>(
  turn: Turn,
  app: AppDialog<Id>,
  gathered: Gathered<Id>,
  interactionId: string,
): Promise<{ readonly interaction: Interaction & { readonly refusedFields?: readonly string[] }; readonly wait?: WaitBeginning }> => {
  const agentId = turn.services.agents?.starter(turn);
  const plan = { ...planOf(turn, app, gathered, interactionId), ...(agentId !== undefined && { agentId }) };
  const returnLink = await isOnThisDevice(turn, app, gathered);
  const starting = turn.services.interactions.start({ ...plan, ...(returnLink && { returnLink }) }, turn.t.language);
  const { link, ...interaction } = await showingTyping(turn, starting);
  // Still an intent: a stop or another process came in between, and the process that owns it will send it.
  if (interaction.state !== 'waiting' && interaction.state !== 'intended') return { interaction };
  const price = app.price?.(gathered);
  const to = destinationOf(turn, app, gathered);
  const here = returnLink && link !== undefined && { link };
  return { interaction, wait: { interactionId: interaction.id, code: gathered.code, to, ...(price && { price }), ...here } };
};
