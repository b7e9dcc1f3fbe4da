// The headers of requests and answers, as the documents describe them.
import { agentHeader, idempotencyHeader, returnLinkHeader } from '../../contract/index.ts';
import { explained, type ProblemCode } from '../core/api/problems.ts';

const text = { type: 'string' } as const;
const seconds = { type: 'integer', minimum: 1 } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** The contents of `components.headers`. */
export const headerComponents = {
  'X-Request-Id': {
    description: 'Names this call, in the answer and in the log of the service. A harmless one that you send is kept.',
    required: true,
    schema: { ...text, pattern: '^[A-Za-z0-9-]{8,64}$' },
  },
  'Retry-After': { description: 'Seconds until it is worth asking again.', required: true, schema: seconds },
  'WWW-Authenticate': { description: 'The scheme to authenticate with.', required: true, schema: { const: 'Bearer' } },
  RateLimit: {
    description:
      'A quota that the call counted for, what remains of it, and seconds until it is full again (draft-ietf-httpapi-ratelimit-headers).',
    required: true,
    schema: { ...text, pattern: '^"[a-z-]+";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description: 'The quota: how many (`q`) per how many seconds (`w`).',
    required: true,
    schema: { ...text, pattern: '^"[a-z-]+";q=\\d+;w=\\d+$' },
  },
  'RateLimit-Limit': { description: "The same in an earlier draft's words.", required: true, schema: count },
  'RateLimit-Remaining': { required: true, schema: count },
  'RateLimit-Reset': { required: true, schema: seconds },
} as const;

type HeaderName = keyof typeof headerComponents;

const referredTo = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of a successful answer. */
export const answerHeaders = referredTo(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']);

/** The headers of a refusal with any of these codes, which share a status. */
export const refusalHeaders = (codes: readonly ProblemCode[]) => {
  const status = codes[0] && explained(codes[0]).status;
  const names: HeaderName[] = ['X-Request-Id'];
  // If only some of the codes say when to retry, the header cannot be promised for the status.
  if (codes.every((code) => explained(code).waits)) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  // Refusals before counting, and those caused by a fault, contain nothing about a quota.
  if (status !== undefined && ![400, 401, 500, 503].includes(status)) names.push('RateLimit', 'RateLimit-Policy');
  if (status === 429) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  return referredTo(names);
};

/** The contents of `components.parameters`. */
export const parameterComponents = {
  'Accept-Language': {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description:
      'The language that the customer’s chat speaks. What the catalogue has in it is answered in it, and a customer whose own language is not known is written to in it.',
    schema: { ...text, examples: ['es'] },
  },
  [idempotencyHeader]: {
    name: idempotencyHeader,
    in: 'header',
    required: false,
    description:
      'An identifier of your own for this request. The same key with the same body is carried out once and answered alike, however often it is sent.',
    schema: { ...text, pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7T'] },
  },
  [agentHeader]: {
    name: agentHeader,
    in: 'header',
    required: false,
    description: 'Who asks for it in the customer’s stead, such as an agent’s e-mail address. It stands in the result as `agentId`.',
    schema: { ...text, pattern: '^[\\x21-\\x7e]{1,320}$', examples: ['mara@example.com'] },
  },
  [returnLinkHeader]: {
    name: returnLinkHeader,
    in: 'header',
    required: false,
    description:
      'Asks for the link of the page as well, for a customer who is in touch with you on the very phone that the message goes to. Without the permission of the service’s operator it is ignored; where it is answered, the audit trail says so. A repeat under the same Idempotency-Key is answered without the link.',
    schema: { type: 'boolean', examples: [true] },
  },
} as const;
