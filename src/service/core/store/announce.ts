// Announcing what happens to requests, in the transaction in which it is stored.
import type { Transaction } from 'kysely';
import type { WebhookType } from '../../../contract/index.ts';
import type { Schema } from './schema.ts';

/** Announces events of a request, with their reason, if any. */
export type Announce = (
  transaction: Transaction<Schema>,
  event: {
    readonly accountId: string;
    readonly requestId: string;
    readonly types: readonly WebhookType[];
    readonly at: number;
    readonly code?: string | undefined;
  },
) => Promise<void>;
