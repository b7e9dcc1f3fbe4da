import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { VerificationState } from '../../src/verification/index.ts';
import { stateAt } from '../../src/verification/index.ts';
import { type ChatwootChat, openChatwootChat } from '../support/chatwoot-chat.ts';
import { itFurther } from '../support/tier.ts';

// Whatever fails, and whenever: each of a handoff's messages reaches Chatwoot once, in order, or the customer is
// told; and no conversation shows anybody as verified who is not.

const mara = { id: 7, email: 'mara@example.com', name: 'Mara' };
const noa = { id: 8, email: 'noa@example.com', name: 'Noa' };
const verified: VerificationState = {
  ...{ state: 'verified', method: 'passkeys', customerRef: 'cust-1', requestId: 'r1' },
  ...{ at: Date.now(), until: Date.now() + 900_000 },
};

type Step =
  | 'request'
  | 'write'
  | 'verify'
  | 'unverify'
  | 'leave'
  | 'assign'
  | 'reassign'
  | 'answer'
  | 'resolve'
  | 'return'
  | 'poll'
  | 'settle';
type Fault = number | 'lost';
interface Failing {
  /** Which call to Chatwoot fails, counted from 0, or which operation; and how many calls in a row. */
  readonly at: number | string;
  readonly fault: Fault;
  readonly times: number;
}
interface Run {
  readonly steps: readonly Step[];
  readonly failing: readonly Failing[];
  readonly locked: boolean;
  readonly merges: boolean;
}

const usual: readonly Step[] = [
  ...(['verify', 'request', 'settle', 'assign', 'poll', 'write', 'answer', 'poll', 'unverify', 'write', 'verify', 'write'] as const),
  ...(['settle', 'resolve', 'poll', 'settle', 'unverify', 'request', 'write', 'settle', 'poll', 'reassign', 'poll', 'write'] as const),
  ...(['leave', 'settle'] as const),
];

/** What the customer wrote, and in which of their handoffs. */
interface Written {
  readonly text: string;
  readonly handoff: number;
}

const play = async ({ failing, locked, merges, steps }: Run) => {
  const chat = await openChatwootChat();
  try {
    const { chatwoot } = chat;
    chatwoot.merges = merges;
    chatwoot.inbox.lock_to_single_conversation = locked;
    let calls = 0;
    const operations: string[] = [];
    const left = failing.map(({ times }) => times);
    chatwoot.fault = (operation) => {
      const call = calls;
      calls += 1;
      operations.push(operation);
      const hit = failing.findIndex(
        ({ at }, index) => (left[index] ?? 0) > 0 && (at === operation || (typeof at === 'number' && call >= at)),
      );
      if (hit < 0) return undefined;
      left[hit] = (left[hit] ?? 0) - 1;
      return failing[hit]?.fault;
    };
    const written: Written[] = [];
    const state = { asked: false, handoff: 0 };
    const isOpen = async () => state.asked && (await chat.record()).state !== 'over';
    const last = () => chatwoot.conversations.at(-1)?.id;
    const does: Readonly<Record<Step, () => Promise<unknown>>> = {
      request: async () => {
        if (await isOpen()) return;
        state.asked = true;
        state.handoff += 1;
        await chat.request({ transcript: [{ from: 'customer', text: 'hello', at: 0 }] });
      },
      write: async () => {
        if (!(await isOpen())) return;
        const text = `message ${written.length}`;
        written.push({ text, handoff: state.handoff });
        await chat.write(text);
      },
      verify: async () => {
        chat.verify(verified);
        if (await isOpen()) await chat.report();
      },
      unverify: async () => {
        chat.verify({ state: 'none' });
        if (await isOpen()) await chat.report();
      },
      leave: async () => (await isOpen()) && chat.leave(),
      assign: async () => last() && chatwoot.assign(last() ?? 0, mara),
      reassign: async () => last() && chatwoot.assign(last() ?? 0, noa),
      answer: async () => last() && chatwoot.write(last() ?? 0, mara, 'Hello'),
      resolve: async () => last() && chatwoot.setStatus(last() ?? 0, 'resolved'),
      return: async () => last() && chatwoot.setStatus(last() ?? 0, 'pending'),
      poll: async () => state.asked && (await chat.record()).place !== undefined && chat.poll(),
      settle: () => chat.settled(),
    };
    for (const step of steps) await does[step]();
    chatwoot.fault = undefined;
    await chat.settled();
    await does.poll();
    await chat.settled();
    return { chat: snapshotOf(chat), written, operations, record: state.asked ? await chat.record() : undefined };
  } finally {
    await chat.close();
  }
};

const snapshotOf = ({ chatwoot, givenUp, lines, told }: ChatwootChat) => ({
  ...{ givenUp: [...givenUp], told: [...told], lines: [...lines] },
  conversations: chatwoot.conversations.map(({ custom_attributes, id, labels, messages }) => ({ custom_attributes, id, labels, messages })),
});

