// Webhooks of the reference service (decisions: Extensions): what it posts to an account's endpoints, in the form of Standard Webhooks.
import { z } from 'zod';
import { appIds } from './apps.ts';
import { eventTypes } from './events.ts';
import { timestamp } from './fields.ts';
import { requestState } from './requests.ts';
import { resultRecord } from './results.ts';

/** How a message fares after it was handed to the gateway. They stand in a request's history and in webhooks, never on the websocket. */
export const deliveryTypes = ['delivery.queued', 'delivery.sent', 'delivery.delivered', 'delivery.undelivered', 'delivery.failed'] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

/** Everything that a webhook can tell: the events of the websocket, how messages fare, and that a request was withdrawn. */
export const webhookTypes = [...eventTypes, ...deliveryTypes, 'request.cancelled'] as const;
export type WebhookType = (typeof webhookTypes)[number];

/**
 * The body of a webhook (github.com/standard-webhooks/standard-webhooks, spec: Payload structure). `result` is the result record, there
 * once its request has ended with one; `code` is the reason, where there is one: of a delivery that failed, or `superseded`.
 */
export const webhookPayload = z.object({
  type: z.enum(webhookTypes),
  timestamp,
  data: z.object({
    request: z.object({ id: z.string(), app: z.enum(appIds), state: requestState }),
    session: z.object({ ref: z.string() }),
    customer: z.object({ ref: z.string() }),
    code: z.string().optional(),
    result: resultRecord.optional(),
  }),
});
export type WebhookPayload = z.output<typeof webhookPayload>;

/** A webhook that was given up. `code` says on what: `http_500`, `timeout`, `unreachable`, `endpoint_gone`, `endpoint_removed`, … */
export const deadWebhook = z.object({
  id: z.string(),
  url: z.string(),
  type: z.enum(webhookTypes),
  requestId: z.string(),
  code: z.string(),
  attempts: z.number().int(),
  createdAt: timestamp,
  deadAt: timestamp,
});
export type DeadWebhook = z.output<typeof deadWebhook>;

/** The answer of the list of webhooks that were given up, the newest first. */
export const deadWebhooks = z.object({ webhooks: z.array(deadWebhook) });

/** The answer of sending one again: it is on its way. */
export const revivedWebhook = z.object({ id: z.string(), url: z.string(), type: z.enum(webhookTypes), requestId: z.string() });
