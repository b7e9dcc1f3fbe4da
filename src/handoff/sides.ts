// The interfaces through which hubs use handoffs.
import type { Acting, ActResult, Agent, AgentAct, ChatPlace, HandoffRecord, Handoffs } from '../escalation/index.ts';
import type { QueueParts } from '../platform/retry-queue.ts';
import type { VerificationState } from '../verification/index.ts';
import type { Hub } from './hub.ts';
import type { HandoffStore } from './store/handoff-statements.ts';

/** How hubs act in chats. */
export interface AgentSide {
  /** A handoff of this hub. */
  of(hub: string, id: string): Promise<HandoffRecord | undefined>;
  list(hub: string, limit: number): Promise<HandoffRecord[]>;
  events: HandoffStore['events'];
  /**
   * `by`: the agent who acts, refused unless they have the chat when it is their act's turn.
   * @throws the channel's error if it could not be reached: the act may be repeated under the same id.
   */
  act(handoff: HandoffRecord, act: AgentAct, by?: string): Promise<ActResult>;
  /** An agent of a hub joins a chat that is with the bot. @throws as {@link AgentSide.act} does. */
  come(hub: string, chat: ChatPlace, agent: Agent): Promise<ActResult>;
  /** A handoff of this hub, by the hub's own name for it. */
  at(hub: string, place: string): Promise<HandoffRecord | undefined>;
  /** Something may have happened at a hub's place, which is read. `false`: the place is not ours. */
  hint(hub: string, place: string): Promise<boolean>;
  /** Proves a verification that an event reported to the handoff's hub, if it still is the chat's. */
  prove(handoff: HandoffRecord, told: VerificationState | undefined): Promise<string | undefined>;
}

/** What a hub's deliveries and polls share. */
export interface HubQueue extends QueueParts {
  readonly hub: Hub;
  readonly store: HandoffStore;
  /** Called when an event will never reach its hub. */
  readonly givenUp?: ((event: { readonly hub: string; readonly event: string }) => void) | undefined;
  /** Called when what agents did after the end of a handoff could not be read. */
  readonly pollGivenUp?: ((hub: string) => void) | undefined;
}

/** Handoffs with the schedulers of one process. */
export interface HandoffsEngine extends Handoffs, AgentSide {
  /** Starts delivering events and watching deadlines. `turn` runs an act in its chat. */
  open(turn: (acting: Acting) => Promise<void>): void;
  close(): Promise<void>;
}
