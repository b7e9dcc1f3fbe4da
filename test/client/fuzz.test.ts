import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ProtocolError, ServiceError, TransportError } from '../../src/client/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { bytes, raw } from '../support/misbehaving-service.ts';
import { caller, paymentResult, requestId, samples } from '../support/service-samples.ts';

describe('whatever the service answers', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  /** Every call, once: each must give a value or one of the three faults. */
  const callAll = async () => {
    const { apps, results, requests } = under.make({ bootstrap: 'post', timeouts: { call: 2_000 } });
    const key = { idempotencyKey: requestId };
    const endings = await Promise.allSettled([
      apps.payments.bootstrap(caller),
      apps.passkeys.bootstrap(caller),
      apps['document-signature'].bootstrap(caller),
      apps.payments.send(samples.payments.send, key),
      apps['one-time-passcode'].check({ requestId, code: '123456' }),
      results.get(requestId),
      requests.get(requestId),
      requests.resend(requestId),
    ]);
    for (const ending of endings) {
      if (ending.status === 'fulfilled') continue;
      const { reason } = ending;
      assert.ok(reason instanceof ServiceError || reason instanceof TransportError || reason instanceof ProtocolError, String(reason));
    }
  };

  const status = fc.oneof({ weight: 3, arbitrary: fc.constant(200) }, fc.integer({ min: 200, max: 599 }));
  const type = fc.constantFrom('application/json', 'application/problem+json', 'text/html', '');
  const good = fc.constantFrom<object>(paymentResult, samples.payments.sent, samples.payments.bootstrapped, samples.passkeys.bootstrapped);
  /** A good answer with one field, at any depth, replaced or removed. */
  const bent = fc.tuple(good, fc.nat(20), fc.option(fc.jsonValue(), { nil: undefined })).map(([answer, place, value]) => {
    let count = 0;
    return JSON.stringify(answer, (name, old) => (name !== '' && count++ === place ? value : old));
  });
  const body = fc.oneof(bent, fc.json(), fc.string(), fc.uint8Array({ maxLength: 200 }));

  it('as HTTP, a call ends with a value, a ServiceError, a TransportError or a ProtocolError', async () => {
    await fc.assert(
      fc.asyncProperty(status, type, body, async (code, contentType, content) => {
        under.service.script(raw(code, code === 204 || code === 304 ? '' : content, { 'Content-Type': contentType, 'Retry-After': '0' }));
        await callAll();
      }),
      { numRuns: 150 },
    );
  });

  it('as bytes, a call ends with a value, a ServiceError, a TransportError or a ProtocolError', async () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 100 Continue', 'Content-Length: 3', 'Transfer-Encoding: chunked', ''),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        under.service.script(bytes(lines.join('\r\n')));
        await callAll();
      }),
      { numRuns: 100 },
    );
  });
});
