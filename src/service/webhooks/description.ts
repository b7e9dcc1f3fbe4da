// Webhooks in the interface's documents.
import { webhookPayload } from '../../contract/index.ts';
import type { WebhookDescription } from '../core/api/operations.ts';

export const webhookDescriptions: readonly WebhookDescription[] = [
  {
    id: 'requestChanged',
    summary: 'Something happened to a request',
    description:
      'Posted to the endpoints in the catalogue and signed according to Standard Webhooks: `webhook-id` is the same for all attempts, `webhook-timestamp` is the time of this attempt, `webhook-signature` an HMAC-SHA256 over both and the body. Webhooks may arrive more than once and out of order; the result is what counts. A failed one is sent again for three days; after a 410, nothing more is sent to that endpoint.',
    payload: webhookPayload,
  },
];
