// One turn as the dialogs see it: the speaker, the language, the input, and the services.
import type { News } from '../../src/interactions/index.ts';
import { rootOf } from '../../src/platform/root-bot.ts';
import type { Handoff } from '../escalation/event-handoff.ts';
import type { Activity, DialogContext, DialogInstance, DialogState, TurnContext } from '../sdk.ts';
import type { Input, Speaker } from './activities.ts';
import type { LiveAgents } from './live-agents.ts';
import type { Memory } from './memory.ts';
import type { CallerServices, CommonServices, OfferServices, RequestServices } from './services.ts';

/** How an agent is reached. */
interface AgentServices {
  /** Agents who join the chat; unset: none do. */
  readonly agents?: LiveAgents<Turn>;
  /** How an agent is asked for where none join; unset: none is. */
  readonly handoff?: Handoff;
  /** Whether an agent can be reached: in a chat of that `serviceUrl`, by a `call`'s transfer, or at {@link agentContact}. */
  readonly person: (serviceUrl: string | undefined, call: boolean) => boolean;
  /** How to reach an agent when none can join the chat: words for the customer. */
  readonly agentContact?: string;
}

export type Services = CommonServices & OfferServices & CallerServices & RequestServices & AgentServices;

/** What a turn has come to, for those who come later in it. */
interface TurnEffects {
  /** Work to do once the turn is saved, in this order. Cosmetic only, since a crash may lose it. */
  readonly afterwards: (() => Promise<void>)[];
  /** What a flow itself says in this turn, where a program reads it. */
  readonly flowSaid?: string[];
  /** The call is being transferred: no more questions are asked. */
  transferred?: boolean;
  /** A message to absent agents was offered: nothing else is asked in this turn. */
  offered?: boolean;
}

/** What came in, who it came from, and the means to answer it. */
export interface Turn extends Speaker, TurnEffects {
  input: Input;
  /** What happened to an interaction, in a proactive turn. */
  readonly news: News | undefined;
  readonly memory: Memory;
  readonly services: Services;
}

type Chat = Pick<Turn, 'memory' | 'services'>;

/** Whether an agent has the chat. */
export const hasAgent = (turn: Chat): boolean => turn.services.agents?.state(turn) === 'joined';

/** Whether the customer waits for an agent who has not joined yet. Whoever has left a message does not. */
export const awaitsAgent = (turn: Chat): boolean => turn.services.agents?.state(turn) === 'awaited';

/** Whether an agent can be reached from this chat: one can join, or a call can be transferred. */
export const canAskForAgent = ({ channel, context, services }: Pick<Turn, 'channel' | 'context' | 'services'>): boolean =>
  services.person(context.activity.serviceUrl, channel.transfers !== undefined);

const key = Symbol('turn');

/** Stores the turn where all its dialogs find it. */
export const carryTurn = (turn: Turn): void => {
  turn.context.turnState.set(key, turn);
};

/** The turn a dialog runs in. */
export const turnOf = (context: TurnContext): Turn => context.turnState.get(key);

/** A chat that others can read: a group, or a channel of a team. */
export const isShared = ({ conversation }: Pick<Activity, 'conversation'>) =>
  conversation.isGroup === true || (conversation.conversationType !== undefined && conversation.conversationType !== 'personal');

/** Whether a root bot runs this conversation as a skill. */
export const isSkill = ({ context }: Pick<Turn, 'context'>): boolean => rootOf(context.activity) !== undefined;

/** The dialogs that are open in a stored stack, from the outside in. */
export const openIn = (dialogs: DialogState | undefined): DialogInstance[] => {
  const top = dialogs?.dialogStack.at(-1);
  return top ? [top, ...openIn(top.state?.dialogs)] : [];
};

/** Whether the open question takes free text. It fills in a document, and nobody else may read it. */
export const asksForWords = (dialogs: DialogState | undefined): boolean => openIn(dialogs).at(-1)?.state?.wordy === true;

/**
 * The dialog that the customer is talking to: the one at the top of the innermost stack. Read from the stacks, since
 * `dc.child` makes a context with memory scopes on every access.
 */
export const innermost = ({ stack }: DialogContext): DialogInstance | undefined => openIn({ dialogStack: stack }).at(-1);
