// An app that an agent begins for the customer: sent without a question in the chat, which shows that it waits.
import type { ActResult, StartAct } from '../src/handoff/index.ts';
import type { Interaction } from '../src/interactions/index.ts';
import { changeCustomer, standing } from '../src/verification/index.ts';
import { say } from './activities.ts';
import { stopFlow } from './agent-flow.ts';
import { type AppDialog, destinationOf, type Gathered, planOf, type Values } from './app-dialog.ts';
import { appDialogs } from './apps.ts';
import { innermost } from './innermost.ts';
import { titleOf } from './interruption.ts';
import { passOver } from './outcome.ts';
import { namedAgent } from './person.ts';
import { gather } from './prepared.ts';
import { type DialogContext, TurnContext } from './sdk.ts';
import type { Turn } from './turn.ts';

/** Starts it. What is missing or not so is refused, and the customer hears nothing of it. */
export const startForAgent = async (dc: DialogContext, turn: Turn, act: StartAct): Promise<ActResult> => {
  const { context, services, t } = turn;
  const known = await services.interactions.get(act.id);
  if (known && known.conversation !== services.chatOf(context.activity).conversation) return { refused: 'id_taken' };
  // One that waits, and that this chat does not wait for, was begun by a turn that died: the chat is shown it now.
  const shown = innermost(dc)?.state?.interactionId === act.id;
  if (known && (shown || known.state !== 'waiting')) return { done: true, interaction: told(known) };
  const app = appDialogs[act.app] as AppDialog;
  const gathered = await gatherIn(turn, act);
  if ('refused' in gathered) return gathered;
  const plan = { ...planOf(turn, app, gathered, act.id), agentId: act.agentId };
  const interaction = await services.interactions.start(plan, t.language);
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
  return { done: true, interaction: told(interaction) };
};

const told = ({ id, requestId, state }: Interaction) => ({ id, state, ...(requestId !== undefined && { requestId }) });

/** What the waterfall would have asked for. */
const gatherIn = async (turn: Turn, act: StartAct): Promise<Gathered | Extract<ActResult, { refused: string }>> => {
  const { context, memory, services } = turn;
  const now = services.clock.now();
  const proof = standing(memory, TurnContext.getConversationReference(context.activity), now).at(-1);
  const phoneNumber = act.phoneNumber ?? proof?.phoneNumber ?? memory.phoneNumber;
  if (phoneNumber === undefined) return { refused: 'unknown_customer' };
  const customerRef = act.customerRef ?? (proof?.phoneNumber === phoneNumber ? proof.customerRef : undefined);
  memory.sessionRef ??= services.newId();
  const gathered = await gather(turn, { ...act, phoneNumber, customerRef, sessionRef: memory.sessionRef });
  if (!('refused' in gathered)) changeCustomer(memory, gathered.customer.id, now);
  return gathered;
};
