// e-form: a form to the customer's device, and the answers they gave (specification: Endpoints, E-form).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, recipient, sent, uuid } from './fields.ts';

/** One answer of a form. Types are the service's own; `value` is whatever the type calls for. */
export const formAnswer = z.object({ type: z.string(), key: z.string(), value: z.unknown() });
export type FormAnswer = z.output<typeof formAnswer>;

export const eForm = defineApp({
  id: 'e-form',
  operations: {
    bootstrap: {
      method: 'GET',
      path: '/e-form/bootstrap',
      request: z.strictObject(caller),
      response: z.object({ customers: z.array(customer) }),
    },
    send: {
      method: 'POST',
      path: '/e-form/send',
      request: z.strictObject({ ...recipient, formId: uuid }),
      response: sent,
    },
  },
  resultFields: { data: z.array(formAnswer), zeroKnowledge: z.boolean() },
});
