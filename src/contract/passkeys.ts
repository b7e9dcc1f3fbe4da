// passkeys: whether the customer is enrolled, and a passkey request to their device (docs/interface.md#sends).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { customer, customerReading, customerRef, phoneNumber, sent, sentReading, sessionRef, text, timestamp } from './fields.ts';
import { lenient, readable } from './lenient.ts';

/** The recipient of a passkey request. */
const passkeyRecipient = z
  .object({
    email: z
      .string()
      .max(320)
      .meta({ examples: ['mei.tanaka@example.com'] }),
    name: text.meta({ examples: ['Mei Tanaka'] }),
  })
  .meta({ id: 'PasskeyRecipient' });

/** When, and for whom, a passkey was last used. */
const authentication = z
  .object({
    id: z.string().meta({ examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
    customerRef: z.string().meta({ examples: ['cust-0102-mei'] }),
    phoneNumber: z
      .string()
      .optional()
      .meta({ examples: ['+12025550102'] }),
    timestamp,
  })
  .meta({ id: 'Authentication' });

const configuration = z.object({
  customers: z.array(
    customer.extend({ isEnrolled: z.boolean().meta({ description: 'Whether they have set up a passkey.', examples: [true] }) }),
  ),
  // The record exists only for customers who have used a passkey, and services may leave it out or send null.
  authentication: authentication.nullish().meta({ description: 'The last time one of them used a passkey; null if none ever did.' }),
});

const configurationReading = z.object({
  customers: readable(customerReading.extend({ isEnrolled: lenient(z.boolean()) })),
  authentication: lenient(authentication.nullable()),
});

export const passkeys = defineApp({
  id: 'passkeys',
  // Setting one up takes a message to the phone as well.
  lifetimeMinutes: 10,
  sentTo: 'email',
  answeredIn: 'page',
  // Setting one up proves nothing.
  verifies: { action: 'authentication' },
  operations: {
    /** The enrolment check of one caller. */
    bootstrap: {
      summary: 'Check who is enrolled',
      method: 'POST',
      path: '/passkeys/bootstrap',
      repeat: 'safe',
      request: z.strictObject({ phoneNumber, sessionRef, customerRef: customerRef.optional() }),
      response: configuration,
      reading: configurationReading,
    },
    /** The configuration, without naming a caller. */
    configuration: {
      summary: 'Read the configuration',
      method: 'GET',
      path: '/passkeys/bootstrap',
      repeat: 'safe',
      request: z.strictObject({
        phoneNumber: phoneNumber.optional(),
        sessionRef: sessionRef.optional(),
        customerRef: customerRef.optional(),
      }),
      response: configuration,
      reading: configurationReading,
    },
    send: {
      summary: 'Ask a customer to confirm with a passkey',
      method: 'POST',
      path: '/passkeys/send',
      repeat: 'keyed',
      // The specification's table of this operation has three fields; "required on every send" adds the caller, which a
      // service may treat as optional.
      request: z.strictObject({
        sessionRef: sessionRef.optional(),
        customerRef: customerRef.optional(),
        phoneNumber: phoneNumber.optional(),
        recipients: z
          .array(passkeyRecipient)
          .min(1, 'must name at least one recipient')
          .max(5, 'must name 5 recipients at most')
          .meta({ description: 'The recipients of the message.' }),
        subject: text.meta({ description: "The message's subject.", examples: ['Please confirm that it is you'] }),
        message: text.meta({
          description: 'The text of the message, before the link.',
          examples: ['You are signing in.'],
        }),
      }),
      response: sent,
      reading: sentReading,
    },
  },
  resultFields: {
    action: z.string().meta({ description: 'What the customer did: `authentication` or `enrollment`.', examples: ['authentication'] }),
  },
  storedFields: ['action'],
});
