import assert from 'node:assert/strict';
import { InvalidRequestError, ProtocolError, ServiceError, TransportError } from '../../../src/client/index.ts';
import type { Interactions } from '../../../src/interactions/index.ts';
import type { Interaction } from '../../../src/interactions/interaction.ts';
import type { Plan } from '../../../src/interactions/starting/start.ts';
import {
  hang,
  type InteractionsUnderTest,
  outcomeTimeout,
  plan,
  recordOf,
  start,
  startInteractions,
} from '../../support/interactions-under-test.ts';
import { paymentResult, requestId } from '../../support/service-samples.ts';

const mei = { id: 'customer-0001', name: 'Mei Tanaka' };
const kenji = { id: 'customer-0002', name: 'Kenji Tanaka' };
const asked: Plan = { ...plan, customerRef: '', request: { ...plan.request, customerRef: '' }, initials: 'MT' };
const passcode: Plan = {
  ...asked,
  app: 'one-time-passcode',
  request: { sessionRef: 'session-0001', customerRef: '', phoneNumber: '+12025550147' },
};

type World = (test: InteractionsUnderTest) => void;
const finds =
  (...customers: { id: string; name: string }[]): World =>
  (test) => {
    test.customers = async () => customers;
  };
const fails =
  (fault: Error): World =>
  (test) => {
    test.customers = async () => [mei];
    test.send = async () => {
      throw fault;
    };
  };

/** What may be behind a number and initials, and how often something is sent. */
const worlds: Record<string, [World, sends: number]> = {
  'a customer': [finds(mei), 1],
  'one of several': [finds(mei, kenji), 1],
  'two of several': [finds(mei, { id: 'customer-0002', name: 'Maria Torres' }), 0],
  'another name': [finds(kenji), 0],
  nobody: [() => {}, 0],
  'a number that the service does not take': [
    (test) => {
      test.customers = async () => {
        throw new ServiceError('payments.bootstrap', 422);
      };
    },
    0,
  ],
  'a customer who cannot be read': [
    (test) => {
      test.customers = async () => {
        throw new ProtocolError('payments.bootstrap', 'shape');
      };
    },
    0,
  ],
  'a request that is refused': [fails(new ServiceError('payments.send', 503)), 1],
  'a request that is lost': [fails(new TransportError('payments.send', 'timeout', { sent: true })), 1],
  'a request that breaks a rule': [fails(new InvalidRequestError('payments.send', [])), 1],
  'a send that takes long': [
    (test) => {
      test.customers = async () => [mei];
      test.send = () => new Promise((resolve) => setTimeout(() => resolve({ requestId, wsToken: 'token-0001' }), 20_000));
    },
    1,
  ],
  'a service that says how long the request is good for': [
    (test) => {
      test.customers = async () => [mei];
      const record = { ...recordOf('pending'), createdAt: '2026-11-20T09:00:00.000Z', expiresAt: '2026-11-20T13:00:00.000Z' };
      test.record = async () => ({ kind: 'found', record });
    },
    1,
  ],
  'a customer who declines': [
    (test) => {
      test.customers = async () => [mei];
      test.result = async () => ({ ...paymentResult, status: 'failure' });
    },
    1,
  ],
  'a service that answers nothing any more': [
    (test) => {
      test.customers = async () => [mei];
      test.result = hang;
      test.cancel = () => new Promise(() => {});
    },
    1,
  ],
  'a request that cannot be withdrawn': [
    (test) => {
      test.customers = async () => [mei];
      test.cancel = async () => ({ kind: 'unsupported' });
    },
    1,
  ],
};

