// The store of handoffs. Instants are epoch milliseconds.
import type { Agent, HandoffEnding, HandoffRecord, HubEventDraft, NewHandoff } from '../../escalation/index.ts';
import type { ClaimedRow, Settlement } from '../../platform/retry-queue.ts';

export interface HandoffFigures {
  readonly firstSaid?: number;
  readonly verified: boolean;
}

export interface HubEvent {
  readonly id: string;
  readonly handoffId: string;
  /** Its number among the events of its handoff, from 1. */
  readonly number: number;
  readonly type: string;
  readonly data: object;
  readonly createdAt: number;
}

/** An event that this process delivers. */
export interface PendingHubEvent extends ClaimedRow, HubEvent {}

/** A handoff that this process works on. */
export interface ClaimedHandoff extends ClaimedRow {
  readonly handoff: HandoffRecord;
}

/** When to read hubs for what their agents have done. */
export interface PollStore {
  /** Stores a handoff's name at the hub, which is read in that many milliseconds at the latest. */
  placed(id: string, place: string, ms: number): Promise<void>;
  /** The handoff of this name at a hub; of several, the newest. */
  at(hub: string, place: string): Promise<HandoffRecord | undefined>;
  /** Makes a read due now, since something may have happened, even after the handoff's end. `false`: there is none. */
  hint(hub: string, place: string): Promise<boolean>;
  /** Claims due reads for that many milliseconds. `attempts`: how many in a row found nothing. */
  claimPolls(hub: string, ms: number, limit: number): Promise<ClaimedHandoff[]>;
  nextPoll(hub: string): Promise<number | undefined>;
  /** Records up to which number the agents' entries have been carried out; never lowers it. */
  seen(id: string, upTo: number): Promise<void>;
  /** Sets the next read; without one, it is at the next hint. Does nothing if a hint came meanwhile. */
  settlePoll(poll: ClaimedHandoff, fate: Settlement): Promise<void>;
}

export interface HandoffStore extends PollStore {
  /**
   * Records a handoff, with its first event if its hub takes events. If the chat has one that has not ended, returns
   * that one, and `added` is false.
   */
  add(handoff: NewHandoff, event?: HubEventDraft): Promise<{ readonly record: HandoffRecord; readonly added: boolean }>;
  get(id: string): Promise<HandoffRecord | undefined>;
  /** The handoff of a chat that has not ended. */
  openIn(conversation: string): Promise<HandoffRecord | undefined>;
  /** A hub's handoffs that have not ended, oldest first. */
  list(hub: string, limit: number): Promise<HandoffRecord[]>;
  /** A hub's handoffs that began after an instant (by the database's clock), ended or not, newest first. */
  since(hub: string, after: number, limit: number): Promise<HandoffRecord[]>;
  /** Counts the outcomes of apps that a hub was told of after an instant. */
  outcomes(hub: string, after: number): Promise<{ readonly app: string; readonly status: string; readonly count: number }[]>;
  /**
   * By the ids of a hub's handoffs, from events after an instant: when an agent first wrote, and whether the customer
   * was verified at any time.
   */
  figures(hub: string, after: number): Promise<ReadonlyMap<string, HandoffFigures>>;
  /** Assigns it to a person, whoever had it before. `undefined`: it has ended, or does not exist. */
  take(id: string, agent: Agent): Promise<HandoffRecord | undefined>;
  /** Takes it from the person who has it: it waits again, for that many milliseconds. `undefined`: nobody has it. */
  release(id: string, dueIn: number): Promise<HandoffRecord | undefined>;
  /** Ends it, and informs the hub. `undefined`: it had ended already. */
  end(
    id: string,
    ending: HandoffEnding,
    more?: { readonly wrapUp?: string | undefined; readonly event?: HubEventDraft | undefined },
  ): Promise<HandoffRecord | undefined>;
  /** Adds an event, even to a handoff that has ended. */
  tell(id: string, event: HubEventDraft): Promise<void>;
  /** All events after a number, delivered or not. */
  events(id: string, after: number, limit: number): Promise<HubEvent[]>;
  /** Claims handoffs that nobody joined in time. */
  claimOverdue(ms: number, limit: number): Promise<ClaimedHandoff[]>;
  settleOverdue(overdue: ClaimedHandoff, fate: Settlement): Promise<void>;
  nextOverdue(): Promise<number | undefined>;
  /**
   * Claims due events: no other process gets them for that many milliseconds. None comes before the earlier events of
   * its handoff are settled.
   */
  claimEvents(hub: string, ms: number, limit: number): Promise<PendingHubEvent[]>;
  nextEvent(hub: string): Promise<number | undefined>;
  /** Records the result of a delivery. Does nothing if the claim has ended. */
  settleEvent(event: PendingHubEvent, fate: Settlement): Promise<void>;
}
