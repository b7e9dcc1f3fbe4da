// one-time-passcode: sends a code to the customer's phone, and checks the code that they type
// (docs/interface.md#sends).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, customerReading, customerRef, phoneNumber, requestId, sentId, sessionRef } from './fields.ts';
import { lenient, needed, readable } from './lenient.ts';

const codeLength = 6;

export const oneTimePasscode = defineApp({
  id: 'one-time-passcode',
  lifetimeMinutes: 10,
  sentTo: 'phone',
  answeredIn: 'chat',
  verifies: {},
  operations: {
    bootstrap: {
      summary: 'Find customers',
      method: 'GET',
      path: '/one-time-passcode/bootstrap',
      repeat: 'safe',
      request: z.strictObject(caller),
      response: z.object({ customers: z.array(customer) }),
      reading: z.object({ customers: readable(customerReading) }),
    },
    send: {
      summary: 'Send a passcode by SMS',
      method: 'POST',
      path: '/one-time-passcode/send',
      repeat: 'keyed',
      request: z.strictObject({ sessionRef, customerRef, phoneNumber }),
      response: z.object({
        success: z.boolean().meta({ examples: [true] }),
        message: z.string().meta({ examples: ['The passcode is on its way.'] }),
        requestId: sentId,
      }),
      // A refusal needs no identifier. With an identifier but no word on success, polling finds out.
      reading: z.union([
        z.object({ success: needed(z.literal(false)) }),
        z.object({ success: lenient(z.literal(true)).transform(() => true as const), requestId: sentId }),
      ]),
    },
    check: {
      summary: 'Check the code that the customer returned',
      method: 'POST',
      path: '/one-time-passcode/check',
      // Every check that arrives uses up a try.
      repeat: 'once',
      /** Wrong codes after which the code is dead. */
      tries: 5,
      /** Characters of a code. */
      codeLength,
      request: z.strictObject({
        requestId,
        code: z
          .string()
          .length(codeLength, `must have ${codeLength} characters`)
          .meta({ description: 'The code, as the customer returned it.', examples: ['123456'] }),
      }),
      response: z.object({
        codeMatch: z
          .boolean()
          .meta({ description: 'True once for the right code. False for any wrong, expired, used or unknown code.', examples: [true] }),
      }),
    },
  },
  resultFields: {},
  storedFields: [],
});
