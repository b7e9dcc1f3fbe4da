// Webhooks in the interface's documents.
import { webhookPayload } from '../../contract/index.ts';
import type { WebhookDescription } from '../core/api/operations.ts';

export const webhookDescriptions: readonly WebhookDescription[] = [
  {
    id: 'requestChanged',
    summary: 'Something happened to a request',
    description:
      'Posted to the endpoints that the catalogue names, signed as Standard Webhooks has it: `webhook-id` is the same over all attempts, `webhook-timestamp` the time of this one, `webhook-signature` an HMAC-SHA256 over both and the body. It may come more than once and out of order; the result is what counts. What does not arrive is posted again for three days; 410 ends everything to that endpoint.',
    payload: webhookPayload,
  },
];
