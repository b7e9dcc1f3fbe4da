import assert from 'node:assert/strict';
import { type Intent, type Interaction, next, notClaimed, type Transition } from '../../../src/interactions/interaction.ts';
import type { InteractionStore } from '../../../src/interactions/ports.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { accepted, failed, intent, succeeded } from '../../support/samples.ts';

describe('the state machine of an interaction', () => {
  const table: [Parameters<typeof next>[0], Transition, ReturnType<typeof next>][] = [
    ['intended', accepted, 'waiting'],
    ['intended', { kind: 'refused', refusal: 'busy' }, 'refused'],
    ['intended', { kind: 'lost' }, 'unknown'],
    ['intended', succeeded, undefined],
    ['waiting', accepted, undefined],
    ['waiting', succeeded, 'decided'],
    ['decided', failed, undefined],
    ['decided', { kind: 'delivered' }, 'delivered'],
    ['decided', { kind: 'unreachable' }, 'undeliverable'],
    ['delivered', { kind: 'delivered' }, undefined],
    ['unknown', succeeded, undefined],
  ];
  for (const [state, transition, after] of table) {
    it(`${transition.kind} after ${state} ${after ? `leads to ${after}` : 'changes nothing'}`, () =>
      assert.equal(next(state, transition), after));
  }
});

