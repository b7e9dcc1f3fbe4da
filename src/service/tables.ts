// What every part of the service stores about customers, for erasure and retention.
import { consoleRows } from './console/tables.ts';
import type { OwnRows } from './core/store/erasure.ts';
import { outboxRows } from './delivery/outbox/tables.ts';
import { documentRows } from './document-signature/tables.ts';
import { passkeyRows } from './passkeys/tables.ts';
import { paymentRows } from './payments/tables.ts';
import { webhookRows } from './webhooks/tables.ts';

export const ownRows: readonly OwnRows[] = [passkeyRows, documentRows, paymentRows, webhookRows, outboxRows, consoleRows];
