// The calls of a platform as OpenAPI 3.1, generated from the operations themselves.
import { z } from 'zod';
import { reasons } from './case.ts';
import { operations, type PlatformOperation, refusals } from './operations.ts';

const json = 'application/json';
const problemJson = 'application/problem+json';

const schemaOf = (schema: z.ZodType, io: 'input' | 'output' = 'input') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
};

const instant = { type: 'string', format: 'date-time' } as const;

const handoff = {
  type: 'object',
  required: ['id', 'state', 'reason', 'language', 'createdAt'],
  properties: {
    id: { type: 'string', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] },
    conversation: { type: 'string', description: 'The chat, by the name that `cs_conversation` has in a proof.' },
    state: { enum: ['requested', 'accepted', 'over'] },
    reason: { enum: reasons },
    app: { type: 'string', description: 'The app that the customer was in.' },
    language: { type: 'string', examples: ['es'] },
    agent: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, name: { type: 'string' } } },
    createdAt: instant,
    dueAt: { ...instant, description: 'When the customer is told that no agent is available.' },
    acceptedAt: instant,
    endedAt: instant,
    ending: { enum: ['finished', 'returned', 'withdrawn', 'failed', 'timed_out'] },
    wrapUp: { type: 'string' },
  },
} as const;

const events: Readonly<Record<string, string>> = {
  requested:
    'A customer asks for a person. `context` holds flat values, `transcript` the messages so far (without codes, card numbers and form answers), and, if the customer is verified, `assertion` a signed token.',
  waited:
    'Messages arrived before an agent accepted: `lines`, in the format of the transcript. So the agent who accepts the chat can read all of it.',
  message: 'The customer sent a message.',
  verification:
    'The verification has changed: it ended (another customer, a new member, signing out), or somebody else is verified. `before` is then the state of whom the chat was about until now.',
  outcome:
    'A request in the chat has ended, no matter who started it: `outcome` names its customer, who need not be the verified one. It may come after the end of the handoff, and then says nothing about the verification.',
  ended: 'The handoff is over, and not because of your own call: see `ending` and `by`.',
};

const event = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { enum: Object.keys(events).map((name) => `handoff.${name}`) },
    timestamp: instant,
    data: {
      type: 'object',
      required: ['event', 'handoff'],
      properties: {
        event: {
          type: 'object',
          required: ['id', 'number'],
          description: 'Its `webhook-id`, and its place among the events of its handoff.',
          properties: { id: { type: 'string' }, number: { type: 'integer', minimum: 1 } },
        },
        handoff: { $ref: '#/components/schemas/Handoff' },
        assertion: {
          type: 'string',
          description:
            'A token that proves who is verified; its keys are at `/.well-known/jwks.json`. Compare its `cs_handoff` with the id of the handoff.',
        },
      },
    },
  },
} as const;

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
const ofHandoff = { handoff: { $ref: '#/components/schemas/Handoff' } };

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
          200: answer({ events: { type: 'array', items: { $ref: '#/components/schemas/Event' } }, more: { type: 'boolean' } }),
          ...ofEvery,
        },
      },
    },
    ...Object.fromEntries(operations.map((operation) => [`/handoff/{id}/${operation.name}`, pathOf(operation)])),
  },
  webhooks: Object.fromEntries(
    Object.entries(events).map(([name, description]) => [
      `handoff.${name}`,
      {
        post: {
          ...{ operationId: `on.${name}`, summary: description.split(/[.:]/)[0] ?? name, description, security: [] },
          requestBody: { required: true, content: { [json]: { schema: { $ref: '#/components/schemas/Event' } } } },
          responses: { '2XX': { description: 'Accepted. After any other answer the webhook is sent again, except after 410.' } },
        },
      },
    ]),
  ),
  components: {
    schemas: { Handoff: handoff, Event: event, Problem: problem },
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
  },
});
