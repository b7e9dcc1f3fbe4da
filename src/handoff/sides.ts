// What the dialogs and the hubs ask of handoffs.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Agent, HandoffEnding, HandoffRecord, HandoffStore, LetterDraft } from '../storage/index.ts';
import type { Assertions, VerificationState } from '../verification/index.ts';
import type { Acting, ActResult, AgentAct } from './acts.ts';
import type { Escalation, HandoffCase } from './case.ts';
import type { Hub } from './hub.ts';
import type { HandoffRules } from './rules.ts';
import type { ChatPlace } from './running.ts';
import type { TurnContext } from './sdk.ts';

/** Whether a person can be asked for. `closed`: they are there again at `opens` (epoch ms), where that is known. */
export type Availability = { readonly kind: 'open' | 'nobody' } | { readonly kind: 'closed'; readonly opens?: number };

/** How the dialogs bring people in. */
export interface Handoffs {
  /** Whether anybody can come now, whoever asks. */
  canCome(): boolean;
  /** Whether somebody may see which chats run with the bot. */
  readonly seesRunning: boolean;
  availability(about: Escalation & { readonly language: string }): Availability;
  /**
   * Asks for a person, and answers the record; one that is open already is answered as it is. `known`: the record that
   * the chat knows of. `into`: the hub whose agent is coming, and the name of the new record. `undefined`: no hub takes
   * such a chat.
   */
  request(
    context: TurnContext,
    chat: ChatPlace,
    about: HandoffCase,
    known: string | undefined,
    into?: { readonly hub: string; readonly id: string },
  ): Promise<{ readonly record: HandoffRecord; readonly added: boolean } | undefined>;
  get(id: string): Promise<HandoffRecord | undefined>;
  take(id: string, agent: Agent): Promise<HandoffRecord | undefined>;
  /** Ends it, and tells the hub who did. */
  end(id: string, ending: HandoffEnding, by: 'customer' | 'agent' | 'nobody' | 'hub', wrapUp?: string): Promise<HandoffRecord | undefined>;
  /** Tells the hub what happens in the chat, where it does not see that itself. */
  tell(handoff: HandoffRecord, letter: LetterDraft): Promise<void>;
  /** The customer is writing: nothing that would be kept. */
  typing(handoff: HandoffRecord): void;
}

/** How hubs act in chats. */
export interface AgentSide {
  /** One of a hub's. */
  of(hub: string, id: string): Promise<HandoffRecord | undefined>;
  list(hub: string, limit: number): Promise<HandoffRecord[]>;
  letters: HandoffStore['letters'];
  /** @throws what the channel throws where it could not be reached: it may be tried again, under the same id. */
  act(handoff: HandoffRecord, act: AgentAct): Promise<ActResult>;
  /** An agent of a hub comes into a chat that runs with the bot. @throws as {@link AgentSide.act} does. */
  come(hub: string, chat: ChatPlace, agent: Agent): Promise<ActResult>;
  /** One of a hub's, by what the hub knows it by. */
  at(hub: string, place: string): Promise<HandoffRecord | undefined>;
  /** Something may have happened at a place of a hub's, which is read for it. `false`: it is none of ours. */
  hint(hub: string, place: string): Promise<boolean>;
  /** Proves a verification that holds to a hub. */
  prove(hub: string, verification: VerificationState): Promise<string | undefined>;
}

export interface HandoffsOptions {
  readonly hubs: readonly Hub[];
  readonly rules: HandoffRules;
  readonly store: HandoffStore;
  /** Unset: nothing is proved to anybody. */
  readonly assertions?: Assertions | undefined;
  /** Whether other replicas share the database. */
  readonly shared: boolean;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly random?: () => number;
  /** Hears of every handoff that has changed, or has been told something. Another process may have changed it again. */
  readonly changed?: (id: string) => void;
  /** Hears that the customer of one is writing. */
  readonly typing?: (id: string) => void;
}

/** What the chats may still be told of it, once it is over: the schedulers of one process. */
export interface HandoffsEngine extends Handoffs, AgentSide {
  /** Begins to bring letters and to watch the time. `turn` runs an act in its chat. */
  open(turn: (acting: Acting) => Promise<void>): void;
  close(): Promise<void>;
}
