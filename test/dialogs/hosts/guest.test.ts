import assert from 'node:assert/strict';
import { outcomeOf } from '../../../dialogs/hosts/guest-values.ts';
import type { Interaction } from '../../../src/interactions/index.ts';

describe('the outcome of an app, for the bot that embeds it', () => {
  const refused = { id: 'i1', app: 'payments', customerRef: 'cust-0001', state: 'refused' };
  for (const refusal of ['rejected', 'unavailable', undefined])
    it(`of a send that was refused says why: ${refusal ?? 'nobody knows'}`, () =>
      assert.deepEqual(outcomeOf({} as never, { ...refused, ...(refusal && { refusal }) } as unknown as Interaction), {
        ...{ app: 'payments', interactionId: 'i1', customerRef: 'cust-0001', status: 'refused' },
        ...(refusal && { code: refusal }),
      }));
});
