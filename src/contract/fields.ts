// The values that the apps' requests and answers share, each with the limit of the specification.
import { z } from 'zod';
import { lenient, needed } from './lenient.ts';

/** sessionRef and customerRef: 8 to 64 letters, digits, `-`, `_` or `@` (docs/interface.md#limits). */
export const ref = z.string().regex(/^[A-Za-z0-9_@-]{8,64}$/, 'must be 8 to 64 letters, digits, hyphens, underscores or at-signs');
export const sessionRef = ref.meta({
  description: 'Your id for the call or chat session.',
  examples: ['chat-2026-11-20-0001'],
});
export const customerRef = ref.meta({
  description: 'The customer: an `id` from the bootstrap. Required if several share the phone number.',
  examples: ['cust-0102-mei'],
});

/** A phone number in E.164: `+`, then 7 to 15 digits that do not begin with 0 (ITU-T E.164). */
export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in E.164 format, for example +12025550101')
  .meta({ description: "The customer's phone number in E.164.", examples: ['+12025550102'] });

/** A ULID as it is sent: 26 characters of Crockford's base 32 (github.com/ulid/spec). */
export const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/, 'must be a ULID');
/** The identifier of a request, from the answer of its send. */
export const requestId = ulid.meta({
  description: 'The id of the request, from its send: a ULID.',
  examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'],
});

/** A UUID of any version: 8-4-4-4-12 hexadecimal digits (RFC 9562). */
export const uuid = z.guid('must be a UUID');

/** An instant in ISO 8601 with its offset, for example `2026-11-20T08:26:17.000Z`. */
export const timestamp = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 date and time' })
  .meta({ description: 'When it happened.', examples: ['2026-11-20T08:26:17.000Z'] });

/** Text that is not empty; 500 characters at most. */
export const text = z.string().trim().regex(/\S/, 'must not be empty').max(500, 'must have 500 characters at most');

/** The caller in a bootstrap: the phone number, and the references that are known. */
export const caller = { phoneNumber, sessionRef: sessionRef.optional(), customerRef: customerRef.optional() };

/** The caller in a send: as in a bootstrap, but the session is required (docs/interface.md#the-caller). */
export const recipient = { sessionRef, customerRef: customerRef.optional(), phoneNumber };

/** A customer in a bootstrap's answer. */
export const customer = z
  .object({
    id: z.string().meta({ description: 'The customerRef of a send.', examples: ['cust-0102-mei'] }),
    name: z.string().meta({ examples: ['Mei Tanaka'] }),
    email: z.string().meta({ examples: ['mei.tanaka@example.com'] }),
  })
  .meta({ id: 'Customer' });

/** The least that a client needs of a customer: a reference for requests. */
export const customerReading = z.object({
  id: needed(customer.shape.id),
  name: lenient(customer.shape.name).transform((name = '') => name),
  email: lenient(customer.shape.email),
});
export type Customer = z.output<typeof customerReading>;

/** The identifier in an answer. Any form is accepted. */
export const sentId = z
  .string()
  .min(1)
  .meta({ description: 'Identifies the request: a ULID.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] });

/** The answer of a send: the request's identifier, and the token for its events. */
export const sent = z
  .object({
    requestId: sentId,
    wsToken: z
      .string()
      .min(1)
      .meta({
        description: "Gives access to the request's events on the websocket. Keep it secret.",
        examples: ['fWjhBw4bVvyHqkPzN2gUt7S0m9Xc3eRd'],
      }),
  })
  .meta({ id: 'Sent' });
export type Sent = z.output<typeof sent>;

/** The least that a client needs of it: without a token it polls. */
export const sentReading = z.object({ requestId: sentId, wsToken: lenient(sent.shape.wsToken) });
