import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Interaction } from '../../src/interactions/interaction.ts';
import {
  changeCustomer,
  endVerification,
  noteVerification,
  requireVerified,
  stateAt,
  type VerificationState,
  type Verified,
  validProofs,
  verificationState,
} from '../../src/verification/index.ts';
import { isSamePerson } from '../../src/verification/state.ts';

const minute = 60_000;
const customerRef = 'cust-0001';
const mine = { channelId: 'msteams', conversation: { id: 'c1', tenantId: 't1' }, user: { id: 'u1', aadObjectId: 'a1' } } as never;
const record = (more: object = {}) => ({ app: 'passkeys', customerRef, action: 'authentication', ...more });
const passcode = record({ app: 'one-time-passcode', action: undefined });
const outcome = (status: string, by: string, result?: object) => ({ outcome: { status, by, at: 0, ...(result && { result }) } });
const interaction = (more: object = {}) =>
  ({
    ...{
      id: 'i1',
      app: 'passkeys',
      requestId: 'r1',
      customerRef,
      phoneNumber: '+12025550102',
      request: { customerRef },
      address: JSON.stringify(mine),
      createdAt: 0,
    },
    ...outcome('success', 'result', record()),
    ...more,
  }) as unknown as Interaction;
const chatAfter = (...interactions: Interaction[]): Verified => {
  const chat: Verified = {};
  for (const one of interactions) noteVerification(chat, one);
  return chat;
};

/** Where somebody writes. */
interface Place {
  readonly channelId: string;
  readonly conversation: { readonly id: string; readonly tenantId: string };
  readonly user: { readonly id: string; readonly aadObjectId: string };
}

