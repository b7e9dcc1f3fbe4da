// e-form: sends a form to the customer's device, and returns their answers (docs/interface.md#sends).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, customerReading, recipient, sent, sentReading, uuid } from './fields.ts';
import { readable } from './lenient.ts';

/** One answer of a form. Services may have other types; `value` depends on the type. */
export const formAnswer = z
  .object({
    type: z.string().meta({
      description:
        '`text`, `number`, `date`, `time`, `toggle`, `choice` or `choices`; `jwe` for the encrypted answers of a zero-knowledge form.',
      examples: ['choice'],
    }),
    key: z.string().meta({ description: 'The question.', examples: ['rating'] }),
    value: z
      .unknown()
      .meta({ description: 'Depending on the type: a string, a number, true or false, or a list of strings.', examples: ['very-good'] }),
  })
  .meta({ id: 'FormAnswer' });
export type FormAnswer = z.output<typeof formAnswer>;

export const eForm = defineApp({
  id: 'e-form',
  lifetimeMinutes: 30,
  sentTo: 'phone',
  answeredIn: 'page',
  verifies: false,
  operations: {
    bootstrap: {
      summary: 'Find customers',
      method: 'GET',
      path: '/e-form/bootstrap',
      repeat: 'safe',
      request: z.strictObject(caller),
      response: z.object({ customers: z.array(customer) }),
      reading: z.object({ customers: readable(customerReading) }),
    },
    send: {
      summary: 'Send a form to be filled in',
      method: 'POST',
      path: '/e-form/send',
      repeat: 'keyed',
      request: z.strictObject({
        ...recipient,
        formId: uuid.meta({ description: 'The form.', examples: ['6f1c0000-0000-4000-8000-000000000003'] }),
      }),
      response: sent,
      reading: sentReading,
    },
  },
  resultFields: {
    data: z.array(formAnswer).meta({ description: 'The answers.' }),
    zeroKnowledge: z.boolean().meta({
      description: 'Whether the answers are encrypted for the account, so that only its private key opens them.',
      examples: [false],
    }),
  },
  storedFields: ['zeroKnowledge'],
});
