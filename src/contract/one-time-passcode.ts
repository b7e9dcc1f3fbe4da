// one-time-passcode: a code to the customer's phone, and whether the code they return is that one (specification: Endpoints, One-time passcode).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, phoneNumber, ref, ulid } from './fields.ts';

export const oneTimePasscode = defineApp({
  id: 'one-time-passcode',
  operations: {
    bootstrap: {
      method: 'GET',
      path: '/one-time-passcode/bootstrap',
      request: z.strictObject(caller),
      response: z.object({ customers: z.array(customer) }),
    },
    send: {
      method: 'POST',
      path: '/one-time-passcode/send',
      request: z.strictObject({ sessionRef: ref, customerRef: ref, phoneNumber }),
      response: z.object({ success: z.boolean(), message: z.string(), requestId: z.string().min(1) }),
    },
    check: {
      method: 'POST',
      path: '/one-time-passcode/check',
      request: z.strictObject({ requestId: ulid, code: z.string().length(6, 'must have 6 characters') }),
      response: z.object({ codeMatch: z.boolean() }),
    },
  },
  resultFields: {},
});
