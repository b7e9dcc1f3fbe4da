// Sends what was gathered; and decides whether the chat is on the phone that receives the message, so that its link can
// be opened there.

import type { AppId } from '../src/contract/index.ts';
import { apps, hasReturnableLink } from '../src/contract/index.ts';
import type { Interaction, Plan } from '../src/interactions/index.ts';
import { maskPhoneNumber } from '../src/platform/masks.ts';
import type { AppDialog, Gathered } from './app-dialog.ts';
import { originOf } from './caller.ts';
import { isShared, type Turn } from './turn.ts';
import { showingTyping } from './typing.ts';
import type { WaitBeginning } from './wait-card.ts';

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

/** Sends what was gathered; returns what the wait needs, if there is something to wait for. */
export const sendGathered = async <Id extends AppId>(
  turn: Turn,
  app: AppDialog<Id>,
  gathered: Gathered<Id>,
  interactionId: string,
): Promise<{ readonly interaction: Interaction & { readonly refusedFields?: readonly string[] }; readonly wait?: WaitBeginning }> => {
  const { agentId } = turn.memory.person?.flow ?? {};
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