for (const backend of backends) {
  describe(`the interaction store on ${backend.kind}`, () => {
    let storage: Storage;
    let interactions: InteractionStore;
    beforeEach(async () => {
      storage = await backend.open();
      interactions = storage.interactions;
    });
    afterEach(() => storage.close());

    const ids = (found: readonly Interaction[]) => found.map(({ id }) => id);
    /** One that waits. */
    const waiting = async (id: string, more: Partial<Intent> = {}) => {
      const recorded = await interactions.record(intent(id, { createdAt: 1, ...more }));
      return (await interactions.apply(recorded, accepted)) ?? assert.fail();
    };

    it('returns what was recorded', async () => {
      const whole = { subject: 'Invoice', agentId: 'ana@example.com', traceparent: '00-1-2-01', blindLookup: true } as const;
      for (const [id, more] of [
        ['a', {}],
        ['b', whole],
      ] as const) {
        const recorded = await interactions.record(intent(id, more));
        assert.deepEqual(await interactions.get(id), recorded);
        assert.deepEqual(recorded, { ...intent(id, more), epoch: 1, state: 'intended', progress: {}, mistyped: 0, delivered: false });
      }
      assert.equal(await interactions.get('c'), undefined);
    });

    it('records that a chat calls off what it may not see, which then waits no more for it', async () => {
      await waiting('a');
      await waiting('b', { blindLookup: true });
      const open = async () => ids(await interactions.waitingIn('directline/c1'));
      assert.deepEqual(await open(), ['a', 'b']);
      for (const id of ['a', 'b']) await interactions.requestCancel(id);
      assert.deepEqual(await open(), ['a']);
      assert.deepEqual([(await interactions.get('a'))?.cancelRequested, (await interactions.get('b'))?.cancelRequested], [undefined, true]);
    });

    it('lets a chat see as waiting what it may not see, until its end is delivered', async () => {
      const hidden = { blindLookup: true } as const;
      const recorded = await interactions.record(intent('a', hidden));
      const seen = async () => [(await interactions.takeOver('a'))?.state, ids(await interactions.waitingIn('directline/c1')).length];
      assert.deepEqual(await seen(), [undefined, 1], 'it may still be on its way');
      await interactions.apply(recorded, accepted);
      assert.deepEqual(await seen(), ['waiting', 1]);
      await interactions.apply(recorded, { kind: 'expired' });
      assert.deepEqual(await seen(), ['expired', 1]);
      await interactions.apply(recorded, { kind: 'delivered' });
      assert.deepEqual(await seen(), [undefined, 0]);
      const refused = await interactions.record(intent('b', hidden));
      await interactions.apply(refused, { kind: 'refused', refusal: 'busy' });
      assert.equal((await interactions.takeOver('b'))?.refusal, 'busy');
      await interactions.apply(refused, { kind: 'delivered' });
      assert.equal(await interactions.takeOver('b'), undefined);
    });

    it('keeps the last rating of an outcome, by its own chat', async () => {
      const held = await waiting('a');
      assert.equal(await interactions.rate('a', 'directline/c1', 'like'), undefined);
      await interactions.apply(held, succeeded);
      const rated = { app: 'payments', status: 'success' };
      assert.deepEqual(await interactions.rate('a', 'directline/c1', 'like'), rated);
      assert.equal(await interactions.rate('a', 'directline/c2', 'dislike'), undefined);
      assert.deepEqual(await interactions.rate('a', 'directline/c1', 'dislike'), { ...rated, before: 'like' });
      assert.deepEqual(await interactions.rate('a', 'directline/c1', 'dislike'), { ...rated, before: 'dislike' });
    });

    it('finds what could not be delivered to a number until it is mentioned, newest first, and not what nobody may learn of', async () => {
      const fail = async (id: string, more: Partial<Intent> = {}) => {
        const held = await waiting(id, more);
        await interactions.apply(held, succeeded);
        return (await interactions.apply(held, { kind: 'unreachable' })) ?? assert.fail();
      };
      const { address, delivered, epoch, wsToken } = await fail('a');
      assert.deepEqual([address, delivered, epoch, wsToken], [intent('a').address, true, notClaimed, undefined]);
      await fail('b');
      await fail('c', { phoneNumber: '+12025550102' });
      await fail('d', { blindLookup: true });
      await waiting('e');
      const found = async (limit: number) => ids(await interactions.undeliverableTo('+12025550101', limit));
      assert.deepEqual([await found(9), await found(1)], [['b', 'a'], ['b']]);
      await interactions.mention([]);
      await interactions.mention(['b']);
      assert.deepEqual(await found(9), ['a']);
    });

    it('lists the newest of a chat, in any state', async () => {
      for (const id of ['a', 'b', 'c']) await interactions.apply(await waiting(id), failed);
      await waiting('d', { conversation: 'directline/c2' });
      assert.deepEqual(ids(await interactions.inConversation('directline/c1', 2)), ['c', 'b']);
    });

    it('claims again what was released and is unfinished, oldest first, and counts the claim', async () => {
      for (const id of ['c', 'a', 'b']) await waiting(id);
      const told = await waiting('d');
      for (const transition of [succeeded, { kind: 'delivered' } as const]) await interactions.apply(told, transition);
      await interactions.release();
      const claimed = await interactions.claim();
      assert.deepEqual(
        claimed.map(({ id, epoch }) => [id, epoch]),
        ['a', 'b', 'c'].map((id) => [id, 2]),
      );
    });

    it('takes over what nobody works on, under a new claim', async () => {
      const held = await waiting('a');
      await interactions.release();
      assert.equal((await interactions.get('a'))?.epoch, notClaimed);
      assert.equal((await interactions.takeOver('a'))?.epoch, held.epoch + 1);
      assert.equal(await interactions.apply(held, succeeded), undefined);
    });

    it('clears the address and token of one that no result ever came of', async () => {
      const held = await waiting('a');
      await interactions.apply(held, { kind: 'expired' });
      const told = await interactions.apply(held, { kind: 'delivered' });
      assert.deepEqual([told?.state, told?.wsToken, told?.delivered, told?.address], ['unresolved', undefined, true, held.address]);
      const over = await interactions.apply(held, { kind: 'abandoned' });
      assert.deepEqual([over?.state, over?.delivered, over?.address, over?.epoch], ['unknown', true, '', notClaimed]);
    });

    it('finds what a customer waits for, in every chat, newest first, without what nobody may learn of', async () => {
      const other = { conversation: 'test/another', customerRef: 'c-2' };
      for (const [id, more] of [
        ['a', {}],
        ['b', { conversation: 'test/another' }],
        ['c', { blindLookup: true }],
        ['d', other],
      ] as const)
        await waiting(id, { customerRef: 'c-1', ...more });
      await interactions.record(intent('e', { customerRef: 'c-1' }));
      const ids = async (limit: number) => (await interactions.waitingFor('c-1', limit)).map(({ id }) => id);
      assert.deepEqual(await ids(9), ['e', 'b', 'a']);
      assert.deepEqual(await ids(1), ['e']);
      await interactions.apply((await interactions.get('b')) ?? assert.fail(), succeeded);
      assert.deepEqual(await ids(9), ['e', 'a']);
    });

    it('refuses a second intent of the same id', async () => {
      await interactions.record(intent('a'));
      await assert.rejects(interactions.record(intent('a')));
    });

    it('goes from intent to delivered, deleting the token and the address at the end', async () => {
      const recorded = await interactions.record(intent('a'));
      assert.equal((await interactions.apply(recorded, accepted))?.wsToken, 'w1');
      assert.deepEqual((await interactions.apply(recorded, succeeded))?.outcome, { status: 'success', by: 'result', at: 5 });
      const told = await interactions.apply(recorded, { kind: 'delivered' });
      assert.deepEqual([told?.state, told?.wsToken, told?.address, told?.epoch], ['delivered', undefined, '', notClaimed]);
    });

    it('decides once, however many try', async () => {
      const held = await waiting('a');
      const tries = await Promise.all(Array.from({ length: 20 }, (_, index) => interactions.apply(held, index % 2 ? succeeded : failed)));
      assert.equal(tries.filter(Boolean).length, 1);
      assert.deepEqual((await interactions.get('a'))?.outcome, tries.find(Boolean)?.outcome);
    });

    it('notes each step once, only while waiting', async () => {
      const recorded = await interactions.record(intent('a'));
      assert.equal(await interactions.advance(recorded, 'sent', 1), undefined);
      await interactions.apply(recorded, accepted);
      assert.deepEqual((await interactions.advance(recorded, 'sent', 1))?.progress, { sent: 1 });
      assert.equal(await interactions.advance(recorded, 'sent', 2), undefined);
      assert.deepEqual((await interactions.advance(recorded, 'opened', 3))?.progress, { sent: 1, opened: 3 });
      await interactions.apply(recorded, succeeded);
      assert.equal(await interactions.advance(recorded, 'started', 4), undefined);
    });

    it('loses none of several steps that come at once', async () => {
      const held = await waiting('a');
      await Promise.all((['sent', 'opened', 'started'] as const).map((step, at) => interactions.advance(held, step, at)));
      assert.deepEqual((await interactions.get('a'))?.progress, { sent: 0, opened: 1, started: 2 });
    });

    it('counts wrong passcodes until a new code is sent', async () => {
      const held = await waiting('a');
      await interactions.apply(held, { kind: 'mistyped' });
      assert.equal((await interactions.apply(held, { kind: 'mistyped' }))?.mistyped, 2);
      const resent = await interactions.apply(held, { kind: 'resent', requestId: 'r2' });
      assert.deepEqual([resent?.mistyped, resent?.requestId, resent?.wsToken, resent?.state], [0, 'r2', undefined, 'waiting']);
    });

    it('lists a chat’s pending interactions', async () => {
      await waiting('a');
      await waiting('b', { conversation: 'directline/c2' });
      assert.deepEqual(
        (await interactions.waitingIn('directline/c1')).map(({ id }) => id),
        ['a'],
      );
    });

    it('has nothing to claim while everything is owned', async () => {
      await waiting('a');
      assert.deepEqual(await interactions.claim(), []);
    });

    it('returns unchanged what this process already owns', async () => {
      const held = await waiting('a');
      assert.deepEqual(await interactions.takeOver('a'), held);
      await interactions.apply(held, succeeded);
      assert.equal(await interactions.takeOver('a'), undefined);
      assert.equal(await interactions.takeOver('none'), undefined);
    });
  });
}
