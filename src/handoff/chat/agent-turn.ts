// A turn of a chat that agents may join: what it remembers of them, and the handoff that was asked for last.
import { endProofs, type Line, type Memory, type Turn } from '../../../dialogs/index.ts';
import type { HandoffsEngine } from '../handoffs.ts';
import type { HandoffRecord } from '../record.ts';

/** What a chat remembers of agents. The names are stored. */
export interface AgentMemory {
  /** The agent who was asked for last. */
  person?: {
    readonly id: string;
    /** The agent whom the customer was told has joined. */
    readonly agent?: string;
    /** The agent's messages, newest last. */
    readonly said?: readonly string[];
    /** The running flow that the agent has begun: its act, its name, and the agent who asked for it. */
    readonly flow?: { readonly id: string; readonly name: string; readonly agentId: string };
    /** The customer was asked whether to continue with the bot. */
    readonly asked?: true;
    /** The customer has left a message, and then asked for a person: from then on they wait for one. */
    readonly waits?: true;
    /** How often an agent was gone without having said so. */
    readonly released?: number;
    /** The agent has left, and earlier proofs no longer verify anybody. */
    readonly gone?: true;
  };
  /** The last lines, for an agent who takes the chat over; only if one can. */
  transcript?: readonly Line[];
  /** What the chat waits for, and since when (epoch ms), if an agent may see it. */
  waits?: { readonly what: string; readonly since: number };
  /**
   * The offer to leave a message for an absent agent: its buttons, and whether they have asked for it. Chats of an
   * earlier version have a word.
   */
  message?: { readonly leave: string; readonly back: string; readonly asked?: true } | 'offered' | 'asked';
  /** The call was about to be transferred. */
  transferring?: true;
}

/** The turn, and what this folder adds to it. */
export interface AgentTurn extends Turn {
  readonly memory: Memory & AgentMemory;
  /** Unset: no hub is configured. */
  handoffs?: HandoffsEngine | undefined;
  /** The agent who was last asked for in this chat: joined, waited for, or recently gone. */
  person?: HandoffRecord | undefined;
  /** Asks for an agent through the channel, once everything else has been said. */
  initiate?: (() => Promise<void>) | undefined;
  /** The customer has left. */
  left?: true;
}

/** A day: requests sent while an agent had the chat may end after the agent has left, who is still notified. */
const remembered = 24 * 60 * 60_000;

/** Finds the agent who was asked for or has the chat, and stores the record in the turn. */
export const findHandoff = async (turn: AgentTurn): Promise<void> => {
  const { handoffs, memory, services } = turn;
  const found = memory.person && (await handoffs?.get(memory.person.id));
  if (!found || services.clock.now() - (found.endedAt ?? Infinity) > remembered) delete memory.person;
  else turn.person = found;
  // The turn in which the agent left may have died before this was stored.
  if (found?.acceptedAt !== undefined && found.state === 'over') partWith(turn);
};

/** An agent who had the chat has left: the customer may be a different person by now. */
export const partWith = (turn: AgentTurn): void => {
  const { memory } = turn;
  if (!memory.person || memory.person.gone) return;
  memory.person = { ...memory.person, gone: true };
  endProofs(turn);
};

/** The name under which the customer knows the agent. */
export const namedAgent = ({ person }: Pick<AgentTurn, 'person'>): string => person?.agent?.name ?? 'none';
