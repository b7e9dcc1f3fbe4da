import assert from 'node:assert/strict';
import { contextOf, type HandoffCase } from '../../../dialogs/escalation/case.ts';
import { hidden, withoutSecrets } from '../../../src/platform/text/possible-codes.ts';

const at = Date.UTC(2026, 10, 20, 9);
const about = (more: Partial<HandoffCase>): HandoffCase => ({
  ...{ reason: 'asked', language: 'es', verification: { state: 'none' }, requestIds: [], transcript: [] },
  ...more,
});
const proven = { method: 'passkeys', at, until: at + 900_000 } as const;

describe('the context that an agent gets', () => {
  const states: [HandoffCase['verification'], object][] = [
    [{ state: 'none' }, { cs_verified: false, cs_verification: 'none' }],
    [
      { state: 'verified', customerRef: 'cust-1', requestId: 'r1', phone: '+1•••0110', ...proven },
      { cs_phone: '+1•••0110', cs_verified: true, cs_verification: 'verified', cs_verified_method: 'passkeys', cs_customer_ref: 'cust-1' },
    ],
    [
      { state: 'expired', customerRef: 'cust-1', requestId: 'r1', phone: '+1•••0110', ...proven },
      { cs_phone: '+1•••0110', cs_verified: false, cs_verification: 'expired', cs_verified_method: 'passkeys' },
    ],
    [
      { state: 'failed', tries: 2, at },
      { cs_verified: false, cs_verification: 'failed', cs_failed_tries: 2 },
    ],
  ];
  for (const [verification, expected] of states)
    it(`shows the state of verification: ${verification.state}`, () => {
      const { cs_reason, va_AgentMessage, va_Language, cs_verified_at, cs_verified_until, ...rest } = contextOf(about({ verification }));
      assert.deepEqual(rest, expected);
      assert.deepEqual([cs_reason, va_Language], ['asked', 'es']);
      if ('until' in verification)
        assert.deepEqual([cs_verified_at, cs_verified_until], ['2026-11-20T09:00:00.000Z', '2026-11-20T09:15:00.000Z']);
      assert.ok(String(va_AgentMessage).length > 20);
    });

  it('is flat: names and values, without lists', () => {
    const context = contextOf(about({ app: 'payments', requestIds: ['r1', 'r2'], note: 'Please call me.' }), {
      ...{ handoff: 'h1', conversation: 'c1', assertion: 'a.b.c' },
    });
    assert.ok(Object.values(context).every((value) => ['boolean', 'number', 'string'].includes(typeof value)));
    assert.deepEqual([context.cs_handoff, context.cs_conversation], ['h1', 'c1']);
    assert.deepEqual([context.cs_request_ids, context.cs_app, context.cs_assertion], ['r1,r2', 'payments', 'a.b.c']);
    assert.match(String(context.va_AgentMessage), /Message: Please call me\.$/);
  });

  const words: [string, string][] = [
    ['hello', 'hello'],
    ['my code is 483920', `my code is ${hidden}`],
    ['483 920', hidden],
    ['48-39-20, please', `${hidden}, please`],
    // Five digits, and seven, are no passcode.
    ['invoice 48392', 'invoice 48392'],
    ['invoice 4839201', 'invoice 4839201'],
    ['+12025550110', '+12025550110'],
    ['4111 1111 1111 1111', '•••• •••• •••• ••••'],
  ];
  for (const [typed, shown] of words) it(`hides secrets: “${typed}”`, () => assert.equal(withoutSecrets(typed), shown));
});
