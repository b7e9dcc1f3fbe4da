// Webhooks of the reference service (docs/interface.md#extensions): its posts to an account's endpoints, in the form of
// Standard Webhooks.
import { z } from 'zod';
import { appIds, resultRecord } from './apps.ts';
import { eventTypes } from './events.ts';
import { timestamp } from './fields.ts';
import { requestState } from './requests.ts';

/**
 * The delivery of a message after it went to the gateway. In a request's history and in webhooks, never on the
 * websocket.
 */
export const deliveryTypes = ['delivery.queued', 'delivery.sent', 'delivery.delivered', 'delivery.undelivered', 'delivery.failed'] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

/** Every type of webhook: the events of the websocket, the delivery of messages, and the withdrawal of a request. */
export const webhookTypes = [...eventTypes, ...deliveryTypes, 'request.cancelled'] as const;
export type WebhookType = (typeof webhookTypes)[number];

/**
 * The body of a webhook (github.com/standard-webhooks/standard-webhooks, spec: Payload structure). `result` is the
 * result record, once the request has one; `code` is the reason for a failed delivery, or `superseded`.
 */
export const webhookPayload = z
  .object({
    type: z.enum(webhookTypes).meta({ examples: ['task.succeeded'] }),
    timestamp: timestamp.meta({ description: 'When it happened.' }),
    data: z.object({
      request: z.object({
        id: z.string().meta({ examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
        app: z.enum(appIds).meta({ examples: ['payments'] }),
        state: requestState,
      }),
      session: z.object({ ref: z.string().meta({ examples: ['chat-2026-11-20-0001'] }) }),
      customer: z.object({ ref: z.string().meta({ examples: ['cust-0102-mei'] }) }),
      code: z
        .string()
        .optional()
        .meta({ description: 'Why a message did not arrive, or `superseded`.', examples: ['sms_30003'] }),
      result: resultRecord.optional().meta({ description: 'Present once the request has ended with one.' }),
    }),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.output<typeof webhookPayload>;

const named = {
  id: z.string().meta({ description: 'Its `webhook-id`.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7T'] }),
  url: z.string().meta({ examples: ['https://hooks.example.com/countersign'] }),
  type: z.enum(webhookTypes).meta({ examples: ['task.succeeded'] }),
  requestId: z.string().meta({ examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
};

/**
 * A webhook that was given up. `code` says why: `http_500`, `timeout`, `unreachable`, `endpoint_gone`,
 * `endpoint_removed`, …
 */
export const deadWebhook = z
  .object({
    ...named,
    code: z.string().meta({ description: 'The reason for giving up.', examples: ['http_500'] }),
    attempts: z
      .number()
      .int()
      .meta({ examples: [10] }),
    createdAt: timestamp,
    deadAt: timestamp,
  })
  .meta({ id: 'DeadWebhook' });
export type DeadWebhook = z.output<typeof deadWebhook>;

/** The list of webhooks that were given up, newest first. */
export const deadWebhooks = z.object({ webhooks: z.array(deadWebhook) });

/** The answer to sending one again: it is queued. */
export const revivedWebhook = z.object(named);
