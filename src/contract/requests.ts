// What the reference service offers beyond the specification (decisions: Extensions). A client finds it missing as 404 or 405.
import { z } from 'zod';
import { appIds } from './apps.ts';
import { timestamp } from './fields.ts';

/** Where a request stands at the service. */
export const requestState = z.enum(['pending', 'success', 'failure', 'timeout', 'cancelled']);

/**
 * A request with everything that happened to it, in order: its events, how its messages fared (`delivery.…`, with the message's channel, and a
 * reason in `code` when it did not arrive), and that it was withdrawn for a newer one (`request.superseded`, which `code` names).
 */
export const requestRecord = z.object({
  id: z.string(),
  app: z.enum(appIds),
  state: requestState,
  customerRef: z.string(),
  sessionRef: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  events: z.array(z.object({ type: z.string(), timestamp, channel: z.enum(['email', 'sms']).optional(), code: z.string().optional() })),
});
export type RequestRecord = z.output<typeof requestRecord>;

/** The idempotency header of every send. */
export const idempotencyHeader = 'Idempotency-Key';

/** The problem code of a 409 that means: a send with this key is still being carried out. Ask again with the same key in a moment. */
export const idempotencyInFlight = 'idempotency_key_in_flight';
