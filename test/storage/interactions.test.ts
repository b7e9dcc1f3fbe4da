import assert from 'node:assert/strict';
import type { Intent } from '../../src/interactions/interaction.ts';
import { type Happening, next } from '../../src/interactions/states.ts';
import type { Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';

const intent = (id: string, more: Partial<Intent> = {}): Intent => ({
  id,
  app: 'payments',
  conversation: 'directline/c1',
  address: '{"conversation":{"id":"c1"}}',
  sessionRef: 'session-0001',
  customerRef: 'customer-0001',
  phoneNumber: '+12025550101',
  request: { sessionRef: 'session-0001', phoneNumber: '+12025550101', productId: 'p1' },
  createdAt: 1000,
  deadline: 2000,
  ...more,
});
const accepted: Happening = { kind: 'accepted', requestId: 'r1', wsToken: 'w1' };
const succeeded: Happening = { kind: 'decided', outcome: { status: 'success', by: 'result', at: 5 } };
const failed: Happening = { kind: 'decided', outcome: { status: 'failure', by: 'event', at: 6 } };

describe('the state machine of an interaction', () => {
  const table: [Parameters<typeof next>[0], Happening, ReturnType<typeof next>][] = [
    ['intended', accepted, 'waiting'],
    ['intended', { kind: 'refused', refusal: 'busy' }, 'refused'],
    ['intended', { kind: 'lost' }, 'unknown'],
    ['intended', succeeded, undefined],
    ['waiting', accepted, undefined],
    ['waiting', succeeded, 'decided'],
    ['decided', failed, undefined],
    ['decided', { kind: 'told' }, 'delivered'],
    ['decided', { kind: 'unreachable' }, 'undeliverable'],
    ['delivered', { kind: 'told' }, undefined],
    ['unknown', succeeded, undefined],
  ];
  for (const [state, happening, after] of table) {
    it(`${happening.kind} after ${state} ${after ? `leads to ${after}` : 'changes nothing'}`, () =>
      assert.equal(next(state, happening), after));
  }
});

for (const backend of backends) {
  describe(`the interaction store on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());

    it('gives back what was recorded', async () => {
      const recorded = await storage.interactions.record(intent('a'));
      assert.deepEqual(await storage.interactions.get('a'), recorded);
      assert.equal(recorded.state, 'intended');
      assert.equal(await storage.interactions.get('b'), undefined);
    });

    it('refuses a second intent of the same id', async () => {
      await storage.interactions.record(intent('a'));
      await assert.rejects(storage.interactions.record(intent('a')));
    });

    it('goes from intent to told, dropping the token and the address at the end', async () => {
      const { interactions } = storage;
      await interactions.record(intent('a'));
      assert.equal((await interactions.apply('a', accepted))?.wsToken, 'w1');
      assert.deepEqual((await interactions.apply('a', succeeded))?.outcome, { status: 'success', by: 'result', at: 5 });
      const told = await interactions.apply('a', { kind: 'told' });
      assert.equal(told?.state, 'delivered');
      assert.equal(told?.wsToken, undefined);
      assert.equal(told?.address, '');
      assert.deepEqual(await interactions.unfinished(), []);
    });

    it('decides once, however many try', async () => {
      const { interactions } = storage;
      await interactions.record(intent('a'));
      await interactions.apply('a', accepted);
      const tries = await Promise.all(Array.from({ length: 20 }, (_, index) => interactions.apply('a', index % 2 ? succeeded : failed)));
      assert.equal(tries.filter(Boolean).length, 1);
      assert.deepEqual((await interactions.get('a'))?.outcome, tries.find(Boolean)?.outcome);
    });

    it('notes each step once, only while waiting', async () => {
      const { interactions } = storage;
      await interactions.record(intent('a'));
      assert.equal(await interactions.advance('a', 'sent', 1), undefined);
      await interactions.apply('a', accepted);
      assert.deepEqual((await interactions.advance('a', 'sent', 1))?.progress, { sent: 1 });
      assert.equal(await interactions.advance('a', 'sent', 2), undefined);
      assert.deepEqual((await interactions.advance('a', 'opened', 3))?.progress, { sent: 1, opened: 3 });
      await interactions.apply('a', succeeded);
      assert.equal(await interactions.advance('a', 'started', 4), undefined);
    });

    it('counts wrong passcodes until a new code is sent', async () => {
      const { interactions } = storage;
      await interactions.record(intent('a'));
      await interactions.apply('a', accepted);
      await interactions.apply('a', { kind: 'mistyped' });
      assert.equal((await interactions.apply('a', { kind: 'mistyped' }))?.mistyped, 2);
      const resent = await interactions.apply('a', { kind: 'resent', requestId: 'r2' });
      assert.deepEqual([resent?.mistyped, resent?.requestId, resent?.wsToken, resent?.state], [0, 'r2', undefined, 'waiting']);
    });

    it('lists what is not over, oldest first, refusals and unknown fates until they are told', async () => {
      const { interactions } = storage;
      for (const id of ['c', 'a', 'b', 'd']) await interactions.record(intent(id));
      await interactions.apply('a', { kind: 'refused', refusal: 'busy' });
      await interactions.apply('b', { kind: 'lost' });
      await interactions.apply('c', accepted);
      const ids = async () => (await interactions.unfinished()).map(({ id }) => id);
      assert.deepEqual(await ids(), ['a', 'b', 'c', 'd']);
      await interactions.apply('a', { kind: 'told' });
      await interactions.apply('b', { kind: 'unreachable' });
      assert.deepEqual(await ids(), ['c', 'd']);
    });

    it('lists what a chat waits for', async () => {
      const { interactions } = storage;
      await interactions.record(intent('a'));
      await interactions.record(intent('b', { conversation: 'directline/c2' }));
      await interactions.apply('a', accepted);
      await interactions.apply('b', accepted);
      assert.deepEqual(
        (await interactions.waitingIn('directline/c1')).map(({ id }) => id),
        ['a'],
      );
    });
  });
}