const check = async (run: Run): Promise<string[]> => {
  const { chat, operations, record, written } = await play(run);
  const { conversations, givenUp, lines, told } = chat;
  const arrived = conversations
    .flatMap(({ messages }) => messages)
    .filter(({ message_type }) => message_type === 0)
    .sort((one, other) => one.id - other.id)
    .map(({ content }) => content);
  // Those of one handoff: what a customer wrote before they left may come after what they write to somebody else.
  for (const handoff of new Set(written.map((one) => one.handoff))) {
    const ours = written.filter((one) => one.handoff === handoff).map(({ text }) => text);
    assert.deepEqual(
      arrived.filter((content) => ours.includes(content)),
      ours.filter((text) => arrived.includes(text)),
      'each once, and in order',
    );
  }
  assert.equal(new Set(arrived).size, arrived.length, 'nothing else');
  const names = conversations.flatMap(({ messages }) => messages.flatMap(({ content_attributes: has }) => has?.cs_letter ?? []));
  assert.equal(new Set(names).size, names.length, 'nothing is written twice');
  const missing = written.length - arrived.length;
  assert.ok(told.filter((one) => one === 'undelivered').length >= missing, `${missing} are missing, and the customer was told ${told}`);
  assert.equal(lines.filter((line) => line.includes('"level":"error"')).length, givenUp.length, 'whatever is given up is an error');
  // What nobody may be shown as, by whatever conversation.
  for (const { custom_attributes: has, id, labels } of conversations) {
    const isLast = record?.place === String(id);
    const state = isLast && record ? stateAt(record, Date.now()).state : undefined;
    if (state === 'verified' && givenUp.length > 0) continue;
    const shown = labels.filter((one) => /^cs-(not-verified|verified|expired|failed)$/.test(one));
    const label = { verified: 'cs-verified', none: 'cs-not-verified', expired: 'cs-expired', failed: 'cs-failed' };
    // An earlier handoff's conversation shows whatever was so at its end, but nobody as verified.
    const expected = state ?? (has.cs_verification as keyof typeof label);
    assert.deepEqual(
      [has.cs_verified, has.cs_verification, has.cs_assertion !== undefined && state !== 'verified', shown],
      [state === 'verified', expected, false, [label[expected]]],
    );
  }
  return operations;
};

const faults: readonly Fault[] = [422, 500, 'lost', 404, 401];
const createMessage = 'create-a-new-message-in-a-conversation';
/** Any call, or the first calls of an operation. */
const calls = fc.oneof(
  fc.nat({ max: 90 }),
  fc.constantFrom(createMessage, 'newConversation', 'update-custom-attributes-of-a-conversation', 'conversation-add-labels'),
);
const failingCalls = (most: number) =>
  fc.record({ at: calls, fault: fc.constantFrom(...faults), times: fc.integer({ min: 1, max: most }) });

describe('a chat that goes to Chatwoot, whatever fails', function () {
  this.timeout(300_000);

  it('is told whole and in order where nothing fails', async () => {
    for (const locked of [false, true]) for (const merges of [false, true]) await check({ steps: usual, failing: [], locked, merges });
  });

  it('loses no words, and shows nobody as verified who is not, whichever call fails', async () => {
    const run = fc.record({
      steps: fc.constant(usual),
      failing: fc.array(failingCalls(3), { minLength: 1, maxLength: 3 }),
      locked: fc.boolean(),
      merges: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(run, async (one) => void (await check(one))),
      { numRuns: 25, interruptAfterTimeLimit: 60_000 },
    );
  });

  it('holds in any order of what customer and agents do', async () => {
    const step = fc.constantFrom<Step>(...new Set(usual), 'return');
    const run = fc.record({
      steps: fc.array(step, { minLength: 4, maxLength: 25 }).map((some) => ['request', ...some] as Step[]),
      ...{ failing: fc.array(failingCalls(8), { maxLength: 2 }), locked: fc.boolean(), merges: fc.boolean() },
    });
    await fc.assert(
      fc.asyncProperty(run, async (one) => void (await check(one))),
      { numRuns: 25, interruptAfterTimeLimit: 60_000 },
    );
  });

  itFurther('holds for each single call that fails once, in each way', async () => {
    const calls = (await check({ steps: usual, failing: [], locked: true, merges: true })).length;
    for (let at = 0; at < calls; at += 1)
      for (const fault of [422, 'lost'] as const)
        await check({ steps: usual, failing: [{ at, fault, times: 1 }], locked: true, merges: true });
  });

  itFurther('tells the customer if writing messages fails for good', async () => {
    for (const fault of faults)
      await check({
        ...{ steps: usual, locked: false, merges: true },
        failing: [{ at: createMessage, fault, times: 1000 }],
      });
  });
});
