// Starts an app for the customer, when an agent asks for it.
import {
  type AppDialog,
  appDialogs,
  destinationOf,
  type Gathered,
  gather,
  innermost,
  passOver,
  planOf,
  proofsOf,
  say,
  titleOf,
  type Values,
} from '../../../dialogs/index.ts';
import { type Interaction, isAsked } from '../../interactions/index.ts';
import { maskPhoneNumber } from '../../platform/text/masks.ts';
import { changeCustomer } from '../../verification/index.ts';
import type { ActResult, AgentAct, StartAct } from '../agent-act.ts';
import type { DialogContext } from '../sdk.ts';
import { stopFlow } from './agent-flow.ts';
import { type AgentTurn, namedAgent } from './agent-turn.ts';

/**
 * Starts an app for the customer: it is sent without a question in the chat, which shows the wait. Missing or wrong
 * values are refused, and the customer is not told.
 */
export const startForAgent = async (dc: DialogContext, turn: AgentTurn, act: StartAct): Promise<ActResult> => {
  const { services, t } = turn;
  const before = await startedBefore(turn, act);
  // If it waits but this chat does not wait for it, a turn that died began it: the chat is shown it now.
  const shown = innermost(dc)?.state?.interactionId === act.id;
  if (before && ('refused' in before || shown || before.interaction?.state !== 'waiting')) return before;
  const app = appDialogs[act.app] as AppDialog;
  const gathered = await gatherIn(turn, act);
  if ('refused' in gathered) return gathered;
  const plan = { ...planOf(turn, app, gathered, act.id), agentId: act.agentId };
  const interaction = await services.interactions.start(plan, t.language);
  if (isTaken(turn, act, interaction)) return { refused: 'id_taken' };
  if (interaction.state !== 'waiting' && interaction.state !== 'intended') {
    await passOver(turn, interaction);
    return { refused: 'service' };
  }
  await stopFlow(dc, turn);
  await dc.cancelAllDialogs();
  await say(turn, t('agent.started', { agent: namedAgent(turn), app: titleOf(turn, act.app) }));
  const price = app.price?.(gathered);
  const values: Values = { ...gathered, interactionId: act.id };
  await dc.beginDialog(act.app, { started: { values, to: destinationOf(turn, app, gathered), ...(price && { price }) } });
  return { done: true, interaction: summaryOf(interaction) };
};

/** The answer to an act whose id is known; `undefined` if it is new. */
export const startedBefore = async (turn: AgentTurn, act: StartAct): Promise<ActResult | undefined> => {
  const known = await turn.services.interactions.get(act.id);
  return known && (isTaken(turn, act, known) ? { refused: 'id_taken' } : { done: true, interaction: summaryOf(known) });
};

const isTaken = ({ context, services }: AgentTurn, act: StartAct, by: Interaction) =>
  by.conversation !== services.chatOf(context.activity).conversation || !isAsked(by, act);

/** Cancels a request that this agent has sent from this chat, which hears of it like of any other end. */
export const cancelForAgent = async ({ context, services }: AgentTurn, act: Extract<AgentAct, { kind: 'cancel' }>): Promise<ActResult> => {
  const known = await services.interactions.get(act.id);
  const isTheirs = known?.conversation === services.chatOf(context.activity).conversation && known.agentId === act.agentId;
  if (!isTheirs || (await services.interactions.cancel(act.id)) === 'over') return { refused: 'unknown_choice' };
  return { done: true };
};

const summaryOf = ({ customerRef, id, phoneNumber, requestId, state }: Interaction) => ({
  ...{ id, state, customerRef, phone: maskPhoneNumber(phoneNumber) },
  ...(requestId !== undefined && { requestId }),
});

/** Gathers what the waterfall would have asked for. */
const gatherIn = async (turn: AgentTurn, act: StartAct): Promise<Gathered | Extract<ActResult, { refused: string }>> => {
  const { memory, services } = turn;
  const now = services.clock.now();
  const proof = proofsOf(turn).at(-1);
  const phoneNumber = act.phoneNumber ?? proof?.phoneNumber ?? memory.phoneNumber;
  if (phoneNumber === undefined) return { refused: 'unknown_customer' };
  const customerRef = act.customerRef ?? (proof?.phoneNumber === phoneNumber ? proof.customerRef : undefined);
  memory.sessionRef ??= services.newId();
  const gathered = await gather(turn, { ...act, phoneNumber, customerRef, sessionRef: memory.sessionRef });
  if ('refused' in gathered) return gathered;
  if (act.forAnother === false && proof && proof.customerRef !== gathered.customer.id) return { refused: 'other_customer' };
  changeCustomer(memory, gathered.customer.id, now);
  return gathered;
};
