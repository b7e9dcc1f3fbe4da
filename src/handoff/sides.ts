// The interfaces through which dialogs and hubs use handoffs.

import type { Log } from '../platform/log.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Agent, HandoffEnding, HandoffRecord, HandoffStore, HubEventDraft } from '../storage/index.ts';
import type { Assertions, VerificationState } from '../verification/index.ts';
import type { Acting, ActResult, AgentAct } from './acts.ts';
import type { Escalation, HandoffCase } from './case.ts';
import type { Hub } from './hub.ts';
import type { HandoffRules } from './rules.ts';
import type { ChatPlace } from './running.ts';
import type { TurnContext } from './sdk.ts';

/**
 * Whether the bot can ask for a person. `closed`: agents are back at `opens` (epoch ms), if known. `none`: no hub takes
 * such a chat, nor a message in it.
 */
export type Availability = { readonly kind: 'none' | 'open' | 'nobody' } | { readonly kind: 'closed'; readonly opens?: number };

/** How dialogs ask for a person. */
export interface Handoffs {
  /** Whether anybody can come now: into a chat of that `serviceUrl`, or into any. */
  canCome(serviceUrl?: string): boolean;
  /** Whether any hub shows the chats that are with the bot. */
  readonly seesRunning: boolean;
  /** `serviceUrl`: that of the chat. */
  availability(about: Escalation & { readonly language: string }, serviceUrl: string): Availability;
  /**
   * Asks for a person and returns the record; an open one is returned as it is. `initiate`: to be called once
   * everything has been said, since a hub in the channel may then take the bot out of the chat. `known`: the record that the chat knows
   * of. `into`: the hub whose agent joins, and the new record's id. `undefined`: no hub takes such a chat.
   */
  request(
    context: TurnContext,
    chat: ChatPlace,
    about: HandoffCase,
    known: string | undefined,
    into?: { readonly hub: string; readonly id: string },
  ): Promise<{ readonly record: HandoffRecord; readonly added: boolean; readonly initiate?: () => Promise<void> } | undefined>;
  get(id: string): Promise<HandoffRecord | undefined>;
  take(id: string, agent: Agent): Promise<HandoffRecord | undefined>;
  /** The agent who has it is gone, so it waits for another one, as long as the rules say. */
  release(id: string): Promise<HandoffRecord | undefined>;
  /** Ends it, and reports to the hub who ended it. */
  end(id: string, ending: HandoffEnding, by: 'customer' | 'agent' | 'nobody' | 'hub', wrapUp?: string): Promise<HandoffRecord | undefined>;
  /** Reports to the hub what happens in the chat, unless the hub sees that itself. */
  tell(handoff: HandoffRecord, event: HubEventDraft): Promise<void>;
  /** The customer is typing; nothing is stored. */
  typing(handoff: HandoffRecord): void;
}

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

export interface HandoffsOptions {
  readonly hubs: readonly Hub[];
  readonly rules: HandoffRules;
  readonly store: HandoffStore;
  /** Unset: no proofs. */
  readonly assertions?: Assertions | undefined;
  /** Whether other replicas share the database. */
  readonly shared: boolean;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly jitter?: () => number;
  /** Called for every handoff that has changed or has a new event. Another process may have changed it again since. */
  readonly changed?: (id: string) => void;
  /** Called when an event will never reach its hub. */
  readonly givenUp?: (event: { readonly hub: string; readonly event: string }) => void;
  /** Called when what agents did after the end of a handoff could not be read. */
  readonly pollGivenUp?: (hub: string) => void;
  /** Called when the customer of a handoff is typing. */
  readonly typing?: (id: string) => void;
}

/** Handoffs with the schedulers of one process. */
export interface HandoffsEngine extends Handoffs, AgentSide {
  /** Starts delivering events and watching deadlines. `turn` runs an act in its chat. */
  open(turn: (acting: Acting) => Promise<void>): void;
  close(): Promise<void>;
}