describe('verification in a chat', () => {
  const rows: [string, object, boolean][] = [
    ['by a passkey', {}, true],
    ['by a passcode that matched', { app: 'one-time-passcode', ...outcome('success', 'check') }, true],
    ['by a passcode whose result says so', { app: 'one-time-passcode', ...outcome('success', 'result', passcode) }, true],
    ['not by an event alone', outcome('success', 'event', record()), false],
    ['not by a failure', outcome('failure', 'result', record()), false],
    ['not by a timeout', outcome('timeout', 'result', record()), false],
    ['not by withdrawing it', outcome('cancelled', 'customer', record()), false],
    ['not by what has no outcome', { outcome: undefined }, false],
    ['not by a result that nobody kept', outcome('success', 'result'), false],
    ['not by a passkey that was only set up', outcome('success', 'result', record({ action: 'enrollment' })), false],
    ['not by an action that nobody named', outcome('success', 'result', record({ action: undefined })), false],
    ['not by a passkey of somebody else', outcome('success', 'result', record({ customerRef: 'cust-0002' })), false],
    [
      'not by a passcode of somebody else',
      { app: 'one-time-passcode', ...outcome('success', 'result', { ...passcode, customerRef: 'x' }) },
      false,
    ],
    ['not by the result of another app', outcome('success', 'result', record({ app: 'payments' })), false],
    ['not by a passkey that a code was said to match for', outcome('success', 'check'), false],
    ['not by a request that named nobody', { request: {} }, false],
    ['not by a request that named somebody else', { request: { customerRef: 'cust-0002' } }, false],
    ['not by a code for a request that named nobody', { app: 'one-time-passcode', request: {}, ...outcome('success', 'check') }, false],
    ['not by an outcome that was delivered and has no address any more', { address: '' }, false],
    ['not by a request without a name', { requestId: undefined }, false],
    ['not by a payment', { app: 'payments', ...outcome('success', 'result', record({ app: 'payments' })) }, false],
    ['not by a signature', { app: 'document-signature', ...outcome('success', 'result', record({ app: 'document-signature' })) }, false],
    ['not by a form', { app: 'e-form', ...outcome('success', 'result', record({ app: 'e-form' })) }, false],
  ];
  for (const [how, more, counts] of rows)
    it(`is granted ${how}`, () => assert.equal(requireVerified(chatAfter(interaction(more)), mine, { customerRef }, 0).verified, counts));

  it('is impossible for a customer whose id is no valid reference', () => {
    const odd = { customerRef: '1042', request: { customerRef: '1042' }, ...outcome('success', 'result', record({ customerRef: '1042' })) };
    assert.equal(requireVerified(chatAfter(interaction(odd)), mine, { customerRef: '1042' }, 0).verified, false);
  });

  it('has its method, its time, its end and the request that proved it', () =>
    assert.deepEqual(
      validProofs(chatAfter(interaction(outcome('success', 'result', record()))), mine, 0).map(({ binding: _, ...told }) => told),
      [{ method: 'passkeys', customerRef, phoneNumber: '+12025550102', requestId: 'r1', at: 0, until: 15 * minute }],
    ));

  it('lasts fifteen minutes', () => {
    const chat = chatAfter(interaction());
    assert.equal(validProofs(chat, mine, 15 * minute - 1).length, 1);
    assert.equal(validProofs(chat, mine, 15 * minute).length, 0);
  });

  it('is listed once per method, the newest', () => {
    const code = interaction({ requestId: 'r0', app: 'one-time-passcode', ...outcome('success', 'check') });
    const chat = chatAfter(code, interaction(), interaction({ requestId: 'r2' }));
    assert.deepEqual(
      validProofs(chat, mine, 0).map(({ requestId }) => requestId),
      ['r0', 'r2'],
    );
  });

  it('covers one customer at a time', () => {
    const other = {
      ...{ app: 'one-time-passcode', customerRef: 'cust-0002', request: { customerRef: 'cust-0002' } },
      ...outcome('success', 'check'),
    };
    const chat = chatAfter(interaction(), interaction(other));
    assert.equal(requireVerified(chat, mine, { customerRef }, 0).verified, false);
    const theirs = requireVerified(chat, mine, { customerRef: 'cust-0002' }, 0);
    assert.equal(theirs.verified && theirs.by.method, 'one-time-passcode');
  });

  it('ends at once when it is revoked, also for requests that were sent before and succeed later', () => {
    const chat = chatAfter(interaction());
    endVerification(chat, 10);
    assert.deepEqual(validProofs(chat, mine, 10), []);
    noteVerification(chat, interaction({ createdAt: 9 }));
    assert.deepEqual(validProofs(chat, mine, 10), []);
    noteVerification(chat, interaction({ createdAt: 10 }));
    assert.equal(validProofs(chat, mine, 10).length, 1);
  });

  it('ends when the chat changes to another customer, and continues for the same one', () => {
    const chat: Verified = {};
    changeCustomer(chat, customerRef, 0);
    noteVerification(chat, interaction());
    changeCustomer(chat, customerRef, 1);
    assert.equal(validProofs(chat, mine, 1).length, 1);
    changeCustomer(chat, 'cust-0002', 2);
    assert.deepEqual(validProofs(chat, mine, 2), []);
    changeCustomer(chat, customerRef, 3);
    noteVerification(chat, interaction({ createdAt: 1 }));
    assert.deepEqual(validProofs(chat, mine, 3), []);
  });

  it('does not end with a chat’s first customer, nor with one who was verified in it', () => {
    const chat: Verified = {};
    changeCustomer(chat, customerRef, 5);
    noteVerification(chat, interaction({ createdAt: 4 }));
    assert.equal(validProofs(chat, mine, 5).length, 1);
    const theirs = JSON.stringify({
      channelId: 'msteams',
      conversation: { id: 'c1', tenantId: 't1' },
      user: { id: 'u2', aadObjectId: 'a2' },
    });
    const other = { customerRef: 'cust-0002', request: { customerRef: 'cust-0002' }, address: theirs };
    noteVerification(chat, interaction({ ...other, ...outcome('success', 'result', record({ customerRef: 'cust-0002' })) }));
    changeCustomer(chat, 'cust-0002', 6);
    assert.equal(validProofs(chat, mine, 6).length, 1);
  });

  it('shows the newest proof of the customer in question', () => {
    const code = interaction({ requestId: 'r2', app: 'one-time-passcode', outcome: { status: 'success', by: 'check', at: minute } });
    const guarded = requireVerified(chatAfter(interaction(), code), mine, { customerRef }, minute);
    assert.equal(guarded.verified && guarded.by.requestId, 'r2');
  });

  it('continues for a customer found by typed details, under those and under their id', () => {
    const chat: Verified = {};
    changeCustomer(chat, '+12025550102 MT', 0);
    noteVerification(chat, interaction());
    for (const name of ['+12025550102 MT', customerRef, '+12025550102 MT']) {
      changeCustomer(chat, name, 1);
      assert.equal(validProofs(chat, mine, 1).length, 1, name);
    }
    changeCustomer(chat, '+12025550102 XY', 2);
    assert.deepEqual(validProofs(chat, mine, 2), []);
  });

  describe('is always a state:', () => {
    const failure = (requestId: string, more: object = {}) => interaction({ requestId, ...outcome('failure', 'result'), ...more });
    const later = (requestId: string) => {
      const late = failure(requestId);
      return { ...late, outcome: { ...late.outcome, at: 15 * minute } } as Interaction;
    };
    const who = { customerRef, phone: '+1•••0102' };
    const proven = { state: 'verified', method: 'passkeys', requestId: 'r1', at: 0, until: 15 * minute, ...who };
    const expired = { ...proven, state: 'expired' };
    const failed = (tries: number, requestId: string) => ({ state: 'failed', tries, at: 0, requestId, ...who });
    const states: [string, readonly Interaction[], number, object][] = [
      ['nobody has tried', [], 0, { state: 'none' }],
      ['verified', [interaction()], 15 * minute - 1, proven],
      ['expired', [interaction()], 15 * minute, expired],
      ['failed once', [failure('r1')], 0, failed(1, 'r1')],
      ['failed twice, each told twice', [failure('r1'), failure('r2'), failure('r2')], 0, failed(2, 'r2')],
      ['failed, and then proved', [failure('r0'), interaction()], 0, proven],
      ['failed, then proved, and that is over', [failure('r0'), interaction()], 15 * minute, expired],
      ['proved, then failed', [interaction(), failure('r2')], 0, proven],
      ['proved, then failed, and the proof is over', [interaction(), failure('r2')], 15 * minute, expired],
      ['failed once the proof was over', [interaction(), later('r2')], 15 * minute, { ...failed(1, 'r2'), at: 15 * minute }],
      ['not by a payment that failed', [failure('r1', { app: 'payments' })], 0, { state: 'none' }],
      ['not by time running out', [failure('r1', outcome('timeout', 'result'))], 0, { state: 'none' }],
      ['not by withdrawing it', [failure('r1', outcome('cancelled', 'customer'))], 0, { state: 'none' }],
      ['not by a failure that would tell whose number it is', [failure('r1', { blindLookup: true })], 0, { state: 'none' }],
      ['not by a success that proves nothing', [interaction(outcome('success', 'event'))], 0, { state: 'none' }],
    ];
    for (const [how, before, now, state] of states)
      it(how, () => assert.deepEqual(verificationState(chatAfter(...before), mine, now), state));

    it('by two methods, the one that lasts longer', () => {
      const code = { requestId: 'r2', app: 'one-time-passcode', outcome: { status: 'success', by: 'check', at: minute } };
      for (const order of [
        [interaction(), interaction(code)],
        [interaction(code), interaction()],
      ]) {
        const state = verificationState(chatAfter(...order), mine, 15 * minute);
        assert.deepEqual([state.state, 'until' in state && state.until], ['verified', 16 * minute]);
      }
    });

    it('the newest twenty failures count, and the last one says when', () => {
      const many = Array.from({ length: 21 }, (_, index) =>
        failure(`r${index}`, { outcome: { status: 'failure', by: 'result', at: index } }),
      );
      assert.deepEqual(verificationState(chatAfter(...many), mine, 0), { ...failed(20, 'r20'), at: 20 });
    });

    it('expired, of the same person, once it is revoked, until somebody else is verified', () => {
      const chat = chatAfter(interaction());
      endVerification(chat, 10);
      assert.deepEqual(verificationState(chat, mine, 10), { ...expired, until: 10 });
      noteVerification(chat, interaction({ requestId: 'r2', createdAt: 5, ...outcome('failure', 'result') }));
      assert.deepEqual(verificationState(chat, mine, 10), { ...expired, until: 10 }, 'a request from before says nothing');
      const other = { customerRef: 'cust-0002', phoneNumber: '+12025550110', request: { customerRef: 'cust-0002' }, createdAt: 11 };
      const timeout = outcome('timeout', 'result');
      noteVerification(chat, interaction({ requestId: 'r3', ...other, ...timeout }));
      assert.deepEqual(verificationState(chat, mine, 11), { ...expired, until: 10 }, 'nor does one that nobody answered');
      noteVerification(
        chat,
        interaction({ requestId: 'r4', ...other, ...outcome('success', 'result', record({ customerRef: 'cust-0002' })) }),
      );
      const theirs = { ...proven, requestId: 'r4', customerRef: 'cust-0002', phone: '+1•••0110' };
      assert.deepEqual(verificationState(chat, mine, 11), theirs);
    });

    it('failed, of whoever failed last', () => {
      const other = { customerRef: 'cust-0002', phoneNumber: '+12025550110', request: { customerRef: 'cust-0002' } };
      const chat = chatAfter(failure('r1'), failure('r2', other));
      assert.deepEqual(verificationState(chat, mine, 0), { ...failed(2, 'r2'), customerRef: 'cust-0002', phone: '+1•••0110' });
    });

    it('none, of the number that was given in the chat', () =>
      assert.deepEqual(verificationState({ phoneNumber: '+12025550113' }, mine, 0), { state: 'none', phone: '+1•••0113' }));

    it('even if an earlier version stored it without the person', () => {
      const chat = chatAfter(interaction(), later('r2'));
      const old: Verified = JSON.parse(JSON.stringify(chat, (key, value) => (key === 'phoneNumber' ? undefined : value)));
      for (const one of old.failed ?? []) Reflect.deleteProperty(one, 'customerRef');
      const { phone: _, ...unnamed } = proven;
      assert.deepEqual(verificationState(old, mine, 0), unnamed);
      assert.deepEqual(verificationState(old, mine, 15 * minute), { state: 'failed', tries: 1, at: 15 * minute, requestId: 'r2' });
    });

    it('as reported, until it ends by time or with what it was reported to', () => {
      const verification = proven;
      assert.deepEqual(stateAt({ verification }, 15 * minute - 1), proven);
      assert.deepEqual(stateAt({ verification }, 15 * minute), expired);
      assert.deepEqual(stateAt({ verification, endedAt: 7 }, 5), { ...expired, until: 7 });
      assert.deepEqual(stateAt({}, 5), { state: 'none' });
    });

    it('which the guard returns with a refusal', () => {
      const ask = (chat: Verified, now: number, within?: number) =>
        requireVerified(chat, mine, { customerRef, ...(within !== undefined && { within }) }, now);
      assert.deepEqual(ask(chatAfter(), 0), { verified: false, stands: { state: 'none' } });
      assert.deepEqual(ask(chatAfter(interaction()), 15 * minute), { verified: false, stands: expired });
      // What asks for a fresh proof is not content with one that merely holds.
      assert.equal(ask(chatAfter(interaction()), 5 * minute - 1, 5 * minute).verified, true);
      assert.deepEqual(ask(chatAfter(interaction()), 5 * minute, 5 * minute), { verified: false, stands: proven });
    });
  });

  describe('concerns nobody else:', () => {
    const place: fc.Arbitrary<Place> = fc.record({
      channelId: fc.constantFrom('msteams', 'directline'),
      conversation: fc.record({ id: fc.constantFrom('c1', 'c2'), tenantId: fc.constantFrom('t1', 't2') }),
      user: fc.record({ id: fc.constantFrom('u1', 'u2'), aadObjectId: fc.constantFrom('a1', 'a2') }),
    });
    const action = fc.record({
      place,
      customer: fc.constantFrom('cust-0001', 'cust-0002'),
      told: fc.constantFrom('cust-0001', 'cust-0002'),
      app: fc.constantFrom('passkeys', 'one-time-passcode', 'payments'),
      action: fc.constantFrom('authentication', 'enrollment'),
      by: fc.constantFrom('result', 'event', 'check'),
      status: fc.constantFrom('success', 'failure'),
    });

    const proof = (at: Place) => interaction({ address: JSON.stringify(at) });
    const done = ({
      place: at,
      customer,
      told,
      app,
      action: what,
      by,
      status,
    }: typeof action extends fc.Arbitrary<infer Value> ? Value : never) =>
      interaction({
        ...{ app, customerRef: customer, request: { customerRef: customer }, address: JSON.stringify(at) },
        ...outcome(status, by, { app, customerRef: told, ...(app === 'passkeys' && { action: what }) }),
      });

    /** The same place but for one thing: the nearest that somebody else can be. */
    const beside: ((at: Place) => Place)[] = [
      (at) => ({ ...at, channelId: 'sms' }),
      (at) => ({ ...at, conversation: { ...at.conversation, id: 'c3' } }),
      (at) => ({ ...at, conversation: { ...at.conversation, tenantId: 't3' } }),
      (at) => ({ ...at, user: { ...at.user, id: 'u3' } }),
      (at) => ({ ...at, user: { ...at.user, aadObjectId: 'a3' } }),
    ];

    it('a user who differs in one property is somebody else', () => {
      const at: Place = { channelId: 'msteams', conversation: { id: 'c1', tenantId: 't1' }, user: { id: 'u1', aadObjectId: 'a1' } };
      const other = { customerRef: 'cust-0002', requestId: 'r2', request: { customerRef: 'cust-0002' }, address: JSON.stringify(at) };
      const theirs = outcome('success', 'result', record({ customerRef: 'cust-0002' }));
      for (const [index, moved] of beside.entries()) {
        const chat = chatAfter(proof(moved(at)));
        assert.deepEqual(verificationState(chat, at as never, 0), { state: 'none' }, String(index));
        noteVerification(chat, interaction({ ...other, ...outcome('failure', 'result') }));
        assert.deepEqual(verificationState(chat, moved(at) as never, 15 * minute).state, 'expired', String(index));
        noteVerification(chat, interaction({ ...other, ...theirs }));
        assert.equal(requireVerified(chat, moved(at) as never, { customerRef }, 0).verified, true, String(index));
      }
    });

    it('no action of one user starts or ends another’s verification', () => {
      fc.assert(
        fc.property(fc.array(action, { maxLength: 4 }), action, place, fc.constantFrom(...beside), (before, one, at, moved) => {
          const mineToo = { ...one, place: at };
          const chat = chatAfter(...before.map(done), proof(moved(at)), done(mineToo));
          const stood = validProofs(chat, moved(at) as never, 0);
          assert.equal(stood.length, 1);
          const state = verificationState(chat, moved(at) as never, 0);
          noteVerification(chat, proof(at));
          assert.deepEqual(validProofs(chat, moved(at) as never, 0), stood);
          assert.deepEqual(verificationState(chat, moved(at) as never, 0), state);
        }),
      );
    });

    it('no proof by one user clears the failures of another', () => {
      fc.assert(
        fc.property(fc.array(action, { maxLength: 4 }), place, fc.constantFrom(...beside), (before, at, moved) => {
          const failure = { requestId: 'theirs', address: JSON.stringify(moved(at)), ...outcome('failure', 'result') };
          const theirs = interaction(failure);
          const late = { ...theirs, outcome: { ...theirs.outcome, at: 15 * minute } } as Interaction;
          const chat = chatAfter(...before.map(done), late);
          const state = verificationState(chat, moved(at) as never, 15 * minute);
          assert.equal(state.state, 'failed');
          noteVerification(chat, proof(at));
          assert.deepEqual(verificationState(chat, moved(at) as never, 15 * minute), state);
        }),
      );
    });

    it('a chat is never verified for a customer who did not verify themselves', () => {
      fc.assert(
        fc.property(fc.array(action, { maxLength: 8 }), place, fc.constantFrom('cust-0001', 'cust-0002'), (actions, at, ref) => {
          const proof = actions.some(
            ({ place: where, customer, told, app, action: what, by, status }) =>
              JSON.stringify(where) === JSON.stringify(at) &&
              customer === ref &&
              status === 'success' &&
              ((app === 'passkeys' && by === 'result' && what === 'authentication' && told === ref) ||
                (app === 'one-time-passcode' && (by === 'check' || (by === 'result' && told === ref)))),
          );
          if (requireVerified(chatAfter(...actions.map(done)), at as never, { customerRef: ref }, 0).verified) assert.ok(proof);
        }),
      );
    });
  });
});

