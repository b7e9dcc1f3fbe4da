import assert from 'node:assert/strict';
import { timelineOf } from '../../src/desk/view.ts';
import type { Interaction } from '../../src/interactions/index.ts';

describe('a request in an agent’s timeline', () => {
  const request = { id: 'one', app: 'payments', createdAt: 1, progress: { sent: 2 } } as Interaction;
  const seen = (more: Partial<Interaction>) => {
    const { status, endedAt } = timelineOf({ ...request, ...more }, { price: undefined, compare: undefined, whom: undefined });
    return [status, endedAt];
  };

  for (const state of ['intended', 'waiting'] as const)
    it(`runs while its state is ${state}`, () => assert.deepEqual(seen({ state }), [undefined, undefined]));

  for (const state of ['refused', 'unknown', 'unresolved', 'undeliverable', 'expired'] as const)
    it(`is over when it is ${state}, though it has no outcome`, () => assert.deepEqual(seen({ state }), [state, undefined]));

  for (const state of ['decided', 'delivered', 'undeliverable'] as const)
    it(`has its outcome when it is ${state}`, () =>
      assert.deepEqual(seen({ state, outcome: { status: 'success', by: 'result', at: 3 } }), ['success', 3]));
});
