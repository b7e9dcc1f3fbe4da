import assert from 'node:assert/strict';
import { type Fate, fateOf, InvalidRequestError, ProtocolError, ServiceError, TransportError } from '../../src/client/index.ts';

describe('the fate of a send', () => {
  const table: [string, unknown, Fate][] = [
    ['that broke a rule', new InvalidRequestError('payments.send', []), 'refused'],
    ['that could not connect', new TransportError('payments.send', 'connect', { sent: false }), 'retry'],
    ['while the circuit was open', new TransportError('payments.send', 'circuit_open', { sent: false }), 'retry'],
    ['whose connection broke', new TransportError('payments.send', 'reset', { sent: true }), 'unknown'],
    ['whose deadline passed', new TransportError('payments.send', 'timeout', { sent: true }), 'unknown'],
    ['that was answered with garbage', new ProtocolError('payments.send', 'not_json'), 'unknown'],
    ['that failed for a reason nobody knows', new Error('?'), 'unknown'],
    ...[400, 401, 403, 404, 409, 413, 415, 422].map((status): [string, unknown, Fate] => [
      `that was answered with ${status}`,
      new ServiceError('payments.send', status),
      'refused',
    ]),
    ['that was answered with 429', new ServiceError('payments.send', 429), 'retry'],
    ...[500, 501, 502, 503, 504, 599].map((status): [string, unknown, Fate] => [
      `that was answered with ${status}`,
      new ServiceError('payments.send', status),
      'unknown',
    ]),
    [
      "that was answered with 503 in the service's own words",
      new ServiceError('payments.send', 503, {
        problem: { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'Not now.', code: 'unavailable' },
      }),
      'retry',
    ],
    ...[401, 409, 422, 429].map((status): [string, unknown, Fate] => [
      `that was answered with ${status} after a lost attempt`,
      new ServiceError('payments.send', status, { sentBefore: true }),
      'unknown',
    ]),
  ];
  for (const [what, error, fate] of table) {
    it(`${what} is ${fate}`, () => assert.equal(fateOf(error), fate));
  }
});
