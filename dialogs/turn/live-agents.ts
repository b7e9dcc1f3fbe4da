// Live agents (src/handoff), as the conversation sees them. Without them nobody joins a chat.
import type { Interaction } from '../../src/interactions/index.ts';
import type { Escalation } from '../escalation/case.ts';
import type { DialogContext, DialogTurnResult } from '../sdk.ts';
import type { Extras } from './activities.ts';

/** `Turn`: that of turn.ts, which imports this file. */
export interface LiveAgents<Turn extends { readonly memory: object }> {
  /**
   * Whether one can come now: into a chat of that `serviceUrl`, or into any; or a `call` can be transferred.
   * `undefined`: no hub brings any.
   */
  canCome(serviceUrl: string | undefined, call: boolean): boolean | undefined;
  /** An agent has `joined`; one is `awaited`, and reads what is said; or a message for one was `offered`. */
  state(chat: Pick<Turn, 'memory'>): 'joined' | 'awaited' | 'offered' | undefined;
  /** The agent who has begun the running flow, as named in results. */
  starter(chat: Pick<Turn, 'memory'>): string | undefined;
  /**
   * Runs a turn, and reports to agents what it has changed. Returns the chat's entry in the list of running chats, if it
   * belongs there.
   */
  beside(dc: DialogContext, turn: Turn, run: () => Promise<void>): Promise<object | undefined>;
  /** Takes a turn that an agent or a hub has caused; `false`: neither has. */
  acts(dc: DialogContext, turn: Turn): Promise<boolean>;
  /** Takes the customer's input if it is for an agent; `false`: it is for the bot. */
  takes(dc: DialogContext, turn: Turn): Promise<boolean>;
  /** Asks for an agent, and tells the customer what to expect; `false`: no hub brings any, and nothing was said. */
  ask(turn: Turn, escalation: Escalation, answer: NonNullable<Extras['answer']>): Promise<boolean>;
  /** Learns that a dialog has ended: it may be a flow that an agent has begun. */
  ended(turn: Turn, result: DialogTurnResult): Promise<void>;
  /** Learns how a request of this chat ended. `ending` names the end. */
  outcome(turn: Turn, interaction: Interaction, ending: string): Promise<void>;
  /** The customer has left. */
  leave(turn: Turn): Promise<void>;
}
