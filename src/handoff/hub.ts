// The port of a hub, the place where agents work. Each hub is one file beside this one.

import type { CaseReference, HandoffCase } from '../../dialogs/index.ts';
import type { Posted } from '../platform/outgoing/webhook-post.ts';
import type { ActRefusal, ActResult, AgentAct } from './agent-act.ts';
import type { HandoffRecord, HubEventDraft, PendingHubEvent } from './record.ts';
import type { Middleware, TurnContext } from './sdk.ts';

/**
 * The result of delivering an event; `place` is the hub's own name for the handoff from now on, even if the rest of the
 * event did not arrive. `seen`: the number of the last message there from before the handoff.
 */
export type DeliveryResult = Posted & { readonly place?: string; readonly seen?: number };

/** Something that an agent did at a hub. */
export interface AgentStep {
  /** The act in the chat. */
  readonly act: AgentAct;
  /** The number of the message, if it was one: it is not read again. */
  readonly upTo?: number;
}

export interface Hub {
  /** The hub's name in rules and records. */
  readonly name: string;
  /** The audience of its assertions. */
  readonly audience: string;
  /**
   * Asks for a person through the channel itself, in the customer's turn and after everything else that is said there.
   * From then on such a hub sees what is said in the chat, and sends events of the channel when an agent comes and
   * goes, or takes the bot out of it.
   */
  initiate?(context: TurnContext, about: HandoffCase, reference: CaseReference): Promise<void>;
  /** Changes what the bot sends through the channel, for a hub that needs it in another form. */
  readonly middleware?: Middleware;
  /** The hub's agents are members of the chat's channel, so chats of our own Direct Line do not reach them. */
  readonly inChannel?: true;
  /** The hub's agents read our records: an event has arrived as soon as it is stored. */
  readonly readsRecords?: true;
  /** Delivers an event to the hub: at least once under the same id, and those of one handoff in order. Never throws. */
  deliver?(event: PendingHubEvent, handoff: HandoffRecord, assertion: string | undefined, signal: AbortSignal): Promise<DeliveryResult>;
  /**
   * Reads what agents did in a handoff that has a place, oldest first: for a hub that may fail to report it. Leaves out
   * what was already carried out, as far as the record shows it. Throws if the hub cannot be read now.
   */
  poll?(handoff: HandoffRecord, signal: AbortSignal): Promise<readonly AgentStep[]>;
  /** Tells the hub's agents that an action of theirs had no effect in the chat, and why. */
  tellRefused?(handoff: HandoffRecord, step: AgentStep, why: ActRefusal, signal: AbortSignal): Promise<void>;
  /**
   * The event to store for an act of the hub's own agents, if the hub shows chats from our records. Unset, or
   * `undefined`: none.
   */
  keeps?(act: AgentAct, handoff: HandoffRecord, result?: ActResult): HubEventDraft | undefined;
  /** The hub is also told of ends that its own agents have caused. */
  readonly keepsEnds?: true;
  /** The hub's agents see which chats are with the bot, and may join them. */
  readonly seesRunning?: true;
  /** Whether an agent is there. Unset: assumed. */
  isStaffed?(): boolean;
}
