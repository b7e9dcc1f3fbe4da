// The audit trail of a request, as the reference service gives it to the account (docs/interface.md#extensions).
import { z } from 'zod';
import { appIds } from './apps.ts';
import { timestamp } from './fields.ts';
import { requestState } from './requests.ts';

const first = '5d8f0f3b6a2c4e1d9b7a8c6f5e4d3c2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d';

/** Facts of an entry: what was shown or done. */
export const auditFacts = z.record(z.string(), z.union([z.string(), z.number()])).meta({
  description: 'What was shown or done: a few words or numbers, or the SHA-256 of them.',
  examples: [{ amount: '59.90', currency: 'EUR', product: 'fibre-router', quantity: 1, title: 'Fibre router' }],
});

/**
 * One entry. `hash` is the SHA-256, in hexadecimal, of the JSON array of the request's `id` and the entry's `seq`,
 * `timestamp`, `actor`, `action`, `detail` (as its compact JSON text), `ip`, `userAgent` and `previous`, so anybody
 * with the entries can compute it.
 */
const auditEntry = z.object({
  seq: z.int().meta({ description: 'Starts at 1, without gaps.', examples: [1] }),
  timestamp,
  actor: z.string().meta({
    description:
      '`account:` and the first 8 hexadecimal digits of the SHA-256 of its key, `customer`, `system`, or `operator:` and a name.',
    examples: ['customer'],
  }),
  action: z.string().meta({ description: 'The type of an event, or the name of an action without one.', examples: ['task.bootstrapped'] }),
  detail: auditFacts,
  ip: z
    .string()
    .nullable()
    .meta({ description: 'The network that it came from: a /24 or, for IPv6, a /48.', examples: ['203.0.113.0/24'] }),
  userAgent: z
    .string()
    .nullable()
    .meta({ description: 'The browser and system that it came from, without versions.', examples: ['Safari on iOS'] }),
  previous: z.string().meta({ description: 'The `hash` of the previous entry; 64 zeros for the first.', examples: ['0'.repeat(64)] }),
  hash: z.string().meta({
    description:
      'SHA-256 of the JSON array of the request’s `id` and this entry’s `seq`, `timestamp`, `actor`, `action`, `detail` (its compact JSON as a string), `ip`, `userAgent` and `previous`.',
    examples: [first],
  }),
});

/** All entries of a request, and whether they are authentic. */
export const auditTrail = z
  .object({
    id: z.string().meta({ examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
    app: z.enum(appIds).meta({ examples: ['payments'] }),
    state: requestState,
    head: z
      .object({
        seq: z.int().meta({ examples: [1] }),
        hash: z.string().meta({ examples: [first] }),
      })
      .meta({ description: 'The last entry, as the service has sealed it.' }),
    intact: z.boolean().meta({
      description:
        'Whether no entry was changed, moved, added or removed. What the erasure of a customer removed does not count: the entry `request.erased` holds the new digests of those entries.',
      examples: [false],
    }),
    fault: z
      .object({
        seq: z.int().meta({ description: 'The first entry that shows it.', examples: [1] }),
        reason: z.enum(['changed', 'missing', 'moved', 'result', 'unsealed']).meta({
          description:
            '`unsealed`: the trail is consistent, but it is not the one that the service wrote. `result`: the request ended differently from what the trail says.',
          examples: ['changed'],
        }),
      })
      .optional()
      .meta({ description: 'The first sign of tampering.' }),
    entries: z.array(auditEntry).meta({ description: 'In order.' }),
  })
  .meta({ id: 'AuditTrail' });
export type AuditTrail = z.output<typeof auditTrail>;
