// The interface as an OpenAPI 3.1 document, built from the operations that are routed (spec.openapis.org/oas/v3.1.1).
import { z } from 'zod';
import {
  agentHeader,
  appIds,
  idempotencyHeader,
  problem,
  problemContentType,
  returnLinkHeader,
  webhookPayload,
} from '../../contract/index.ts';
import { type OperationDescription, refusalsOf, takesBody } from '../core/api/operations.ts';
import { explained } from '../core/api/problems.ts';
import { answerHeaders, headerComponents, parameterComponents, refusalHeaders } from './headers.ts';
import { exampleOf, type JsonSchema, makeSchemaBook, type SchemaBook, type Shared } from './json-schema.ts';

export type OpenApi = ReturnType<typeof makeOpenApi>;

const json = 'application/json';

const groups = {
  passkeys: 'The customer confirms their identity with a passkey, or sets one up.',
  'one-time-passcode': 'The customer gets a code by SMS and enters it in the conversation.',
  'document-signature': 'The customer reads and signs a document on their own device.',
  payments: 'The customer pays for a product at the payment gateway.',
  'e-form': 'The customer fills in a form.',
  results: 'How requests ended. This is what counts, whatever the events said.',
  requests: 'Look at requests, withdraw them, or send them again. These operations go beyond the specification.',
  webhooks: 'List webhooks that could not be delivered, and send them again.',
} satisfies Record<OperationDescription['group'], string>;

/** Makes the document. Shared parts are below `components`, everything else where it is used. */
export const makeOpenApi = (operations: readonly OperationDescription[], version: string, url: string) => {
  const book = makeSchemaBook();
  const failure = book.answered(problem);
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const operation of operations) {
    const at = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[at] = { ...paths[at], [operation.method.toLowerCase()]: operationOf(operation, book, failure) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Countersign verification and interaction service',
      version,
      description:
        'Starts interactions on the customer’s own device, and reports how they ended. Names, fields and codes do not change; fields may be added to answers.',
    },
    servers: [{ url }],
    security: [{ secretKey: [] }],
    tags: [...appIds, 'results' as const, 'requests' as const, 'webhooks' as const].map((name) => ({ name, description: groups[name] })),
    paths,
    webhooks: { requestChanged: webhookOf(book) },
    components: {
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret key of the account. Keep it on a server, never in a page.',
        },
      },
      schemas: book.shared(),
      headers: headerComponents,
      parameters: parameterComponents,
    },
  };
};

const operationOf = (operation: OperationDescription, book: SchemaBook, failure: JsonSchema) => {
  const { id, group, summary, description, from, schema, response, idempotent = false, returnsLink = false, speaks = false } = operation;
  const input = book.sent(schema);
  const fields = (place: 'path' | 'query', required: boolean) =>
    Object.entries((input.properties ?? {}) as Shared).map(([name, { description: about, ...rest }]) => ({
      name,
      in: place,
      required,
      ...(about !== undefined && { description: about }),
      schema: rest,
    }));
  const referred = [...(speaks ? ['Accept-Language'] : []), ...(idempotent ? [idempotencyHeader, agentHeader] : [])];
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...(from === 'path' ? fields('path', true) : from === 'bodyOrQuery' ? fields('query', false) : []),
      ...[...referred, ...(returnsLink ? [returnLinkHeader] : [])].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(takesBody(from) && { requestBody: { required: from === 'body', content: contentOf(input, book) } }),
    responses: {
      200: {
        description: 'Done.',
        headers: answerHeaders,
        // A file is described by its media type alone (OpenAPI 3.1, 4.8.14).
        content: response instanceof z.ZodType ? contentOf(book.answered(response), book) : { [response.file]: { schema: {} } },
      },
      ...refusalsByStatus(operation, failure),
    },
  };
};

const contentOf = (schema: JsonSchema, book: SchemaBook) => ({ [json]: { schema, example: exampleOf(schema, book.shared()) } });

/** One answer per status, with its possible codes. */
const refusalsByStatus = (operation: OperationDescription, failure: JsonSchema) => {
  const byStatus = Map.groupBy(refusalsOf(operation), (code) => explained(code).status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${explained(code).means}`).join('\n\n'),
        headers: refusalHeaders(codes),
        content: {
          [problemContentType]: {
            schema: { allOf: [failure, { type: 'object', properties: { status: { const: status }, code: { enum: codes } } }] },
          },
        },
      },
    ]),
  );
};

/** The call that the service makes to accounts. */
const webhookOf = (book: SchemaBook) => ({
  post: {
    operationId: 'requestChanged',
    summary: 'Something happened to a request',
    description:
      'Posted to the endpoints in the catalogue and signed according to Standard Webhooks: `webhook-id` is the same for all attempts, `webhook-timestamp` is the time of this attempt, `webhook-signature` an HMAC-SHA256 over both and the body. Webhooks may arrive more than once and out of order; the result is what counts. A failed one is sent again for three days; after a 410, nothing more is sent to that endpoint.',
    requestBody: { required: true, content: { [json]: { schema: book.answered(webhookPayload) } } },
    responses: { '2XX': { description: 'Accepted. After any other answer, or none, it is sent again.' } },
  },
});
