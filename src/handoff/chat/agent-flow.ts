// A flow that an agent begins for the customer: it asks in the chat, where the customer answers, and the agent stays
// and watches its progress.
import { type AppEnding, callerIn, type FlowEnding, type FlowWish, hasAgent, innermost, proofsOf, say } from '../../../dialogs/index.ts';
import type { ActResult, BeginFlowAct } from '../agent-act.ts';
import { type DialogContext, type DialogTurnResult, DialogTurnStatus } from '../sdk.ts';
import { type AgentMemory, type AgentTurn, namedAgent } from './agent-turn.ts';
import { shortened } from './agent-view.ts';
import { forward } from './report.ts';

/** Passes the customer's answer to the agent's flow, if it asks for one. The agent sees it too, unless it is secret. */
export const answerFlow = async (dc: DialogContext, turn: AgentTurn): Promise<DialogTurnResult | undefined> => {
  const asks = hasAgent(turn) && turn.memory.person?.flow && dc.activeDialog?.id === 'flow' && innermost(dc)?.id !== 'wait';
  if (!asks) return undefined;
  if (!turn.notes?.secret) await forward(turn);
  return dc.continueDialog();
};

/** Runs a turn, and shows the agent what the bot has said in it for their flow. */
export const besideFlow = async (dc: DialogContext, turn: AgentTurn, run: () => Promise<void>): Promise<void> => {
  const { memory } = turn;
  const runs = () => memory.person?.flow !== undefined && dc.activeDialog?.id === 'flow';
  const ran = runs();
  await run();
  // It may have ended while no agent had the chat.
  const { flow, ...person } = memory.person ?? {};
  if (flow && !runs()) memory.person = person as NonNullable<AgentMemory['person']>;
  if (hasAgent(turn) && (ran || memory.person?.flow)) await showFlow(turn);
};

/** Begins the flow. A flow that is already running is stopped, as an app would stop it. */
export const beginFlow = async (
  dc: DialogContext,
  turn: AgentTurn,
  { agentId, flow: name, id, inputs: given = {} }: BeginFlowAct,
): Promise<ActResult> => {
  const { handoffs, memory, person, services, t } = turn;
  const { flow: running } = memory.person ?? {};
  if (running?.id === id) return running.name === name ? { done: true } : { refused: 'id_taken' };
  const all = services.flows?.described(t) ?? [];
  const flow = all.find((one) => one.flow === name);
  if (!flow || !memory.person || !person) return { refused: 'unknown_choice', choices: all.map(({ flow: id, title }) => ({ id, title })) };
  const inputs = flow.inputs.safeParse(given);
  if (!inputs.success) return { refused: 'blanks_missing' };
  await stopFlow(dc, turn);
  await dc.cancelAllDialogs();
  const data = { flow: name, agentId, agent: person.agent };
  await handoffs?.report(person, { type: 'started', key: `started ${id}`, data });
  await say(turn, t('agent.started', { agent: namedAgent(turn), app: flow.title }));
  memory.person = { ...memory.person, flow: { id, name, agentId } };
  const proof = proofsOf(turn).at(-1);
  const caller = callerIn(proof?.phoneNumber ?? memory.phoneNumber, proof?.phoneNumber && proof.customerRef);
  const wish: FlowWish = { flow: name, words: '', inputs: inputs.data as FlowWish['inputs'] & object, ...caller };
  await endFlow(turn, await dc.beginDialog('flow', wish));
  return { done: true };
};

/** Stops the flow because the agent says so: the customer may be about to answer its question. */
export const stopForAgent = async (dc: DialogContext, turn: AgentTurn): Promise<ActResult> => {
  const { flow } = turn.memory.person ?? {};
  if (flow) await say(turn, turn.t('agent.stopped', { agent: namedAgent(turn) }), { deliveryKey: `stopped:${flow.id}` });
  return stopFlow(dc, turn);
};

/** Stops the flow. Its sent requests go on, and their outcomes are delivered. */
export const stopFlow = async (dc: DialogContext, turn: AgentTurn): Promise<ActResult> => {
  if (turn.memory.person?.flow) {
    await dc.cancelAllDialogs();
    await endFlow(turn, { status: DialogTurnStatus.complete });
  }
  return { done: true };
};

/** Notifies the agent how the flow ended, if it has. */
export const endFlow = async (turn: AgentTurn, { result, status }: DialogTurnResult): Promise<void> => {
  const { handoffs, memory, person } = turn;
  const { flow, ...rest } = memory.person ?? {};
  if (!flow || !person || status !== DialogTurnStatus.complete) return;
  memory.person = { id: person.id, ...rest };
  const ending = result as AppEnding | FlowEnding | undefined;
  const data = { flow: flow.name, status: ending?.kind === 'flow-ended' ? ending.status : 'cancelled' };
  await handoffs?.report(person, { type: 'flow', key: `flow ${flow.id}`, data });
};

/** Shows the agent what the bot has said in the flow in this turn. */
const showFlow = async ({ handoffs, notes, person, services }: AgentTurn): Promise<void> => {
  const lines = (notes?.said ?? []).flatMap(({ from, text }) => (from === 'bot' ? [shortened(text)] : []));
  if (person && lines.length > 0) await handoffs?.report(person, { type: 'bot', key: `bot ${services.newId()}`, data: { lines } });
};