describe('two states of a verification', () => {
  const [samira, omar] = ['cust-1', 'cust-2'];
  const about = (customer: string | undefined, phone: string | undefined) =>
    ({ state: 'none', ...(customer && { customerRef: customer }), ...(phone && { phone }) }) as VerificationState;

  for (const [one, other, same, why] of [
    [about(samira, '••01'), about(samira, '••02'), true, 'one customer with two numbers'],
    [about(samira, '••01'), about(omar, '••01'), false, 'two customers with one number'],
    [about(samira, '••01'), about(undefined, '••01'), true, 'one number, and one customer is not known'],
    [about(undefined, '••01'), about(samira, '••02'), false, 'two numbers, and one customer is not known'],
    [about(undefined, undefined), about(undefined, undefined), true, 'nobody in both'],
  ] as const)
    it(`are about ${same ? 'the same person' : 'different people'}: ${why}`, () => assert.equal(isSamePerson(one, other), same));

  it('are kept of the last twenty people in a chat', () => {
    const users = Array.from({ length: 21 }, (_, index) => `user-${index}`);
    const { verified = [] } = chatAfter(
      ...users.map((id) => interaction({ address: JSON.stringify({ ...(mine as object), user: { id, aadObjectId: id } }) })),
    );
    assert.equal(verified.length, 20);
    assert.equal(new Set(verified.map(({ binding }) => binding)).size, 20);
  });
});
