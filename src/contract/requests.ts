// A request's record, and other facts tied to its identifier. The record is an extension
// (docs/interface.md#extensions): services without it answer 404 or 405.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { appIds } from './apps.ts';
import { timestamp } from './fields.ts';

/** The state of a request at the service. */
export const requestState = z
  .enum(['pending', 'success', 'failure', 'timeout', 'cancelled'])
  .meta({ description: '`pending` until it ends; `cancelled` when it was withdrawn.', examples: ['pending'] });

/**
 * A request with its history, in order: its events, the delivery of its messages, and its withdrawal for a newer one.
 */
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
              'A type of event as on the websocket; or `delivery.queued`, `delivery.sent`, `delivery.delivered`, `delivery.undelivered` or `delivery.failed`, as the gateway reports on a message; or `request.superseded`.',
            examples: ['task.sent'],
          }),
          timestamp,
          channel: z.enum(['email', 'sms']).optional().meta({ description: 'For a message: its channel.' }),
          code: z
            .string()
            .optional()
            .meta({ description: 'Why a message did not arrive, or which request replaced this one.', examples: ['sms_30003'] }),
        }),
      )
      .meta({
        description: 'Its history, in order.',
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
 * The header of a send that a person asked for on the customer's behalf. Its value is the `agentId` in the result.
 * Services that do not know it ignore it.
 */
export const agentHeader = 'Agent-Id';

/**
 * The problem code of a 409 for a send with this key that is still in progress. Repeat it with the same key in a
 * moment.
 */
export const idempotencyInFlight = 'idempotency_key_in_flight';

/**
 * The two digits of a request, 10 to 99: the first four bytes of the SHA-256 of its identifier in upper case, modulo
 * 90, plus 10. Both sides compute them, so they need not be sent (docs/decisions/0008).
 */
export const compareCode = (requestId: string): string =>
  String(10 + (createHash('sha256').update(requestId.toUpperCase()).digest().readUInt32BE(0) % 90));
