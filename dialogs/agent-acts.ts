// What a person does from their side, carried out in a turn of the customer's chat.
import { isAppId } from '../src/contract/index.ts';
import type { Acting, ActResult, AgentAct, Handoffs } from '../src/handoff/index.ts';
import { say } from './activities.ts';
import { beginFlow, stopFlow } from './agent-flow.ts';
import { startForAgent } from './agent-start.ts';
import { bringIn, offerMessage } from './escalation.ts';
import { innermost } from './innermost.ts';
import { remember } from './memory.ts';
import { isOn, namedAgent, partWith } from './person.ts';
import type { Activity, DialogContext } from './sdk.ts';
import { isShared, type Turn } from './turn.ts';

/** Carries an act out, and leaves its result where whoever asked for it finds it. `goOn` goes on with the bot. */
export const obeyAgent = async (
  dc: DialogContext,
  turn: Turn,
  acting: Acting,
  goOn: (greeting: string) => Promise<void>,
): Promise<void> => {
  const { handoffs } = turn.services;
  const { handoff, act } = acting;
  if (act.kind === 'come') {
    acting.result = handoffs ? await come(dc, turn, handoff.id, act, handoffs) : { refused: 'over' };
    return;
  }
  // As it stands now that the chat's turn is ours.
  const person = await handoffs?.get(handoff.id);
  turn.person = person;
  if (!handoffs || !person || person.state === 'over') acting.result = { refused: 'over' };
  else {
    // A turn that died, or the chat that somebody has picked, may not know of it.
    if (turn.memory.person?.id !== person.id) turn.memory.person = { id: person.id };
    acting.result = await carryOut(dc, turn, act, handoffs, goOn);
  }
};

const carryOut = async (
  dc: DialogContext,
  turn: Turn,
  act: Exclude<AgentAct, { kind: 'come' }>,
  handoffs: Handoffs,
  goOn: (greeting: string) => Promise<void>,
): Promise<ActResult> => {
  const { t } = turn;
  const person = turn.person as NonNullable<Turn['person']>;
  switch (act.kind) {
    case 'accept':
      if (isOn(turn) && person.agent?.id !== act.agent.id) return { refused: 'taken' };
      return join(dc, turn, act.agent, handoffs);
    case 'transfer':
      return isOn(turn) ? join(dc, turn, act.agent, handoffs) : { refused: 'not_accepted' };
    case 'say':
      return isOn(turn) ? speak(turn, act) : { refused: 'not_accepted' };
    case 'start':
      return isOn(turn) ? startForAgent(dc, turn, act) : { refused: 'not_accepted' };
    case 'flow':
      return isOn(turn) ? beginFlow(dc, turn, act) : { refused: 'not_accepted' };
    case 'typing':
      if (isOn(turn) && turn.channel.typing) await turn.context.sendActivity({ type: 'typing' });
      return { done: true };
    case 'stop':
      return isOn(turn) ? stopFlow(dc, turn) : { refused: 'not_accepted' };
    case 'finish':
    case 'return': {
      const finishes = act.kind === 'finish';
      const ending = finishes ? 'finished' : 'returned';
      const agent = namedAgent(turn);
      // Said before it is kept: who dies in between is asked again, and the customer has heard it.
      turn.person = { ...person, state: 'over', ending };
      partWith(turn);
      await goOn(t(finishes ? 'agent.finished' : 'agent.returned', { agent }));
      turn.person = await handoffs.end(person.id, ending, 'agent', finishes ? act.wrapUp : undefined);
      return { done: true };
    }
    case 'expire':
    case 'fail': {
      if (isOn(turn)) return { refused: 'taken' };
      const late = act.kind === 'expire';
      const ending = late ? 'timed_out' : 'failed';
      turn.person = { ...person, state: 'over', ending };
      await offerMessage(turn, t(late ? 'agent.timedOut' : 'agent.failed'));
      turn.person = await handoffs.end(person.id, ending, late ? 'nobody' : 'agent');
      return { done: true };
    }
    default:
      return act satisfies never;
  }
};

/** A person comes whom nobody has asked for. Where one was asked for meanwhile, they come as that one. */
const come = async (
  dc: DialogContext,
  turn: Turn,
  id: string,
  { agent, hub }: Extract<AgentAct, { kind: 'come' }>,
  handoffs: Handoffs,
): Promise<ActResult> => {
  const { context, memory, person } = turn;
  if (isShared(context.activity)) return { refused: 'over' };
  const app = dc.activeDialog?.id;
  const open = person && person.state !== 'over' ? person : await bringIn(turn, isAppId(app) ? app : undefined, { hub, id });
  if (open?.hub !== hub || (open.agent && open.agent.id !== agent.id)) return { refused: 'taken' };
  turn.person = open;
  if (memory.person?.id !== open.id) memory.person = { id: open.id };
  const joined = await join(dc, turn, agent, handoffs);
  return 'done' in joined ? { ...joined, handoff: open.id } : joined;
};

/** A person takes the chat. The customer is told once; what the bot was asking is not asked any more. */
const join = async (
  dc: DialogContext,
  turn: Turn,
  agent: { id: string; name?: string | undefined },
  handoffs: Handoffs,
): Promise<ActResult> => {
  const { memory, t } = turn;
  const { id } = turn.person as NonNullable<Turn['person']>;
  const record = await handoffs.take(id, agent);
  if (!record) return { refused: 'over' };
  turn.person = record;
  delete memory.message;
  const { agent: before, flow, said } = memory.person ?? {};
  if (before !== agent.id) {
    const first = record.reason === 'taken' ? 'agent.cameIn' : 'agent.joined';
    const text = t(before === undefined ? first : 'agent.transferred', { agent: namedAgent(turn) });
    await say(turn, text, { ...spokenBy(turn), deliveryKey: `handoff:${id}:${agent.id}`, alert: true });
  }
  memory.person = { id, agent: agent.id, ...(said && { said }), ...(flow && { flow }) };
  if (dc.activeDialog && !flow && innermost(dc)?.id !== 'wait') await dc.cancelAllDialogs();
  return { done: true };
};

/** For a page that shows who speaks. */
const spokenBy = ({ person }: Turn) => ({ channelData: { agent: { name: person?.agent?.name ?? '' } } });

/** Says what the person has written, once. */
const speak = async (turn: Turn, { id, text, files = [] }: Extract<AgentAct, { kind: 'say' }>): Promise<ActResult> => {
  const { context, memory, notes } = turn;
  if (memory.person?.said?.includes(id)) return { done: true };
  const about = spokenBy(turn).channelData;
  const base: Partial<Activity> = { type: 'message', locale: turn.t.locale };
  const messages: Partial<Activity>[] = [
    ...(text === undefined ? [] : [{ ...base, text, textFormat: 'plain', channelData: { ...about, deliveryKey: `agent:${id}` } }]),
    // Some channels make two messages of words and a file, and then tell the name of neither.
    ...files.map((file, index) => ({ ...base, attachments: [file], channelData: { ...about, deliveryKey: `agent:${id}:${index}` } })),
  ];
  for (const message of messages) await context.sendActivity(message);
  notes?.said.push({ from: 'agent', text: text ?? files.map(({ name }) => name).join(', ') });
  if (memory.person) memory.person = { ...memory.person, said: remember(memory.person.said, id) };
  return { done: true };
};
