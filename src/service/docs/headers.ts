// The headers of requests and answers, as the documents describe them.
import { agentHeader, idempotencyHeader, returnLinkHeader } from '../../contract/index.ts';
import { explained, type ProblemCode } from '../core/api/problems.ts';

const text = { type: 'string' } as const;
const seconds = { type: 'integer', minimum: 1 } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** The contents of `components.headers`. */
export const headerComponents = {
  'X-Request-Id': {
    description: 'Identifies this call, in the answer and in the service’s log. The service uses yours if it fits the pattern.',
    required: true,
    schema: { ...text, pattern: '^[A-Za-z0-9-]{8,64}$' },
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', required: true, schema: seconds },
  'WWW-Authenticate': { description: 'The authentication scheme.', required: true, schema: { const: 'Bearer' } },
  RateLimit: {
    description:
      'A quota that the call counts towards: what is left (`r`), and seconds until it is full again (`t`) (draft-ietf-httpapi-ratelimit-headers).',
    required: true,
    schema: { ...text, pattern: '^"[a-z-]+";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description: 'The quota: how many (`q`) per how many seconds (`w`).',
    required: true,
    schema: { ...text, pattern: '^"[a-z-]+";q=\\d+;w=\\d+$' },
  },
  'RateLimit-Limit': { description: 'The quota, as in earlier drafts.', required: true, schema: count },
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

const header = (name: string, description: string, schema: object) => ({ name, in: 'header', required: false, description, schema });

const parameters = [
  header(
    'Accept-Language',
    'The language of the customer’s chat. Texts of the catalogue are returned in it where available, and messages use it if the customer’s own language is not known.',
    { ...text, examples: ['es'] },
  ),
  header(
    idempotencyHeader,
    'Your own identifier for this send. However often it is repeated with the same key and body, it is carried out once and gets the same answer.',
    { ...text, pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7T'] },
  ),
  header(
    agentHeader,
    'The agent who sends it on the customer’s behalf, such as their e-mail address. The result carries it as `agentId`.',
    { ...text, pattern: '^[\\x21-\\x7e]{1,320}$', examples: ['mara@example.com'] },
  ),
  header(
    returnLinkHeader,
    'Requests the page’s link in the answer, for a customer who is chatting on the same phone that the message goes to. It is ignored unless the service’s operator allows it. When a link is returned, the audit trail records it. A repeat with the same Idempotency-Key does not return the link again.',
    { type: 'boolean', examples: [true] },
  ),
];

/** The contents of `components.parameters`. */
export const parameterComponents = Object.fromEntries(parameters.map((one) => [one.name, one]));
