// Carries out the agents' acts, each in a turn of the customer's chat.
import { createHash } from 'node:crypto';
import { endProofs, goOnWithBot, hasAgent, innermost, isShared, remember, say } from '../../../dialogs/index.ts';
import { isAppId } from '../../contract/index.ts';
import { type Acting, type ActResult, type AgentAct, actEndings } from '../agent-act.ts';
import type { Agent, HandoffRecord } from '../record.ts';
import type { Activity, DialogContext } from '../sdk.ts';
import { beginFlow, stopFlow, stopForAgent } from './agent-flow.ts';
import { cancelForAgent, startedBefore, startForAgent } from './agent-start.ts';
import { type AgentTurn, namedAgent, partWith } from './agent-turn.ts';
import { offerMessage } from './left-message.ts';
import { requested } from './request.ts';

/** Carries an act out. */
export const obeyAgent = async (dc: DialogContext, turn: AgentTurn, acting: Acting): Promise<ActResult> => {
  const { handoff, act } = acting;
  if (act.kind === 'come') return come(dc, turn, handoff.id, act);
  // Read again, now that this turn has the chat's lock.
  const person = await turn.handoffs?.get(handoff.id);
  if (act.kind === 'undelivered') {
    // The customer must know, even if the handoff is over by now.
    const said = turn.t('agent.undelivered', { time: turn.t.time(act.at), state: person?.state ?? 'over' });
    await say(turn, said, { deliveryKey: `handoff:${handoff.id}:${act.event}`, alert: true });
    return { done: true };
  }
  turn.person = person;
  if (!person) return { refused: 'over' };
  if (person.state === 'over') return (await answerToRepeat(turn, person, acting)) ?? { refused: 'over' };
  if (!isTheirs(person, acting)) return (await answerToRepeat(turn, person, acting)) ?? { refused: 'not_yours' };
  // If an earlier turn died or an agent picked the chat, its memory may not know the agent yet.
  if (turn.memory.person?.id !== person.id) turn.memory.person = { id: person.id };
  return carryOut(dc, turn, act, person);
};

/**
 * Whether the agent who acts still has the chat: a colleague may have taken it while the act waited for its turn. Who
 * repeats a transfer does not have it any more.
 */
const isTheirs = ({ agent, state }: HandoffRecord, { act, by }: Acting) =>
  by === undefined || state !== 'accepted' || agent?.id === by || (act.kind === 'transfer' && agent?.id === act.agent.id);

/** What an act was answered that had its effect before the handoff ended or changed hands; `undefined`: it had none. */
const answerToRepeat = async (turn: AgentTurn, person: HandoffRecord, { act, by }: Acting): Promise<ActResult | undefined> => {
  if (act.kind === 'say') return saidBefore(turn, person, act);
  if (act.kind === 'start') {
    const started = await startedBefore(turn, act);
    return started && 'done' in started ? started : undefined;
  }
  const isEnded = person.state === 'over' && person.ending !== undefined && person.ending === actEndings[act.kind];
  const isSame = act.kind !== 'finish' || act.wrapUp === person.wrapUp;
  return isEnded && isSame && (by === undefined || by === person.agent?.id) ? { done: true } : undefined;
};

/** Acts that only the agent who has the chat can do. */
const ofOwnChat: ReadonlySet<AgentAct['kind']> = new Set(['transfer', 'say', 'start', 'flow', 'stop', 'cancel']);

const carryOut = async (
  dc: DialogContext,
  turn: AgentTurn,
  act: Exclude<AgentAct, { kind: 'come' | 'undelivered' }>,
  person: HandoffRecord,
): Promise<ActResult> => {
  const { handoffs, t } = turn;
  if (ofOwnChat.has(act.kind) && !hasAgent(turn)) return { refused: 'not_accepted' };
  switch (act.kind) {
    case 'accept':
      if (hasAgent(turn) && person.agent?.id !== act.agent.id) return { refused: 'taken' };
      return join(dc, turn, act.agent, person.id);
    case 'transfer':
      return join(dc, turn, act.agent, person.id);
    case 'say':
      return speak(turn, act);
    case 'start':
      return startForAgent(dc, turn, act);
    case 'flow':
      return beginFlow(dc, turn, act);
    case 'typing':
      if (hasAgent(turn) && turn.channel.typing) await turn.context.sendActivity({ type: 'typing' });
      return { done: true };
    case 'stop':
      return stopForAgent(dc, turn);
    case 'cancel':
      return cancelForAgent(turn, act);
    case 'finish':
    case 'return': {
      const finishes = act.kind === 'finish';
      const ending = finishes ? 'finished' : 'returned';
      const agent = namedAgent(turn);
      // Said before it is stored: after a crash in between, the act is repeated, and the customer has heard it.
      turn.person = { ...person, state: 'over', ending };
      partWith(turn);
      await goOnWithBot(dc, t(finishes ? 'agent.finished' : 'agent.returned', { agent }));
      turn.person = await handoffs?.end(person.id, ending, 'agent', finishes ? act.wrapUp : undefined);
      return { done: true };
    }
    case 'release':
      if (!hasAgent(turn) || person.agent?.id !== act.agent.id) return { refused: 'taken' };
      return release(dc, turn, person);
    case 'expire':
    case 'fail': {
      if (hasAgent(turn)) return { refused: 'taken' };
      const late = act.kind === 'expire';
      const ending = late ? 'timed_out' : 'failed';
      turn.person = { ...person, state: 'over', ending };
      // Whoever left a message is not asked for it a second time.
      if (person.reason === 'message') await say(turn, t('agent.messageLost'), { deliveryKey: `handoff:${person.id}:lost` });
      else await offerMessage(turn, t(late ? 'agent.timedOut' : 'agent.failed'));
      turn.person = await handoffs?.end(person.id, ending, late ? 'nobody' : 'agent');
      return { done: true };
    }
    default:
      return act satisfies never;
  }
};

