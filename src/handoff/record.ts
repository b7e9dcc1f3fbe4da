// The record of a handoff, as everybody who works with one sees it. Instants are epoch milliseconds.
import type { CaseReference } from '../../dialogs/index.ts';
import type { ClaimedRow } from '../platform/retry-queue.ts';
import { shownConversation } from '../verification/index.ts';

/**
 * How it ended. `finished`: the person was done. `returned`: either side gave the chat back to the bot.
 * `withdrawn`: the customer did not want to wait. `failed`: the hub could not take it. `timed_out`: nobody joined in
 * time.
 */
export type HandoffEnding = 'finished' | 'returned' | 'withdrawn' | 'failed' | 'timed_out';

/** A person who works at a hub. */
export interface Agent {
  /** Identifies them at the hub. An address does not: anybody may claim it. */
  readonly id: string;
  /** Their e-mail address, if the hub has verified it. */
  readonly email?: string | undefined;
  /** The name shown to customers. */
  readonly name?: string | undefined;
}

/** A handoff, recorded before anybody is told of it. */
export interface HandoffRecord {
  readonly id: string;
  /** The chat's name and address. Written once. */
  readonly conversation: string;
  readonly address: string;
  readonly hub: string;
  readonly reason: string;
  readonly app?: string | undefined;
  readonly language: string;
  /** `requested`: nobody has joined yet. `accepted`: a person is in the chat. */
  readonly state: 'requested' | 'accepted' | 'over';
  readonly agent?: Agent;
  readonly createdAt: number;
  readonly dueAt?: number;
  readonly acceptedAt?: number;
  readonly endedAt?: number;
  readonly ending?: HandoffEnding;
  /** The person's classification of it. */
  readonly wrapUp?: string;
  /** The number of its last event. */
  readonly events: number;
  /** The verification status of the chat's user, as of the last event that contained it. */
  readonly verification?: object;
  /** Something that the customer has said, in a few words and without numbers and addresses. */
  readonly said?: string;
  /** Its name at the hub, if the hub has one for it. */
  readonly place?: string;
  /** The number of the last entry of the hub's agents that has been carried out. */
  readonly seen?: number;
}

/** A message to the hub. A second one under the same key of a handoff is dropped. */
export interface HubEventDraft {
  readonly type: string;
  readonly key: string;
  /** JSON. */
  readonly data: object;
  /** Its hub reads it here, so it needs no delivery. */
  readonly arrived?: true | undefined;
}

/** The message as it is stored. */
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
export type PendingHubEvent = ClaimedRow & HubEvent;

/** The reference of a handoff's case. */
export const caseReference = ({ conversation, id }: Pick<HandoffRecord, 'conversation' | 'id'>, assertion?: string): CaseReference => ({
  ...{ handoff: id, conversation: shownConversation(conversation), assertion },
});
