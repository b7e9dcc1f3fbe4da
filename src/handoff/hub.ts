// The port of a hub: where people sit who take chats over. Each hub is one file beside this one.
import type { Posted } from '../platform/webhook-post.ts';
import type { HandoffRecord, LetterDraft, PendingLetter } from '../storage/index.ts';
import type { ActRefusal, AgentAct } from './acts.ts';
import type { HandoffCase } from './case.ts';
import type { TurnContext } from './sdk.ts';

/** What became of bringing a letter; `place` is what the hub knows the handoff by from now on. */
export type Brought = Posted & { readonly place?: string };

/** Something that an agent has done at a hub. */
export interface AgentStep {
  /** What it means in the chat. */
  readonly act: AgentAct;
  /** The number of the message that it was, where it was one: it is not read again. */
  readonly upTo?: number;
}

export interface Hub {
  /** What rules and records name it by. */
  readonly name: string;
  /** To whom assertions are made out. */
  readonly audience: string;
  /**
   * Asks for a person through the channel itself, in the customer's turn. Such a hub has the chat from then on: it sees
   * what is said there, and says by events of the channel when somebody comes and goes.
   */
  initiate?(context: TurnContext, about: HandoffCase, assertion: string | undefined): Promise<void>;
  /** Its agents read our records: a letter to it has arrived once it is written. */
  readonly readsRecords?: true;
  /** Brings a letter to the hub: at least once under the same id, those of one handoff in order. Never throws. */
  bring?(letter: PendingLetter, handoff: HandoffRecord, assertion: string | undefined, signal: AbortSignal): Promise<Brought>;
  /**
   * Reads what its agents have done in a handoff that it has a place for, oldest first: for a hub that may forget to say
   * so. What was carried out already is left out as far as the record shows it. Throws where it cannot be read now.
   */
  look?(handoff: HandoffRecord, signal: AbortSignal): Promise<readonly AgentStep[]>;
  /** Tells its agents that something of theirs had no effect in the chat, and why. */
  tellRefused?(handoff: HandoffRecord, step: AgentStep, why: ActRefusal, signal: AbortSignal): Promise<void>;
  /**
   * What is kept of an act of its own agents, as a letter like any other: for a hub that shows chats from our records.
   * Unset, or `undefined`: nothing.
   */
  keeps?(act: AgentAct, handoff: HandoffRecord): LetterDraft | undefined;
  /** Its agents see which chats run with the bot, and may come into them. */
  readonly seesRunning?: true;
  /** Whether somebody is there. Unset: as far as anybody knows. */
  isStaffed?(): boolean;
}
