// document-signature: sends a filled-in document to the customer's device for signature (docs/interface.md#sends).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, customerReading, recipient, sent, sentReading, uuid } from './fields.ts';
import { lenient, needed, readable } from './lenient.ts';

/** The longest text of a blank that does not say how long it may be: enough for a name or an address. */
export const usualTextLength = 80;

/** A blank in a document. Services may have other types; an unknown one is treated as text. */
const documentVariable = z
  .object({
    name: z.string().meta({ examples: ['accountHolder'] }),
    type: z.string().meta({
      description:
        'The type of value: `text`, `number`, `date` (2026-12-05), `currency` (49.90, never negative), `boolean` or `choice`. Values are sent as strings.',
      examples: ['text'],
    }),
    required: z.boolean(),
    choices: z.array(z.string()).optional().meta({ description: 'The values of a `choice`.' }),
    label: z
      .string()
      .optional()
      .meta({ description: 'Its label, for people. Not in the specification.', examples: ['Account holder'] }),
    currency: z
      .string()
      .optional()
      .meta({ description: 'For a `currency`: its ISO 4217 code. Not in the specification.', examples: ['USD'] }),
    maxLength: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'For a `text`: how many characters it may have. Not in the specification.', examples: [80] }),
    pattern: z
      .string()
      .optional()
      .meta({
        description:
          'For a `text`: an RE2 expression that it must match. Without one, web addresses, e-mail addresses and phone numbers are refused. Not in the specification.',
        examples: ['[A-Z]{2}[0-9]{6}'],
      }),
    prefill: z
      .string()
      .optional()
      .meta({
        description: 'What the service fills in if the send leaves it out, such as the customer’s name. Not in the specification.',
        examples: ['customer.name'],
      }),
  })
  .meta({ id: 'DocumentVariable', examples: [{ name: 'accountHolder', type: 'text', required: true }] });

/** The least that a client needs of a blank: its name. */
const variableReading = z.object({
  name: needed(documentVariable.shape.name),
  type: lenient(documentVariable.shape.type).transform((type = 'text') => type),
  required: lenient(documentVariable.shape.required).transform((required = false) => required),
  choices: lenient(z.array(z.string())),
  label: lenient(z.string()),
  currency: lenient(z.string()),
  maxLength: lenient(z.int().min(1)),
  pattern: lenient(z.string()),
  prefill: lenient(z.string()),
});
export type DocumentVariable = z.output<typeof variableReading>;

/** A document that can be sent. */
const document = z
  .object({
    id: z.string().meta({ description: 'The documentId of a send.', examples: ['5d0c0000-0000-4000-8000-000000000001'] }),
    title: z.string().meta({ examples: ['Direct debit mandate'] }),
    variables: z.array(documentVariable),
  })
  .meta({ id: 'Document' });

/**
 * The least that a client needs of a document. If one of its blanks has no name, the document could not be filled in;
 * one without blanks needs no filling in.
 */
const documentReading = z.object({
  id: needed(document.shape.id),
  title: needed(document.shape.title),
  variables: z
    .array(variableReading)
    .nullish()
    .transform((variables) => variables ?? []),
});
export type Document = z.output<typeof documentReading>;

export const documentSignature = defineApp({
  id: 'document-signature',
  lifetimeMinutes: 60,
  sentTo: 'phone',
  answeredIn: 'page',
  verifies: false,
  operations: {
    bootstrap: {
      summary: 'Find customers and documents',
      method: 'GET',
      path: '/document-signature/bootstrap',
      repeat: 'safe',
      request: z.strictObject(caller),
      response: z.object({ documents: z.array(document), customers: z.array(customer) }),
      reading: z.object({ documents: readable(documentReading), customers: readable(customerReading) }),
    },
    send: {
      summary: 'Send a document to be signed',
      method: 'POST',
      path: '/document-signature/send',
      repeat: 'keyed',
      request: z.strictObject({
        ...recipient,
        documentId: uuid.meta({ description: 'The document.', examples: ['5d0c0000-0000-4000-8000-000000000001'] }),
        variables: z.record(z.string().max(100), z.string().max(2000, 'must have 2000 characters at most')).meta({
          description: "The values of the document's variables, by name.",
          examples: [{ accountHolder: 'Mei Tanaka', accountEnding: '0042', monthlyLimit: '150.50', firstCollection: '2026-12-05' }],
        }),
      }),
      response: sent,
      reading: sentReading,
    },
  },
  resultFields: {
    title: z.string().meta({ description: 'The title of the signed document.', examples: ['Direct debit mandate'] }),
    url: z
      .string()
      .optional()
      .meta({
        description: 'The signed document as a PDF, for about a week. Read the result again for a new link.',
        examples: ['https://verify.example.com/documents/…'],
      }),
  },
  storedFields: ['title'],
});
