// The values that every app's requests and answers are made of, each with the limit the specification gives it.
import { z } from 'zod';

/** sessionRef and customerRef: 8 to 64 letters, digits, `-`, `_` or `@` (specification: Limits). */
export const ref = z.string().regex(/^[A-Za-z0-9_@-]{8,64}$/, 'must be 8 to 64 letters, digits, hyphens, underscores or at-signs');

/** A phone number in E.164: `+`, then 7 to 15 digits that do not begin with 0 (ITU-T E.164). */
export const phoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in E.164 format, for example +12025550101');

/** A ULID as it is exchanged: 26 characters of Crockford's base 32 (github.com/ulid/spec). */
export const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i, 'must be a ULID');

/** A UUID of any version: 8-4-4-4-12 hexadecimal digits (RFC 9562). */
export const uuid = z.guid('must be a UUID');

/** An instant in ISO 8601 with its offset, for example `2026-11-20T08:26:17.000Z`. */
export const timestamp = z.iso.datetime({ offset: true, message: 'must be an ISO 8601 date and time' });

/** Text that must say something; 500 characters at most. */
export const text = z.string().trim().min(1, 'must not be empty').max(500, 'must have 500 characters at most');

/** The caller as a bootstrap may name it: the phone number, and whichever references are known. */
export const caller = { phoneNumber, sessionRef: ref.optional(), customerRef: ref.optional() };

/** The caller as a send names it: as for a bootstrap, with the session required (specification: Reference values). */
export const recipient = { sessionRef: ref, customerRef: ref.optional(), phoneNumber };

/** A customer as the bootstraps list it. */
export const customer = z.object({ id: z.string(), name: z.string(), email: z.string() });
export type Customer = z.output<typeof customer>;

/** What a send answers: the request's identifier, and the token that opens its events. */
export const sent = z.object({ requestId: z.string().min(1), wsToken: z.string().min(1) });
export type Sent = z.output<typeof sent>;
