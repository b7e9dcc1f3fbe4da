// document-signature: a document, filled in, to the customer's device for signature (specification: Endpoints, Document signature).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, recipient, sent, uuid } from './fields.ts';

/** A blank in a document. Types are the service's own; one that is not known here is treated as text. */
export const documentVariable = z.object({ name: z.string(), type: z.string(), required: z.boolean() });
export type DocumentVariable = z.output<typeof documentVariable>;

/** A document that can be sent. */
export const document = z.object({ id: z.string(), title: z.string(), variables: z.array(documentVariable) });
export type Document = z.output<typeof document>;

export const documentSignature = defineApp({
  id: 'document-signature',
  operations: {
    bootstrap: {
      method: 'GET',
      path: '/document-signature/bootstrap',
      request: z.strictObject(caller),
      response: z.object({ documents: z.array(document), customers: z.array(customer) }),
    },
    send: {
      method: 'POST',
      path: '/document-signature/send',
      request: z.strictObject({
        ...recipient,
        documentId: uuid,
        variables: z.record(z.string().max(100), z.string().max(2000, 'must have 2000 characters at most')),
      }),
      response: sent,
    },
  },
  resultFields: { title: z.string(), url: z.string().optional() },
});
