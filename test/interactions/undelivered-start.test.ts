import assert from 'node:assert/strict';
import { ServiceError, TransportError } from '../../src/client/index.ts';
import type { Interactions } from '../../src/interactions/index.ts';
import { type InteractionsUnderTest, plan, startInteractions } from '../support/interactions-under-test.ts';

const endings = [
  ['refused', new ServiceError('payments.send', 422)],
  ['unknown', new TransportError('payments.send', 'timeout', { sent: true })],
] as const;

describe('a start that came to nothing', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  beforeEach(async () => {
    test = await startInteractions();
    life = test.make();
    await test.open(life);
  });
  afterEach(() => test.close());

  for (const [state, fault] of endings) {
    describe(`and is ${state}`, () => {
      const begin = async () => {
        test.send = async () => {
          throw fault;
        };
        const interaction = await life.start(plan);
        assert.equal(interaction.state, state);
        return interaction;
      };
      const told = () => test.delivered.map(({ id, state: now }) => [id, now]);

      it('is delivered once, without a restart, if its turn could not report it', async () => {
        const { id } = await begin();
        await test.time.tickAsync(9_999);
        assert.deepEqual(told(), []);
        await test.time.tickAsync(1);
        await test.settle();
        assert.deepEqual(told(), [[id, state]]);
        await test.time.tickAsync(600_000);
        assert.deepEqual(told(), [[id, state]]);
        assert.equal((await life.get(id))?.delivered, true);
      });

      it('is retried until it is delivered, if the channel stays down for a while', async () => {
        const { id } = await begin();
        let down = true;
        test.deliver = async () => {
          if (down) throw new Error('the channel is down');
          return;
        };
        await test.time.tickAsync(60_000);
        assert.equal((await life.get(id))?.delivered, false);
        down = false;
        await test.time.tickAsync(60_000);
        assert.equal((await life.get(id))?.delivered, true);
      });

      it('is left to its turn if that reports it', async () => {
        const interaction = await begin();
        await life.markDelivered(interaction);
        await test.time.tickAsync(600_000);
        assert.deepEqual(told(), []);
      });

      it('is delivered once although the same confirmation is started again meanwhile', async () => {
        const { id } = await begin();
        await test.time.tickAsync(5_000);
        await life.start(plan);
        await test.time.tickAsync(600_000);
        assert.deepEqual(told(), [[id, state]]);
      });

      it('is left to whoever claims it if this process has lost it', async () => {
        await begin();
        await test.storage.interactions.release();
        await life.start(plan);
        await test.time.tickAsync(600_000);
        assert.deepEqual(told(), []);
      });

      it('is delivered by the next start if the process stops before', async () => {
        const { id } = await begin();
        await life.close();
        assert.deepEqual(told(), []);
        await test.open(test.make());
        await test.settle();
        assert.deepEqual(told(), [[id, state]]);
      });
    });
  }
});
