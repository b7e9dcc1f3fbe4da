// one-time-passcode: a code to the customer's phone, and whether the code they return is that one (specification: Endpoints, One-time passcode).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, customerRef, phoneNumber, requestId, sentId, sessionRef } from './fields.ts';

export const oneTimePasscode = defineApp({
  id: 'one-time-passcode',
  operations: {
    bootstrap: {
      summary: 'Find customers',
      method: 'GET',
      path: '/one-time-passcode/bootstrap',
      request: z.strictObject(caller),
      response: z.object({ customers: z.array(customer) }),
    },
    send: {
      summary: 'Send a passcode by SMS',
      method: 'POST',
      path: '/one-time-passcode/send',
      request: z.strictObject({ sessionRef, customerRef, phoneNumber }),
      response: z.object({
        success: z.boolean().meta({ examples: [true] }),
        message: z.string().meta({ examples: ['The passcode is on its way.'] }),
        requestId: sentId,
      }),
    },
    check: {
      summary: 'Check the code that the customer returned',
      method: 'POST',
      path: '/one-time-passcode/check',
      request: z.strictObject({
        requestId,
        code: z
          .string()
          .length(6, 'must have 6 characters')
          .meta({ description: 'The code, as the customer returned it.', examples: ['123456'] }),
      }),
      response: z.object({
        codeMatch: z.boolean().meta({ description: 'True once. A wrong, expired, used or unknown code is false alike.', examples: [true] }),
      }),
    },
  },
  resultFields: {},
});
