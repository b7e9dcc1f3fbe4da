// passkeys: is the customer enrolled, and a passkey request to their device (specification: Endpoints, Passkeys).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { customer, phoneNumber, ref, sent, text, timestamp } from './fields.ts';

/** Who receives a passkey request. */
const passkeyRecipient = z.object({ email: z.string().max(320), name: text });

/** When, and for whom, a passkey was last used. */
const authentication = z.object({
  id: z.string(),
  customerRef: z.string(),
  phoneNumber: z.string().optional(),
  timestamp,
});

const configuration = z.object({
  customers: z.array(customer.extend({ isEnrolled: z.boolean() })),
  // The record exists only for a customer who has used a passkey, and an answer may say so either way.
  authentication: authentication.nullish(),
});

export const passkeys = defineApp({
  id: 'passkeys',
  operations: {
    /** The enrolment check of one caller. */
    bootstrap: {
      method: 'POST',
      path: '/passkeys/bootstrap',
      request: z.strictObject({ phoneNumber, sessionRef: ref, customerRef: ref.optional() }),
      response: configuration,
    },
    /** The configuration, asked for without naming a caller. */
    configuration: {
      method: 'GET',
      path: '/passkeys/bootstrap',
      request: z.strictObject({ phoneNumber: phoneNumber.optional(), sessionRef: ref.optional(), customerRef: ref.optional() }),
      response: configuration,
    },
    send: {
      method: 'POST',
      path: '/passkeys/send',
      // The table of this operation names three fields; "required on every send" adds the caller, which a service may leave optional.
      request: z.strictObject({
        sessionRef: ref.optional(),
        customerRef: ref.optional(),
        phoneNumber: phoneNumber.optional(),
        recipients: z.array(passkeyRecipient).min(1, 'must name at least one recipient').max(5, 'must name 5 recipients at most'),
        subject: text,
        message: text,
      }),
      response: sent,
    },
  },
  resultFields: { action: z.string() },
});
