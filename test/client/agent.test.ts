import assert from 'node:assert/strict';
import { InvalidRequestError } from '../../src/client/index.ts';
import { appIds } from '../../src/contract/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { json } from '../support/misbehaving-service.ts';
import { requestId, samples } from '../support/service-samples.ts';

describe('the agent who acts for the customer', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());
  const send = (app: (typeof appIds)[number], agentId?: string) =>
    under.make().apps[app].send(samples[app].send as never, { idempotencyKey: requestId, agentId });

  for (const app of appIds) {
    it(`goes with a send, as a header that every service may ignore (${app})`, async () => {
      under.service.script(json(200, samples[app].sent), json(200, samples[app].sent));
      await send(app, 'mara@example.com');
      await send(app);
      assert.deepEqual(
        under.service.requests.map(({ headers }) => headers['agent-id']),
        ['mara@example.com', undefined],
      );
      assert.ok(under.service.requests.every(({ body }) => !body.includes('mara')));
    });
  }

  for (const agentId of ['', 'Mara Ek', 'mára@example.com', 'm\r\nX-Evil: 1', 'a'.repeat(321)]) {
    it(`is refused before anything is sent where no header can carry it: ${JSON.stringify(agentId.slice(0, 20))}`, async () => {
      under.service.script(json(200, samples.payments.sent));
      const error = await failureOf(send('payments', agentId), InvalidRequestError);
      assert.deepEqual(
        error.errors.map(({ path }) => path),
        ['agentId'],
      );
      assert.equal(under.service.requests.length, 0);
    });
  }
});
