import assert from 'node:assert/strict';
import { InvalidRequestError } from '../../src/client/index.ts';
import { appIds } from '../../src/contract/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { json } from '../support/misbehaving-service.ts';
import { caller, requestId, samples } from '../support/service-samples.ts';

describe('the language of a call', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  for (const app of appIds) {
    it(`goes with a look-up and with a send, as a header that every service may ignore (${app})`, async () => {
      const calls = under.make().apps[app];
      under.service.script(json(200, samples[app].bootstrapped), json(200, samples[app].sent));
      await calls.bootstrap(caller as never, { language: 'es-MX' });
      await calls.send(samples[app].send as never, { idempotencyKey: requestId, language: 'es' });
      assert.deepEqual(
        under.service.requests.map(({ headers }) => headers['accept-language']),
        ['es-MX', 'es'],
      );
      assert.ok(under.service.requests.every(({ body }) => !body.includes('language')));
    });
  }

  it('is left out where nobody names one', async () => {
    under.service.script(json(200, samples.payments.bootstrapped));
    await under.make().apps.payments.bootstrap(caller);
    assert.equal(under.service.requests[0]?.headers['accept-language'], undefined);
  });

  for (const language of ['', 'es es', 'español', 'es\r\nX-Evil: 1', 'a'.repeat(9)]) {
    it(`is refused before anything is sent where it is none: ${JSON.stringify(language)}`, async () => {
      under.service.script(json(200, samples.payments.bootstrapped));
      const error = await failureOf(under.make().apps.payments.bootstrap(caller, { language }), InvalidRequestError);
      assert.deepEqual(
        error.errors.map(({ path }) => path),
        ['language'],
      );
      assert.equal(under.service.requests.length, 0);
    });
  }
});
