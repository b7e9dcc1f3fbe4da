// The interface as an OpenAPI 3.1 document, built from the operations that are routed (spec.openapis.org/oas/v3.1.1).
import { z } from 'zod';
import { agentHeader, appIds, idempotencyHeader, problem, problemContentType, returnLinkHeader } from '../../contract/index.ts';
import { type OperationDescription, refusalsOf, takesBody, type WebhookDescription } from '../core/api/operations.ts';
import { explained, type ProblemCode } from '../core/api/problems.ts';
import { exampleOf } from './examples.ts';
import { answerHeaders, headerComponents, parameterComponents, refusalHeaders } from './headers.ts';
import { type JsonSchema, makeSchemaBook, type SchemaBook } from './json-schema.ts';

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** The parts of the document from which the page is rendered. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: OperationDescription['group']; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks?: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & Readonly<Record<string, object>>;
  readonly security: readonly object[];
}

export interface OpenApiOptions {
  readonly operations: readonly OperationDescription[];
  readonly webhooks: readonly WebhookDescription[];
  readonly version: string;
  readonly url: string;
}

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
export const makeOpenApi = ({ operations, webhooks, version, url }: OpenApiOptions): OpenApi => {
  const book = makeSchemaBook();
  const failure = book.answered(problem);
  const described = operations.map((operation) => ({ ...operation, document: operationOf(operation, book, failure) }));
  const called = webhooks.map((webhook) => [webhook.id, webhookOf(webhook, book)] as const);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const { path, method, document } of described) {
    const at = path.replace(/:(\w+)/g, '{$1}');
    paths[at] = { ...paths[at], [method.toLowerCase()]: withExamples(document, book.shared()) };
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
    ...(called.length > 0 && { webhooks: Object.fromEntries(called) }),
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

const operationOf = (operation: OperationDescription, book: SchemaBook, failure: JsonSchema): OpenApiOperation => {
  const { id, group, summary, description, from, schema, response, idempotent = false, returnsLink = false, speaks = false } = operation;
  const input = book.sent(schema);
  const fields = (place: 'path' | 'query', required: boolean): OpenApiParameter[] =>
    Object.entries(input.properties ?? {}).map(([name, { description: about, ...rest }]) => ({
      name,
      in: place,
      required,
      ...(about !== undefined && { description: about }),
      schema: rest,
    }));
  const parameters = from === 'path' ? fields('path', true) : from === 'bodyOrQuery' ? fields('query', false) : [];
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...parameters,
      ...(speaks ? [{ $ref: '#/components/parameters/Accept-Language' }] : []),
      ...(idempotent ? [idempotencyHeader, agentHeader].map((name) => ({ $ref: `#/components/parameters/${name}` })) : []),
      ...(returnsLink ? [{ $ref: `#/components/parameters/${returnLinkHeader}` }] : []),
    ],
    ...(takesBody(from) && { requestBody: { required: from === 'body', content: { [json]: { schema: input } } } }),
    responses: {
      200: { description: 'Done.', headers: answerHeaders, content: contentOf(response, book) },
      ...refusalsBySchema(operation, failure),
    },
  };
};

/** A file is described by its media type alone (OpenAPI 3.1, 4.8.14). */
const contentOf = (response: OperationDescription['response'], book: SchemaBook): Record<string, Content> =>
  response instanceof z.ZodType ? { [json]: { schema: book.answered(response) } } : { [response.file]: { schema: {} } };

/** One answer per status, with its possible codes. */
const refusalsBySchema = (operation: OperationDescription, failure: JsonSchema): Record<string, OpenApiResponse> => {
  const byStatus = Map.groupBy(refusalsOf(operation), (code) => explained(code).status);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), refusalOf(status, codes, failure)]));
};

const refusalOf = (status: number, codes: readonly ProblemCode[], failure: JsonSchema): OpenApiResponse => ({
  description: codes.map((code) => `\`${code}\`: ${explained(code).means}`).join('\n\n'),
  headers: refusalHeaders(codes),
  content: {
    [problemContentType]: {
      schema: { allOf: [failure, { type: 'object', properties: { status: { const: status }, code: { enum: codes } } }] },
    },
  },
});

const webhookOf = ({ id, summary, description, payload }: WebhookDescription, book: SchemaBook) => ({
  post: {
    operationId: id,
    summary,
    description,
    requestBody: { required: true, content: { [json]: { schema: book.answered(payload) } } },
    responses: { '2XX': { description: 'Accepted. After any other answer, or none, it is sent again.' } },
  },
});

/** Adds an example of the body and of the answer, once all schemas referred to are known. */
const withExamples = (document: OpenApiOperation, shared: Readonly<Record<string, JsonSchema>>): OpenApiOperation => {
  const shown = (content: Readonly<Record<string, Content>>) =>
    Object.fromEntries(
      Object.entries(content).map(([type, { schema }]) => [type, { schema, ...(type === json && { example: exampleOf(schema, shared) }) }]),
    );
  const { requestBody, responses } = document;
  const { 200: good, ...refusals } = responses;
  return {
    ...document,
    ...(requestBody && { requestBody: { ...requestBody, content: shown(requestBody.content) } }),
    responses: { ...(good?.content && { 200: { ...good, content: shown(good.content) } }), ...refusals },
  };
};
