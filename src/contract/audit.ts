// The audit trail of a request, as the reference service tells it to the account (decisions: Extensions).
import { z } from 'zod';
import { appIds } from './apps.ts';
import { timestamp } from './fields.ts';
import { requestState } from './requests.ts';

/**
 * One thing that was done. `hash` is the SHA-256, in hexadecimal, of the JSON array of the request's `id` and the entry's `seq`, `timestamp`,
 * `actor`, `action`, `detail` (as its compact JSON text), `ip`, `userAgent` and `previous`: whoever has the entries can compute it.
 */
const auditEntry = z.object({
  /** From 1 on, without gaps. */
  seq: z.int().min(1),
  timestamp,
  /** `account:<fingerprint of the key>`, `customer`, `system` or `operator:<name>`. */
  actor: z.string(),
  action: z.string(),
  /** What was shown or done: a few words or numbers, or their SHA-256. */
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The network, /24 or /48. */
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The `hash` of the entry before; 64 zeros for the first. */
  previous: z.string(),
  hash: z.string(),
});

/** Everything that was done with a request, and whether it is what the service wrote. */
export const auditTrail = z.object({
  id: z.string(),
  app: z.enum(appIds),
  state: requestState,
  /** Where the chain ends, as it is sealed at the service. */
  head: z.object({ seq: z.int().min(0), hash: z.string() }),
  intact: z.boolean(),
  /** Where it first shows that the trail was tampered with. */
  fault: z.object({ seq: z.int(), reason: z.enum(['changed', 'missing', 'moved', 'result', 'unsealed']) }).optional(),
  entries: z.array(auditEntry),
});
export type AuditTrail = z.output<typeof auditTrail>;
