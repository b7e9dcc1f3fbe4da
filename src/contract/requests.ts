// What the reference service offers beyond the specification (docs/interface.md#extensions). A client finds it missing as 404 or 405.
import { z } from 'zod';
import { appIds } from './apps.ts';
import { timestamp } from './fields.ts';

/** Where a request stands at the service. */
export const requestState = z
  .enum(['pending', 'success', 'failure', 'timeout', 'cancelled'])
  .meta({ description: '`pending` until it ends; `cancelled` when it was withdrawn.', examples: ['pending'] });

/** A request with everything that happened to it, in order: its events, how its messages fared, and that it was withdrawn for a newer one. */
export const requestRecord = z
  .object({
    id: z.string().meta({ examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
    app: z.enum(appIds).meta({ examples: ['payments'] }),
    state: requestState,
    customerRef: z.string().meta({ examples: ['cust-0102-mei'] }),
    sessionRef: z.string().meta({ examples: ['chat-2026-11-20-0001'] }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({ description: 'When it times out.', examples: ['2026-11-20T08:56:17.000Z'] }),
    finishedAt: timestamp
      .optional()
      .meta({ description: 'When it ended or was withdrawn; absent while it is pending.', examples: ['2026-11-20T08:31:40.000Z'] }),
    events: z
      .array(
        z.object({
          type: z.string().meta({
            description:
              'As the websocket names it; or `delivery.queued`, `delivery.sent`, `delivery.delivered`, `delivery.undelivered` or `delivery.failed`, as the gateway tells of a message; or `request.superseded`.',
            examples: ['task.sent'],
          }),
          timestamp,
          channel: z.enum(['email', 'sms']).optional().meta({ description: 'Of a message: the way that it took.' }),
          code: z
            .string()
            .optional()
            .meta({ description: 'Why a message did not arrive, or which request took the place of this one.', examples: ['sms_30003'] }),
        }),
      )
      .meta({
        description: 'What happened to it so far, in order.',
        examples: [
          [
            { type: 'task.sent', timestamp: '2026-11-20T08:26:17.000Z' },
            { type: 'delivery.delivered', timestamp: '2026-11-20T08:26:19.000Z', channel: 'sms' },
          ],
        ],
      }),
  })
  .meta({ id: 'RequestRecord' });
export type RequestRecord = z.output<typeof requestRecord>;

/** The idempotency header of every send. */
export const idempotencyHeader = 'Idempotency-Key';

/**
 * The header of a send that a person asked for in the customer's stead: who it was, as `agentId` in the result says it. Services that do not know it
 * pass over it.
 */
export const agentHeader = 'Agent-Id';

/** The problem code of a 409 that means: a send with this key is still being carried out. Ask again with the same key in a moment. */
export const idempotencyInFlight = 'idempotency_key_in_flight';
