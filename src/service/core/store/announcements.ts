// Creates webhooks: one row per subscribed endpoint, in the transaction of the event that they report.
import type { Transaction } from 'kysely';
import type { WebhookType } from '../../../contract/index.ts';
import type { Schema } from './schema.ts';

/** The addresses of an account's endpoints that subscribe to a type of webhook. */
export type Subscribers = (accountId: string, type: WebhookType) => readonly string[];

/** The event to announce, its request, and its reason, if any. */
export interface Announcement {
  readonly accountId: string;
  readonly requestId: string;
  readonly types: readonly WebhookType[];
  readonly at: number;
  readonly code?: string | undefined;
}

/** Stores the webhooks of an event. Costs nothing without subscribers. */
export type Announce = (transaction: Transaction<Schema>, announcement: Announcement) => Promise<void>;

export const makeAnnounce =
  (subscribers: Subscribers, newId: (now: number) => string): Announce =>
  async (transaction, { accountId, requestId, types, at, code = null }) => {
    const rows = types.flatMap((type) =>
      subscribers(accountId, type).map((url) => ({
        id: newId(at),
        account_id: accountId,
        url,
        type,
        request_id: requestId,
        code,
        attempts: 0,
        due_at: at,
        created_at: at,
        dead_at: null,
        dead_code: null,
      })),
    );
    if (rows.length > 0) await transaction.insertInto('webhooks').values(rows).execute();
  };
