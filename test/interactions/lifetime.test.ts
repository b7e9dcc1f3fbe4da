import assert from 'node:assert/strict';
import { type GetEnding, ServiceError } from '../../src/client/index.ts';
import { type Interaction, margin } from '../../src/interactions/interaction.ts';
import {
  type InteractionsUnderTest,
  outcomeTimeout,
  plan,
  recordOf,
  start,
  startInteractions,
} from '../support/interactions-under-test.ts';
import { requestId } from '../support/service-samples.ts';

const minute = 60_000;
/** By a clock of the service's own, three hours ahead of ours. */
const goodFor = (minutes: number): GetEnding & { readonly kind: 'found' } => ({
  kind: 'found',
  record: {
    ...recordOf('pending'),
    createdAt: new Date(start + 180 * minute).toISOString(),
    expiresAt: new Date(start + (180 + minutes) * minute).toISOString(),
  },
});

describe('how long a request is waited for', () => {
  let test: InteractionsUnderTest;
  beforeEach(async () => {
    test = await startInteractions();
  });
  afterEach(() => test.close());

  const waited = ({ deadline }: Interaction) => (deadline - start) / minute;
  const usual = outcomeTimeout / minute;

  for (const [what, record, minutes] of [
    ['as long as the service says, and a minute', async () => goodFor(10), 11],
    ['longer than is usual, where the service says so', async () => goodFor(240), 241],
    ['as usual, where the service tells nothing', async () => ({ kind: 'unsupported' }) as const, usual],
    ['as usual, where what it tells makes no sense', async () => goodFor(0), usual],
    ['as usual, where it goes backwards', async () => goodFor(-5), usual],
    [
      'as usual, where the service does not answer that',
      async () => {
        throw new ServiceError('requests.get', 500);
      },
      usual,
    ],
  ] as const) {
    it(`is ${what}`, async () => {
      test.record = record;
      const life = test.make();
      await test.open(life);
      const waiting = await life.start(plan);
      assert.equal(waiting.state, 'waiting');
      assert.equal(waited(waiting), minutes);
      assert.deepEqual(await life.get(waiting.id), waiting);
      await test.time.tickAsync(minutes * minute - 1);
      assert.equal((await life.get(waiting.id))?.state, 'waiting');
      await test.time.tickAsync(1);
      await test.settle();
      assert.equal((await life.get(waiting.id))?.outcome?.by, 'deadline');
    });
  }

  it('is longer after it was sent again, where the service says so, and never less', async () => {
    test.record = async () => goodFor(10);
    const life = test.make();
    await test.open(life);
    const waiting = await life.start(plan);
    await test.time.tickAsync(8 * minute);
    test.resend = async () => ({ kind: 'resent', record: goodFor(18).record });
    assert.equal((await life.resend(waiting.id)).kind, 'resent');
    assert.equal(waited((await life.get(waiting.id)) as Interaction), 19);
    test.resend = async () => ({ kind: 'resent', record: goodFor(2).record });
    await life.resend(waiting.id);
    assert.equal(waited((await life.get(waiting.id)) as Interaction), 19);
    await test.time.tickAsync(11 * minute - 1);
    assert.equal((await life.get(waiting.id))?.state, 'waiting');
    await test.time.tickAsync(1);
    await test.settle();
    assert.equal((await life.get(waiting.id))?.outcome?.status, 'timeout');
  });

  it('counts from the acceptance of an intent that a crash had left behind', async () => {
    await test.storage.interactions.record({ ...plan, createdAt: start, deadline: start + outcomeTimeout });
    await test.storage.interactions.release();
    await test.time.tickAsync(9 * minute);
    test.record = async () => goodFor(5);
    const life = test.make({ idempotent: true });
    await test.open(life);
    await test.settle();
    const waiting = (await life.get(plan.id)) as Interaction;
    assert.equal(waiting.deadline, start + 9 * minute + 5 * minute + margin);
  });

  it('follows the new request if a passcode is resent, and reads that one’s result', async () => {
    const passcode = {
      ...plan,
      app: 'one-time-passcode' as const,
      request: { sessionRef: 's', customerRef: 'c', phoneNumber: '+12025550147' },
    };
    const renewed = '01KAH5Z0V8Q2J9XW3N4M5P6R7T';
    test.send = async () => ({ success: true, message: 'Sent.', requestId });
    const life = test.make();
    await test.open(life);
    const waiting = await life.start(passcode);
    await test.settle();
    test.resend = async () => ({ kind: 'unsupported' });
    test.send = async () => ({ success: true, message: 'Sent.', requestId: renewed });
    test.read.length = 0;
    assert.equal((await life.resend(waiting.id)).kind, 'resent');
    await test.settle();
    await test.time.tickAsync(60_000);
    assert.ok(test.read.length > 0);
    assert.deepEqual(new Set(test.read), new Set([renewed]));
  });
});