/**
 * The agent is gone without having said so. The customer waits for another one, with the bot; whoever had been verified
 * is not any more, as in every chat that the bot gets back.
 */
const release = async (dc: DialogContext, turn: AgentTurn, person: HandoffRecord): Promise<ActResult> => {
  const { handoffs, memory, t } = turn;
  await stopFlow(dc, turn);
  const released = (memory.person?.released ?? 0) + 1;
  await say(turn, t('agent.gone', { agent: namedAgent(turn) }), {
    ...spokenBy(turn),
    quick: [t('cards.buttons.menu')],
    deliveryKey: `handoff:${person.id}:gone:${released}`,
    alert: true,
  });
  endProofs(turn);
  const { said } = memory.person ?? {};
  memory.person = { id: person.id, released, ...(said && { said }) };
  turn.person = (await handoffs?.release(person.id)) ?? person;
  return { done: true };
};

/** An agent joins unasked. If the customer has asked for an agent meanwhile, they join as that agent. */
const come = async (
  dc: DialogContext,
  turn: AgentTurn,
  id: string,
  { agent, hub }: Extract<AgentAct, { kind: 'come' }>,
): Promise<ActResult> => {
  const { context, memory, person } = turn;
  if (isShared(context.activity)) return { refused: 'over' };
  const app = dc.activeDialog?.id;
  const escalation = { reason: 'taken', ...(isAppId(app) && { app }) } as const;
  const open = person && person.state !== 'over' ? person : (await requested(turn, escalation, undefined, { hub, id }))?.record;
  if (open?.hub !== hub || (open.agent && open.agent.id !== agent.id)) return { refused: 'taken' };
  turn.person = open;
  if (memory.person?.id !== open.id) memory.person = { id: open.id };
  const joined = await join(dc, turn, agent, open.id);
  return 'done' in joined ? { ...joined, handoff: open.id } : joined;
};

/** An agent takes the chat. The customer is told once, and the bot drops its question. */
const join = async (dc: DialogContext, turn: AgentTurn, agent: Agent, id: string): Promise<ActResult> => {
  const { handoffs, memory, t } = turn;
  const record = await handoffs?.take(id, agent);
  if (!record) return { refused: 'over' };
  turn.person = record;
  delete memory.message;
  const { agent: before, flow, released, said } = memory.person ?? {};
  if (before !== agent.id) {
    const first = record.reason === 'taken' ? 'agent.cameIn' : 'agent.joined';
    const text = t(before === undefined ? first : 'agent.transferred', { agent: namedAgent(turn) });
    await say(turn, text, {
      ...spokenBy(turn),
      deliveryKey: ['handoff', id, agent.id, ...(released ? [released] : [])].join(':'),
      alert: true,
    });
  }
  memory.person = { id, agent: agent.id, ...(said && { said }), ...(flow && { flow }), ...(released && { released }) };
  if (dc.activeDialog && !flow && innermost(dc)?.id !== 'wait') await dc.cancelAllDialogs();
  return { done: true };
};

/** Tells pages that show the speaker who it is. */
const spokenBy = ({ person }: AgentTurn) => ({ channelData: { agent: { name: person?.agent?.name ?? '' } } });

type SayAct = Extract<AgentAct, { kind: 'say' }>;

/** A message as it is remembered: its id, and a digest of what it says. Earlier versions stored the id alone. */
const asSaid = ({ id, text, files = [] }: SayAct) => {
  const digest = createHash('sha256')
    .update(JSON.stringify([text, files]))
    .digest('base64url');
  return `${id} ${digest.slice(0, 12)}`;
};

/** The answer to a message whose id the chat knows; `undefined` if it is new. */
const saidBefore = ({ memory }: AgentTurn, person: HandoffRecord, act: SayAct): ActResult | undefined => {
  const said = memory.person?.id === person.id ? memory.person.said : undefined;
  const before = said?.find((entry) => entry.split(' ', 1)[0] === act.id);
  if (before === undefined) return undefined;
  return before === act.id || before === asSaid(act) ? { done: true } : { refused: 'id_taken' };
};

/** Says what the agent has written, once. */
const speak = async (turn: AgentTurn, act: SayAct): Promise<ActResult> => {
  const { context, memory, notes, person } = turn;
  const { id, text, files = [] } = act;
  const before = person && saidBefore(turn, person, act);
  if (before) return before;
  const about = spokenBy(turn).channelData;
  const base: Partial<Activity> = { type: 'message', locale: turn.t.locale };
  const messages: Partial<Activity>[] = [
    ...(text === undefined ? [] : [{ ...base, text, textFormat: 'plain', channelData: { ...about, deliveryKey: `agent:${id}` } }]),
    // Some channels split words and a file into two messages, and then return neither id.
    ...files.map((file, index) => ({ ...base, attachments: [file], channelData: { ...about, deliveryKey: `agent:${id}:${index}` } })),
  ];
  for (const message of messages) await context.sendActivity(message);
  const { name: agent } = turn.person?.agent ?? {};
  notes?.said.push({ from: 'agent', text: text ?? files.map(({ name }) => name).join(', '), ...(agent !== undefined && { agent }) });
  if (memory.person) memory.person = { ...memory.person, said: remember(memory.person.said, asSaid(act)) };
  return { done: true };
};
