import assert from 'node:assert/strict';
import { InvalidRequestError, ProtocolError, ServiceError, type TransportCode, TransportError } from '../../src/client/index.ts';
import { callFields, refusedFields, troubleOf } from '../../src/interactions/trouble.ts';

const status = (code: number) => new ServiceError('payments.send', code, { requestId: 'req-1' });
const transport = (code: TransportCode) => new TransportError('payments.send', code, { sent: false });
const rules = (...paths: string[]) =>
  new InvalidRequestError(
    'payments.send',
    paths.map((path) => ({ path, message: 'must be short' })),
  );

describe('trouble with the service', () => {
  const troubles: readonly (readonly [string, unknown, ReturnType<typeof troubleOf>])[] = [
    ...[401, 403, 405, 407, 415].map((code) => [`${code}`, status(code), 'misconfigured'] as const),
    ['400', status(400), 'rejected'],
    ['499', status(499), 'rejected'],
    ['429', status(429), 'busy'],
    ['500', status(500), 'failed'],
    ['what customers fill in, which breaks rules', rules('variables.start', 'code'), 'rejected'],
    ['something of ours that breaks a rule too', rules('variables.start', 'codeword'), 'misconfigured'],
    ['a redirect', new ProtocolError('payments.send', 'redirect'), 'misconfigured'],
    ['an unusable answer', new ProtocolError('payments.send', 'shape'), 'failed'],
    ['a certificate that is not trusted', transport('tls'), 'misconfigured'],
    ['calls that have failed before', transport('circuit_open'), 'failed'],
    ['no answer', transport('timeout'), 'unavailable'],
    ['a fault of unknown origin', new TypeError('canary'), 'unavailable'],
  ];
  for (const [what, fault, trouble] of troubles) it(`is "${trouble}" after ${what}`, () => assert.equal(troubleOf(fault), trouble));

  it('names no refused fields after any other fault', () => assert.deepEqual(refusedFields(transport('reset')), []));

  for (const [what, fault, fields] of [
    ['a refusal', status(503), { operation: 'payments.send', errorCode: 'http_503', status: 503, request: 'req-1' }],
    ['no answer', transport('reset'), { operation: 'payments.send', errorCode: 'reset' }],
    ['an unusable answer', new ProtocolError('payments.send', 'not_json'), { operation: 'payments.send', errorCode: 'not_json' }],
    [
      'two broken rules',
      rules('a', 'b'),
      { operation: 'payments.send', errorCode: 'invalid_request', fields: 'a must be short, b must be short' },
    ],
    ['a fault of unknown origin', new TypeError('canary'), {}],
  ] as const)
    it(`is logged after ${what} with ${Object.keys(fields).join(', ') || 'nothing of its own'}`, () => {
      const { error: _, where: __, ...logged } = callFields(fault) as Record<string, unknown>;
      assert.deepEqual(logged, fields);
    });
});
