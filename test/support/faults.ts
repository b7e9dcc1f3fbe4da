// Faults of a service in one request, and the customer's view of each.
import { gzipSync } from 'node:zlib';
import type { Trouble } from '../../src/interactions/trouble.ts';
import { type Behaviour, bytes, empty, half, hang, hangInBody, json, raw, refuse, reset } from './misbehaving-service.ts';

export interface ServiceFault {
  readonly what: string;
  readonly behaviour: Behaviour;
  readonly trouble: Trouble;
  /** The fate of a send that met it: certainly not accepted, or unknown. */
  readonly sent: 'refused' | 'unknown';
  /** The status, if the answer is a refusal. */
  readonly status?: number;
}

const page = '<!doctype html><title>Oops</title><h1>502 Bad Gateway: jane@canary.example</h1>';
const html = { 'Content-Type': 'text/html' };
const typed = { 'Content-Type': 'application/json' };

/** Answers that do not keep to the interface. */
const garbage: readonly [string, Behaviour][] = [
  ['a page', raw(200, page, html)],
  ['a page that calls itself JSON', raw(200, page, typed)],
  ['JSON that breaks off', raw(200, '{"customers":[{"id":"', typed)],
  ['nothing at all', empty(200, typed)],
  ['204', empty(204)],
  ['null', json(200, null)],
  ['a list', json(200, [1, 2])],
  ['a text', json(200, 'canary')],
  ['an empty object', json(200, {})],
  [
    'fields of the wrong type',
    json(200, {
      customers: { length: 1 },
      products: 'canary',
      requestId: 7,
      wsToken: ['canary'],
      success: 'yes',
      codeMatch: 'true',
      status: 1,
      id: 7,
      state: [],
    }),
  ],
  ['lists of the wrong things', json(200, { customers: [null, 7, 'canary'], products: [{}], requestId: '', wsToken: '', codeMatch: 1 })],
  ['a nest of lists', raw(200, `${'['.repeat(5000)}${']'.repeat(5000)}`, typed)],
  ['two megabytes', raw(200, JSON.stringify({ customers: [], products: [], canary: 'x'.repeat(2 * 1024 * 1024) }), typed)],
  ['something compressed', raw(200, gzipSync('{"customers":[]}'), { ...typed, 'Content-Encoding': 'gzip' })],
  ['invalid UTF-8', raw(200, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), typed)],
  ['bytes that are not HTTP', bytes('SSH-2.0-canary\r\n')],
];

/** No answer, or part of one. */
const silence: readonly [string, Behaviour][] = [
  ['silence', hang],
  ['an answer that never ends', hangInBody],
  ['an answer that breaks off', half],
  ['a reset', reset],
];

const statuses: readonly [number, string, Behaviour, Trouble, ServiceFault['sent']][] = [
  [400, '', refuse(400, 'malformed'), 'rejected', 'refused'],
  [401, '', refuse(401, 'unauthorized'), 'misconfigured', 'refused'],
  [401, ' with a page', raw(401, page, html), 'misconfigured', 'refused'],
  [403, '', empty(403), 'misconfigured', 'refused'],
  [422, '', refuse(422, 'invalid'), 'rejected', 'refused'],
  [429, ' with Retry-After in seconds', refuse(429, 'too_many_requests', { 'Retry-After': '120' }), 'busy', 'refused'],
  [429, ' with Retry-After as a date', empty(429, { 'Retry-After': 'Wed, 20 Nov 2126 08:26:17 GMT' }), 'busy', 'refused'],
  [429, ' with a Retry-After that is none', empty(429, { 'Retry-After': 'soon' }), 'busy', 'refused'],
  [500, '', refuse(500, 'internal_error'), 'failed', 'unknown'],
  [500, ' with a page', raw(500, page, html), 'failed', 'unknown'],
  [502, '', empty(502), 'failed', 'unknown'],
  [503, ' of a proxy', raw(503, page, html), 'failed', 'unknown'],
  [503, " in the service's own words", refuse(503, 'unavailable', { 'Retry-After': '60' }), 'failed', 'refused'],
];

/** All of them. Each can occur in every phase. */
export const serviceFaults: readonly ServiceFault[] = [
  ...garbage.map(([what, behaviour]) => ({ what, behaviour, trouble: 'failed', sent: 'unknown' }) as const),
  ...silence.map(([what, behaviour]) => ({ what, behaviour, trouble: 'unavailable', sent: 'unknown' }) as const),
  {
    what: 'a redirect',
    behaviour: empty(302, { Location: 'http://127.0.0.1:1/canary' }),
    trouble: 'misconfigured',
    sent: 'unknown',
  },
  ...statuses.map(([status, more, behaviour, trouble, sent]) => ({ what: `${status}${more}`, behaviour, trouble, sent, status })),
];
