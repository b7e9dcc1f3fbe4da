// The port through which dialogs ask for a person: whoever brings people in implements it.
import type { Escalation, HandoffCase } from './case.ts';
import type { Agent, HandoffEnding, HandoffRecord, HubEventDraft } from './record.ts';
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
  /** Whether a hub's agents are members of the chat's channel, so that the channel reports what they do. */
  isInChannel(hub: string): boolean;
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
    chat: Pick<HandoffRecord, 'address' | 'conversation'>,
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
  report(handoff: HandoffRecord, event: HubEventDraft): Promise<void>;
  /** The customer is typing; nothing is stored. */
  typing(handoff: HandoffRecord): void;
}