describe('an interaction whose chat may not see its state', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  beforeEach(async () => {
    test = await startInteractions();
    life = test.make();
    await test.open(life);
  });
  afterEach(() => test.close());

  const begin = async (what: Plan = asked): Promise<Interaction> => {
    let answer: Interaction | undefined;
    const starting = life.start(what).then((interaction) => {
      answer = interaction;
    });
    await test.settle();
    await test.time.tickAsync(2_999);
    assert.equal(answer, undefined, 'it is answered early');
    await test.time.tickAsync(1);
    await starting;
    return answer as unknown as Interaction;
  };
  const visible = ({ requestId: _, wsToken: __, customerRef: ___, request: ____, epoch: _____, ...rest }: Interaction) => rest;

  for (const [name, [world, sends]] of Object.entries(worlds))
    it(`is answered after three seconds, and times out five seconds after its deadline (${name})`, async () => {
      world(test);
      const waiting = { state: 'waiting', progress: {}, mistyped: 0, delivered: false, deadline: start + outcomeTimeout };
      assert.deepEqual({ ...visible(await begin()), ...waiting }, visible(await begin()), 'asked for twice, it is the same');
      assert.equal(test.sends.length, sends);
      for (const socket of test.sockets) {
        socket.onUp();
        socket.tell('task.sent');
        socket.tell('task.bootstrapped');
      }
      const { conversation } = asked;
      for (const [seen] of [[await life.get(asked.id)], await life.waitingIn(conversation), await life.inConversation(conversation, 1)]) {
        assert.ok(seen);
        assert.deepEqual({ ...visible(seen), ...waiting }, visible(seen));
      }
      assert.deepEqual(await life.resend(asked.id), { kind: 'unsupported' });
      await test.time.tickAsync(start + outcomeTimeout + 4_999 - Date.now());
      assert.deepEqual([test.delivered, test.progress], [[], []]);
      await test.time.tickAsync(1);
      await test.settle();
      assert.deepEqual(
        test.delivered.map(({ state, outcome, refusal, progress }) => [state, outcome, refusal, progress]),
        [['decided', { status: 'timeout', by: 'deadline', at: start + outcomeTimeout + 5_000 }, undefined, {}]],
      );
    });

  it('is reported as timed out and not before, even if a timer fires a moment early', async () => {
    await begin();
    await test.time.tickAsync(start + outcomeTimeout + 4_999 - Date.now());
    test.behind = 1;
    await test.time.tickAsync(1);
    await test.settle();
    assert.equal(test.delivered.length, 0);
    await test.time.tickAsync(1);
    await test.settle();
    assert.deepEqual(
      test.delivered.map(({ outcome }) => outcome?.status),
      ['timeout'],
    );
  });

  it('is reported at once if it succeeded', async () => {
    test.customers = async () => [mei];
    test.result = async () => paymentResult;
    await begin();
    await test.settle();
    assert.deepEqual(
      test.delivered.map(({ customerRef, outcome }) => [customerRef, outcome?.status]),
      [[mei.id, 'success']],
    );
  });

  it('is reported after a restart at the time it would have been, whatever its outcome', async () => {
    await begin();
    await life.close();
    await test.time.tickAsync(60_000);
    life = test.make();
    await test.open(life);
    await test.settle();
    assert.deepEqual(test.delivered, []);
    await test.time.tickAsync(outcomeTimeout);
    await test.settle();
    assert.equal(test.delivered.length, 1);
  });

  /** Checks a code, which takes a second in any case. */
  const check = async (id: string, code: string) => {
    let answer: unknown;
    const checking = life.check(id, code).then((checked) => {
      answer = checked;
    });
    await test.settle();
    await test.time.tickAsync(999);
    assert.equal(answer, undefined, 'it is answered early');
    await test.time.tickAsync(1);
    await checking;
    return answer;
  };

  for (const [name, customers] of [
    ['a customer', [mei]],
    ['nobody', []],
  ] as const)
    it(`takes five wrong codes and asks the service about each (${name})`, async () => {
      test.customers = async () => [...customers];
      await begin(passcode);
      const left: unknown[] = [];
      for (let time = 0; time < 6; time += 1) left.push(await check(passcode.id, '000000'));
      assert.deepEqual(
        left,
        [4, 3, 2, 1, 0, 0].map((triesLeft) => ({ kind: 'mismatch', triesLeft })),
      );
      assert.equal(test.checks.length, 5);
      assert.equal(test.checks.includes(requestId), customers.length > 0);
      assert.equal((await life.get(passcode.id))?.mistyped, 5);
      assert.equal((await life.get(passcode.id))?.state, 'waiting');
    });

  const isWrong = (triesLeft: number) => ({ kind: 'mismatch', triesLeft });

  it('ends at once with the right code, and needs no other', async () => {
    test.customers = async () => [mei];
    await begin(passcode);
    test.isRight = async () => true;
    test.deliver = async () => {
      throw new Error('the channel is down');
    };
    assert.deepEqual(await life.check(passcode.id, '123456'), { kind: 'match' });
    await test.settle();
    assert.deepEqual(
      test.delivered.map(({ outcome }) => outcome?.by),
      ['check'],
    );
    assert.deepEqual(await check(passcode.id, '123456'), { kind: 'over' });
    assert.equal(test.checks.length, 1);
  });

  it('has no right code if nobody was found, whatever the service says', async () => {
    await begin(passcode);
    test.isRight = async () => true;
    assert.deepEqual(await check(passcode.id, '123456'), isWrong(4));
  });

  it('takes codes while it is being sent', async () => {
    test.customers = async () => [mei];
    test.send = () => new Promise((resolve) => setTimeout(() => resolve({ success: true, message: 'Sent.', requestId }), 20_000));
    await begin(passcode);
    assert.deepEqual(await check(passcode.id, '000000'), isWrong(4));
    assert.ok(!test.checks.includes(requestId));
  });

  it('counts a wrong code although another process has taken it over meanwhile', async () => {
    await begin(passcode);
    test.isRight = async () => {
      await test.storage.interactions.release();
      return false;
    };
    assert.deepEqual(await check(passcode.id, '000000'), isWrong(4));
  });

  for (const [what, fault, answer] of [
    ['a fault that only some numbers have', new ServiceError('one-time-passcode.check', 503), isWrong(4)],
    ['no answer', new TransportError('one-time-passcode.check', 'timeout', { sent: true }), { kind: 'trouble', trouble: 'unavailable' }],
  ] as const)
    it(`answers ${JSON.stringify(answer)} to a code whose check meets ${what}`, async () => {
      test.customers = async () => [mei];
      await begin(passcode);
      test.isRight = async () => {
        throw fault;
      };
      assert.deepEqual(await check(passcode.id, '000000'), answer);
      assert.equal((await life.get(passcode.id))?.mistyped, answer.kind === 'mismatch' ? 1 : 0);
    });

  it('is cancelled with the same answer, at once, and withdrawn if it was sent', async () => {
    let withdrawn = 0;
    test.cancel = async () => {
      withdrawn += 1;
      return { kind: 'unsupported' };
    };
    await begin();
    assert.equal(await life.cancel(asked.id), 'released');
    test.customers = async () => [mei];
    const hit = { ...asked, id: '01M7W000000000000000000002' };
    await begin(hit);
    assert.equal(await life.cancel(hit.id), 'released');
    await test.settle();
    assert.equal(withdrawn, 1);
    assert.equal((await life.get(hit.id))?.state, 'waiting');
  });

  describe('in a chat that has begun several', () => {
    const ids = ['11', '12', '13', '14'].map((end) => `01M7W0000000000000000000${end}`) as [string, string, string, string];
    const [first, , , fourth] = ids;
    const three = ids.slice(0, 3);
    const beginAs = (id: string) => begin({ ...asked, id });
    const whomever = [
      ['a customer', [mei]],
      ['nobody', []],
    ] as const;
    for (const [name, customers] of whomever) {
      it(`is refused while three are open, before any look-up (${name})`, async () => {
        test.customers = async () => [...customers];
        for (const id of three) assert.equal((await beginAs(id)).state, 'waiting');
        test.customers = async () => assert.fail('somebody is looked up');
        const { state, refusal, blindLookup } = await beginAs(fourth);
        assert.deepEqual([state, refusal, blindLookup], ['refused', 'open', undefined]);
      });

      it(`makes room at once when it is cancelled, and nothing more is said about it (${name})`, async () => {
        test.customers = async () => [...customers];
        test.cancel = () => new Promise((resolve) => setTimeout(() => resolve({ kind: 'unsupported' }), 20_000));
        for (const id of three) await beginAs(id);
        assert.equal(await life.cancel(first), 'released');
        assert.deepEqual(
          (await life.waitingIn(asked.conversation)).map(({ id }) => id),
          three.slice(1),
        );
        assert.equal((await beginAs(fourth)).state, 'waiting');
        await test.time.tickAsync(20_000);
        await test.settle();
        assert.equal((await test.storage.interactions.get(first))?.delivered, true);
        await test.time.tickAsync(2 * outcomeTimeout);
        await test.settle();
        assert.deepEqual(test.delivered.map(({ id }) => id).sort(), ids.slice(1));
      });
    }

    it('counts while it is being sent, like one that reaches nobody', async () => {
      test.customers = async () => [mei];
      test.send = () => new Promise((resolve) => setTimeout(() => resolve({ requestId, wsToken: 'token-0001' }), 20_000));
      for (const id of three) await beginAs(id);
      assert.equal((await life.waitingIn(asked.conversation)).length, 3);
      assert.equal((await beginAs(fourth)).refusal, 'open');
    });

    it('no longer counts once it has expired, whether or not its result can be read', async () => {
      test.customers = async () => [mei];
      test.cancel = async () => ({ kind: 'unsupported' });
      test.result = async () => {
        throw new ServiceError('results.get', 503);
      };
      for (const id of three) await beginAs(id);
      await test.time.tickAsync(2 * outcomeTimeout);
      await test.settle();
      assert.equal(test.delivered.length, 3);
      assert.deepEqual(await life.waitingIn(asked.conversation), []);
      assert.equal((await beginAs(fourth)).state, 'waiting');
    });

    it('is reported if it succeeds anyway', async () => {
      test.customers = async () => [mei];
      test.cancel = async () => ({ kind: 'unsupported' });
      await beginAs(first);
      test.result = async () => paymentResult;
      await life.cancel(first);
      await test.settle();
      assert.deepEqual(
        test.delivered.map(({ id, outcome }) => [id, outcome?.status]),
        [[first, 'success']],
      );
    });

    it('is not sent by the next process if it was cancelled before', async () => {
      await life.close();
      const intent = { ...asked, id: first, createdAt: start, deadline: start + outcomeTimeout, blindLookup: true } as const;
      await test.storage.interactions.record(intent);
      await test.storage.interactions.requestCancel(first);
      await test.storage.interactions.release();
      await test.time.tickAsync(60_000);
      life = test.make({ idempotent: true });
      await test.open(life);
      await test.settle();
      assert.deepEqual([test.sends, test.delivered], [[], []]);
      assert.equal((await test.storage.interactions.get(first))?.delivered, true);
    });
  });

  describe('of a number with many requests', () => {
    let count = 0;
    const startIn = async (chat: string, what: Partial<Plan> = {}) => {
      count += 1;
      const id = `01M7W0000000000000000001${String(count).padStart(2, '0')}`;
      const starting = life.start({ ...asked, ...what, id, conversation: `directline/${chat}` } as Plan);
      await test.settle();
      await test.time.tickAsync(3_000);
      return starting;
    };
    beforeEach(async () => {
      await life.close();
      life = test.make({
        sendsFromOrigin: [
          { points: 3, seconds: 600 },
          { points: 5, seconds: 86_400 },
        ],
      });
      await test.open(life);
    });

    for (const [name, customers] of [
      ['a customer', [mei]],
      ['nobody', []],
    ] as const)
      it(`is refused before any look-up, with the time to try again, whatever the chat (${name})`, async () => {
        let lookups = 0;
        test.customers = async () => {
          lookups += 1;
          return [...customers];
        };
        for (const chat of ['c-1', 'c-2', 'c-3']) assert.equal((await startIn(chat)).state, 'waiting');
        const refused = await startIn('c-4');
        assert.deepEqual([refused.state, refused.refusal, lookups], ['refused', 'crowded', 3]);
        assert.equal(refused.deadline - refused.createdAt, 600_000 - 9_000);
        assert.equal((await startIn('c-5', { phoneNumber: '+12025550148' })).state, 'waiting', 'another number');
        await test.time.tickAsync(600_000 - 9_000);
        assert.deepEqual([(await startIn('c-6')).state, (await startIn('c-7')).state], ['waiting', 'waiting']);
        await test.time.tickAsync(600_000);
        const later = await startIn('c-8');
        assert.equal(later.refusal, 'crowded', 'the day has a limit of its own');
        assert.ok(later.deadline - later.createdAt > 23 * 3_600_000);
      });

    describe('by strangers', () => {
      const own = 'the customer’s network';
      beforeEach(async () => {
        test.customers = async () => [mei];
        await life.close();
        life = test.make({
          sendsToNumber: [{ points: 4, seconds: 600, kept: { customer: 1, session: 1 } }],
          sendsFromOrigin: [{ points: 3, seconds: 600 }],
        });
        await test.open(life);
      });
      const strangers = (times: number, networks: number, what: Partial<Plan> = {}) =>
        Array.from({ length: times }, (_, at) => () => startIn(`s-${at}`, { origin: `network ${at % networks}`, ...what }));
      const all = async (starts: readonly (() => Promise<Interaction>)[]) => {
        const states: string[] = [];
        for (const one of starts) states.push((await one()).state);
        return states;
      };
      const succeed = async (chat: string) => {
        const [socket] = test.sockets.slice(-1);
        test.result = async () => paymentResult;
        socket?.tell('task.succeeded');
        await test.settle();
        test.result = async () => undefined;
        assert.ok((await life.inConversation(`directline/${chat}`, 1))[0]?.outcome?.status === 'success');
      };

      for (const networks of [1, 7])
        it(`with wrong initials keeps no customer out (20 requests from ${networks} networks)`, async () => {
          const states = await all(strangers(20, networks, { initials: 'XY' }));
          assert.equal(test.sends.length, 0);
          assert.equal(states.filter((state) => state === 'refused').length, networks === 1 ? 17 : 0);
          for (const chat of ['own-1', 'own-2', 'own-3']) assert.equal((await startIn(chat, { origin: own })).state, 'waiting');
          assert.equal(test.sends.length, 3);
        });

      it('is refused by network in the same way, whatever the initials and whoever has asked before', async () => {
        const seen = async (what: Partial<Plan>) => {
          const states = [];
          for (let times = 0; times < 4; times += 1) {
            const { refusal, state } = await startIn(`s-${count}`, what);
            states.push([state, refusal]);
          }
          return states;
        };
        const first = await seen({ origin: 'a', initials: 'XY' });
        assert.deepEqual(first.at(-1), ['refused', 'crowded']);
        for (const [origin, initials] of [
          ['b', 'MT'],
          ['c', 'MT'],
          ['d', 'XY'],
        ] as const)
          assert.deepEqual(await seen({ origin, initials }), first);
      });

      it('who know the initials has a phone get a limited number of messages, and looks like waiting', async () => {
        const states = await all(strangers(20, 20));
        assert.equal(test.sends.length, 4);
        assert.deepEqual([...new Set(states)], ['waiting']);
      });

      it('leaves the customer messages of their own, most in the chat in which they had a success', async () => {
        assert.equal((await startIn('own-1', { origin: own })).state, 'waiting');
        await succeed('own-1');
        await all(strangers(20, 20));
        // A customer who had a success has one more, whoever types their number and initials.
        assert.equal(test.sends.length, 5);
        await startIn('own-1', { origin: own });
        assert.equal(test.sends.length, 6);
        await startIn('own-1', { origin: own });
        assert.equal(test.sends.length, 6);
      });

      it('is forgotten after ten minutes', async () => {
        await all(strangers(20, 20));
        await test.time.tickAsync(600_000);
        await startIn('new', { origin: own });
        assert.equal(test.sends.length, 5);
      });
    });

    it('counts no requests that could not be sent', async () => {
      test.customers = async () => {
        throw new TransportError('payments.bootstrap', 'timeout', { sent: true });
      };
      for (const chat of ['c-1', 'c-2', 'c-3', 'c-4', 'c-5']) assert.equal((await startIn(chat)).refusal, 'unavailable');
    });
  });

  it('does not start if the look-up failed: that reveals nothing about the number, and is reported', async () => {
    test.customers = async () => {
      throw new TransportError('payments.bootstrap', 'timeout', { sent: true });
    };
    const { blindLookup, state, refusal } = await begin();
    assert.deepEqual([blindLookup, state, refusal], [undefined, 'refused', 'unavailable']);
  });
});
