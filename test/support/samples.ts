// Interactions as the tests record them.
import type { Intent, Transition } from '../../src/interactions/interaction.ts';

/** A payment's intent, recorded long enough ago that no request of it can be on its way. */
export const intent = (id: string, more: Partial<Intent> = {}): Intent => ({
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

export const accepted: Transition = { kind: 'accepted', requestId: 'r1', wsToken: 'w1' };
export const succeeded: Transition = { kind: 'decided', outcome: { status: 'success', by: 'result', at: 5 } };
export const failed: Transition = { kind: 'decided', outcome: { status: 'failure', by: 'event', at: 6 } };
