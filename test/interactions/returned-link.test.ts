import assert from 'node:assert/strict';
import type { Plan } from '../../src/interactions/starting/start.ts';
import { type InteractionsUnderTest, outcomeTimeout, plan, start, startInteractions } from '../support/interactions-under-test.ts';
import { requestId } from '../support/service-samples.ts';

const link = 'https://verify.example.com/r/canary-link';

describe('a link that is returned with a send', () => {
  let test: InteractionsUnderTest;
  const asked: boolean[] = [];
  beforeEach(async () => {
    test = await startInteractions();
    asked.length = 0;
    test.send = async (_key, _signal, returnLink) => {
      asked.push(returnLink);
      return { requestId, wsToken: 'token-0001', ...(returnLink && { link }) };
    };
  });
  afterEach(() => test.close());
  const asking: Plan = { ...plan, returnLink: true };

  it('is requested if the plan says so, and is in the answer of that call only', async () => {
    const life = test.make();
    assert.equal((await life.start(asking)).link, link);
    assert.ok(!('link' in (await life.start({ ...plan, id: '01M7W000000000000000000002' }))));
    assert.deepEqual(asked, [true, false]);
  });

  it('is not stored: later reads, repeated starts and the outcome have none', async () => {
    const life = test.make();
    await test.open(life);
    await life.start(asking);
    const stored = await test.storage.interactions.get(plan.id);
    const again = await life.start(asking);
    await life.cancel(plan.id);
    await test.settle();
    assert.equal(test.delivered.length, 1);
    assert.deepEqual(asked, [true]);
    assert.doesNotMatch(JSON.stringify([stored, again, await life.get(plan.id), test.delivered, test.progress]), /link/i);
    assert.ok(!test.lines.join('').includes('canary-link'));
  });

  it('is not requested by a send that is repeated after a crash', async () => {
    const { interactions } = test.storage;
    await interactions.record({ ...plan, createdAt: start, deadline: start + outcomeTimeout });
    await interactions.release();
    const life = test.make({ idempotent: true });
    await test.open(life);
    await test.settle();
    assert.deepEqual(asked, [false]);
  });

  it('is not requested if nobody may learn whether anything is sent', async () => {
    test.customers = async () => [{ id: 'customer-0001', name: 'Mei Tanaka' }];
    const life = test.make();
    const starting = life.start({ ...asking, initials: 'MT' });
    await test.settle();
    await test.time.tickAsync(3_000);
    assert.ok(!('link' in (await starting)));
    assert.deepEqual(asked, [false]);
  });

  it('is missing if the service refuses it, or does not support it', async () => {
    test.send = async () => ({ requestId, wsToken: 'token-0001' });
    const started = await test.make().start(asking);
    assert.deepEqual([started.state, started.link], ['waiting', undefined]);
  });
});
