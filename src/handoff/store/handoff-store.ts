// What the store of handoffs returns beside their records. Instants are epoch milliseconds.
import type { HandoffRecord } from '../../escalation/index.ts';
import type { ClaimedRow } from '../../platform/retry-queue.ts';

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
