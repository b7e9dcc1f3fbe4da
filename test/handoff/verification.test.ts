import assert from 'node:assert/strict';
import fc from 'fast-check';
import { standing, type Verification, verificationBy, withVerification } from '../../src/handoff/index.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';

const minute = 60_000;
const mine = { channelId: 'msteams', conversation: { id: 'c1', tenantId: 't1' }, user: { id: 'u1', aadObjectId: 'a1' } } as never;
const interaction = (more: object = {}) =>
  ({
    ...{ id: 'i1', app: 'passkeys', requestId: 'r1', customerRef: 'cust-0001', address: JSON.stringify(mine) },
    outcome: { status: 'success', by: 'result', at: 0 },
    ...more,
  }) as unknown as Interaction;
const outcome = (status: string, by: string) => ({ outcome: { status, by, at: 0 } });

describe('who is verified in a chat', () => {
  const rows: [string, object, boolean][] = [
    ['by a passkey', {}, true],
    ['by a passcode that matched', { app: 'one-time-passcode', ...outcome('success', 'check') }, true],
    ['not by an event alone', outcome('success', 'event'), false],
    ['not by a failure', outcome('failure', 'result'), false],
    ['not by a timeout', outcome('timeout', 'deadline'), false],
    ['not by withdrawing it', outcome('cancelled', 'customer'), false],
    ['not by what has no outcome', { outcome: undefined }, false],
    ['not by a payment', { app: 'payments' }, false],
    ['not by a signature', { app: 'document-signature' }, false],
    ['not by a form', { app: 'e-form' }, false],
  ];
  for (const [how, more, counts] of rows) it(`is so ${how}`, () => assert.equal(verificationBy(interaction(more)) !== undefined, counts));

  it('is so for a quarter of an hour', () => {
    const kept = withVerification([], verificationBy(interaction()) as Verification);
    assert.equal(standing(kept, mine, 15 * minute - 1).length, 1);
    assert.equal(standing(kept, mine, 15 * minute).length, 0);
  });

  it('is told once for each way, the newest', () => {
    const first = verificationBy(interaction()) as Verification;
    const second = verificationBy(interaction({ requestId: 'r2' })) as Verification;
    assert.deepEqual(
      withVerification([first], second).map(({ requestId }) => requestId),
      ['r2'],
    );
  });

  it('is nobody else’s affair: nothing that one user does makes another verified', () => {
    const place = fc.record({
      channelId: fc.constantFrom('msteams', 'directline'),
      conversation: fc.record({ id: fc.constantFrom('c1', 'c2'), tenantId: fc.constantFrom('t1', 't2') }),
      user: fc.record({ id: fc.constantFrom('u1', 'u2'), aadObjectId: fc.constantFrom('a1', 'a2') }),
    });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 8 }), place, (actors, other) => {
        const others = actors.filter((actor) => JSON.stringify(actor) !== JSON.stringify(other));
        const kept = others.reduce<readonly Verification[]>(
          (all, actor) => withVerification(all, verificationBy(interaction({ address: JSON.stringify(actor) })) as Verification),
          [],
        );
        assert.deepEqual(standing(kept, other as never, 0), []);
      }),
    );
  });
});
