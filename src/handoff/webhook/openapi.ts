// The calls of a platform as OpenAPI 3.1, generated from the operations themselves.
import { z } from 'zod';
import { operations, type PlatformOperation, refusals } from './operations.ts';
import { dataOf, handoffSchema, type WebhookEvent, webhookEvents } from './webhook-events.ts';

const json = 'application/json';
const problemJson = 'application/problem+json';

const schemaOf = (schema: z.ZodType, io: 'input' | 'output' = 'input') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
};

/** The events: each type's own data, and any of them. */
const eventNames = Object.keys(webhookEvents) as WebhookEvent[];
const schemaName = (type: string) => `${type.charAt(0).toUpperCase()}${type.slice(1)}Event`;
const eventSchemas = Object.fromEntries(
  eventNames.map((type) => [
    schemaName(type),
    {
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { const: `handoff.${type}` },
        timestamp: { type: 'string', format: 'date-time' },
        data: schemaOf(dataOf(type), 'output'),
      },
    },
  ]),
);
const referTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    ...{
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string' },
    },
    choices: {
      type: 'array',
      description: 'With `unknown_choice`: what there is to choose.',
      items: { type: 'object', required: ['id', 'title'], properties: { id: { type: 'string' }, title: { type: 'string' } } },
    },
    errors: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } } },
  },
} as const;

const refusal = (description: string) => ({
  description,
  content: { [problemJson]: { schema: { $ref: '#/components/schemas/Problem' } } },
});
const ofEvery = {
  401: refusal('The key is missing or wrong: `unauthorized`.'),
  404: refusal('There is no such handoff: `not_found`.'),
  422: refusal('A field is invalid: `invalid_request`.'),
  429: refusal('Too many requests: `too_many_requests`. `Retry-After` says when to come back.'),
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } } as const;
const answer = (properties: object) => ({
  description: 'Done.',
  content: { [json]: { schema: { type: 'object', required: Object.keys(properties), properties } } },
});
const ofHandoff = { handoff: referTo('Handoff') };

const refusalsOf = ({ refuses }: PlatformOperation) => {
  const byStatus = Map.groupBy(refuses, (why) => refusals[why].status);
  const said = [...byStatus].map(([status, codes]) => {
    const known = status === 422 ? ['A field is invalid: `invalid_request`.'] : [];
    const unreachable = status === 502 ? ['The chat cannot be reached now, try again: `chat_unreachable`.'] : [];
    return [
      status,
      refusal([...known, ...unreachable, ...codes.map((why) => `${refusals[why].detail.replace(/\.$/, '')}: \`${why}\`.`)].join(' ')),
    ];
  });
  return { ...ofEvery, 502: refusal('The chat cannot be reached now, try again: `chat_unreachable`.'), ...Object.fromEntries(said) };
};

const pathOf = (operation: PlatformOperation) => ({
  post: {
    ...{ operationId: operation.name, summary: operation.summary, description: operation.description, parameters: [id] },
    requestBody: { required: true, content: { [json]: { schema: schemaOf(operation.request) } } },
    responses: { 200: answer(ofHandoff), ...refusalsOf(operation) },
  },
});

const { 404: _, 422: __, ...ofLists } = ofEvery;

/** The whole description. */
export const describeOperations = (publicUrl = 'http://localhost:3978') => ({
  openapi: '3.1.0',
  info: {
    title: 'Countersign handoff',
    version: '1',
    description:
      'What a platform can do in a chat that it has taken over, and the webhooks that it gets. They are signed according to Standard Webhooks, and delivered at least once and in order.',
  },
  servers: [{ url: publicUrl.replace(/\/$/, '') }],
  security: [{ key: [] }],
  paths: {
    '/handoff': {
      get: {
        ...{ operationId: 'list', summary: 'List the chats that wait or have an agent' },
        responses: { 200: answer({ handoffs: { type: 'array', items: ofHandoff.handoff } }), ...ofLists },
      },
    },
    '/handoff/{id}': {
      get: { operationId: 'get', summary: 'Read a handoff', parameters: [id], responses: { 200: answer(ofHandoff), ...ofEvery } },
    },
    '/handoff/{id}/events': {
      get: {
        ...{
          operationId: 'events',
          summary: 'List the events of a handoff',
          description: 'All events, posted or still to be posted, in order: for catching up.',
        },
        parameters: [
          id,
          {
            name: 'after',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 0 },
            description: 'The number of the last event that you have.',
          },
        ],
        responses: {
          200: answer({ events: { type: 'array', items: referTo('Event') }, more: { type: 'boolean' } }),
          ...ofEvery,
        },
      },
    },
    ...Object.fromEntries(operations.map((operation) => [`/handoff/{id}/${operation.name}`, pathOf(operation)])),
  },
  webhooks: Object.fromEntries(
    Object.entries(webhookEvents).map(([name, { description }]) => [
      `handoff.${name}`,
      {
        post: {
          ...{ operationId: `on.${name}`, summary: description.split(/[.:]/)[0] ?? name, description, security: [] },
          requestBody: { required: true, content: { [json]: { schema: referTo(schemaName(name)) } } },
          responses: { '2XX': { description: 'Accepted. After any other answer the webhook is sent again, except after 410.' } },
        },
      },
    ]),
  ),
  components: {
    schemas: {
      Handoff: schemaOf(handoffSchema, 'output'),
      Event: { oneOf: eventNames.map((type) => referTo(schemaName(type))) },
      ...eventSchemas,
      Problem: problem,
    },
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
  },
});
