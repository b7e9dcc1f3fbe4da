import assert from 'node:assert/strict';
import { InvalidRequestError, ProtocolError, ServiceError, TransportError } from '../../../src/client/index.ts';
import type { State, Transition } from '../../../src/interactions/interaction.ts';
import { hang, type InteractionsUnderTest, outcomeTimeout, plan, start, startInteractions } from '../../support/interactions-under-test.ts';
import { paymentResult, requestId } from '../../support/service-samples.ts';

const problem = (status: number) => ({ type: 'about:blank', title: 'No', status, detail: 'No.', code: 'no' });

describe('starting an interaction', () => {
  let test: InteractionsUnderTest;
  beforeEach(async () => {
    test = await startInteractions();
  });
  afterEach(() => test.close());

  /** What a crash left behind. */
  const left = async (id: string, ...transitions: Transition[]) => {
    const { interactions } = test.storage;
    const recorded = await interactions.record({ ...plan, id, createdAt: start, deadline: start + outcomeTimeout });
    for (const transition of transitions) assert.ok(await interactions.apply(recorded, transition));
    await interactions.release();
  };
  const stateOf = async (id: string) => (await test.storage.interactions.get(id))?.state;
  const accepted: Transition = { kind: 'accepted', requestId, wsToken: 'token-0001' };
  const decided: Transition = { kind: 'decided', outcome: { status: 'success', by: 'result', at: start, result: paymentResult } };

  it('records it before it is sent, and sends it with its own id as the key', async () => {
    let found: State | undefined;
    test.send = async (key) => {
      found = await stateOf(key);
      return { requestId, wsToken: 'token-0001' };
    };
    const life = test.make();
    const started = await life.start(plan);
    assert.equal(found, 'intended');
    assert.deepEqual(test.sends, [started.id]);
    assert.deepEqual([started.state, started.requestId, started.wsToken], ['waiting', requestId, 'token-0001']);
    assert.equal(started.deadline, start + outcomeTimeout);
    assert.equal(life.watching().waiting, 1);
  });

  it('sends nothing that could not be recorded', async () => {
    const store = test.storage.interactions as { record: typeof test.storage.interactions.record };
    const { record } = store;
    store.record = async () => {
      throw new Error('the disk is full');
    };
    await assert.rejects(test.make().start(plan));
    assert.deepEqual(test.sends, []);
    store.record = record;
  });

  const endings: [string, Error, State, string | undefined][] = [
    ['400', new ServiceError('payments.send', 400), 'refused', 'rejected'],
    ['401', new ServiceError('payments.send', 401), 'refused', 'misconfigured'],
    ['403', new ServiceError('payments.send', 403), 'refused', 'misconfigured'],
    ['409 while an earlier attempt may run', new ServiceError('payments.send', 409, { sentBefore: true }), 'unknown', undefined],
    ['422', new ServiceError('payments.send', 422), 'refused', 'rejected'],
    ['429', new ServiceError('payments.send', 429), 'refused', 'busy'],
    ['405', new ServiceError('payments.send', 405), 'refused', 'misconfigured'],
    ['415', new ServiceError('payments.send', 415), 'refused', 'misconfigured'],
    ['500', new ServiceError('payments.send', 500), 'unknown', undefined],
    ['503 of its own', new ServiceError('payments.send', 503, { problem: problem(503) }), 'refused', 'failed'],
    ['503 of a proxy', new ServiceError('payments.send', 503), 'unknown', undefined],
    ['no connection', new TransportError('payments.send', 'connect', { sent: false }), 'refused', 'unavailable'],
    ['an open circuit', new TransportError('payments.send', 'circuit_open', { sent: false }), 'refused', 'failed'],
    ['nobody to trust', new TransportError('payments.send', 'tls', { sent: false }), 'refused', 'misconfigured'],
    ['silence', new TransportError('payments.send', 'timeout', { sent: true }), 'unknown', undefined],
    ['a reset', new TransportError('payments.send', 'reset', { sent: true }), 'unknown', undefined],
    ['garbage', new ProtocolError('payments.send', 'shape', { paths: ['requestId'] }), 'unknown', undefined],
    ['a rule that we break', new InvalidRequestError('payments.send', [{ path: 'productId', message: 'x' }]), 'refused', 'misconfigured'],
    [
      'a rule that the customer broke',
      new InvalidRequestError('payments.send', [{ path: 'variables.start', message: 'x' }]),
      'refused',
      'rejected',
    ],
    ['a fault of nobody knows whom', new TypeError('canary'), 'unknown', undefined],
  ];
  for (const [what, fault, state, refusal] of endings) {
    it(`that meets ${what} is ${state}, has no watcher, and is never sent again`, async () => {
      test.send = async () => {
        throw fault;
      };
      const life = test.make({ idempotent: true });
      const started = await life.start(plan);
      assert.deepEqual([started.state, started.refusal], [state, refusal]);
      assert.equal(life.watching().waiting, 0);
      const line = JSON.parse(test.lines.find((text) => /was not (?:taken|sent)/.test(text)) as string);
      assert.equal(line.operation, what.startsWith('a fault') ? 'send' : 'payments.send');
      assert.equal(line.outcome === 'unknown', state === 'unknown');
      assert.equal(line.level, fault instanceof InvalidRequestError ? 'error' : 'warn');
      assert.ok(!test.lines.join('').includes('canary'));
      await life.close();
      test.send = async () => ({ requestId, wsToken: 'token-0001' });
      await test.open(test.make({ idempotent: true }));
      await test.settle();
      assert.equal(test.sends.length, 1);
      assert.equal(await stateOf(started.id), state);
      // Nobody had noted that the customer was told, so this start told them.
      assert.deepEqual(
        test.delivered.map(({ id }) => id),
        [started.id],
      );
    });
  }

  const limit = { path: 'variables.limit', message: 'must be a number, not canary' };
  for (const [what, fault, fields] of [
    ['the service', new ServiceError('payments.send', 422, { problem: { ...problem(422), errors: [limit] } }), ['variables.limit']],
    ['the interface', new InvalidRequestError('payments.send', [limit]), ['variables.limit']],
    ['a service without a word on fields', new ServiceError('payments.send', 422, { problem: problem(422) }), undefined],
    ['a service without a word', new ServiceError('payments.send', 422), undefined],
  ] as const) {
    it(`that was refused by ${what} returns the faulty fields to its caller, and stores nothing about them`, async () => {
      test.send = async () => {
        throw fault;
      };
      const started = await test.make().start(plan);
      assert.deepEqual(started.refusedFields, fields);
      const kept = JSON.stringify(await test.storage.interactions.get(started.id));
      assert.doesNotMatch(kept, /refusedFields|variables|canary/);
    });
  }

  for (const [what, fault, fields] of [
    [
      'an answer departs from the interface in',
      new ProtocolError('payments.send', 'shape', { paths: ['requestId', 'wsToken'] }),
      'requestId, wsToken',
    ],
    ['a rule that we break is about', new InvalidRequestError('payments.send', [{ path: 'productId', message: 'x' }]), 'productId x'],
    ['nothing names', new ProtocolError('payments.send', 'not_json'), undefined],
  ] as const)
    it(`logs the fields that ${what}`, async () => {
      test.send = async () => {
        throw fault;
      };
      await test.make().start(plan);
      const line = JSON.parse(test.lines.find((text) => /was not (?:taken|sent)/.test(text)) as string);
      assert.equal(line.fields, fields);
    });

  it('names fifty refused fields at most', async () => {
    const errors = Array.from({ length: 51 }, (_, index) => ({ path: `variables.v${index}`, message: 'no' }));
    test.send = async () => {
      throw new ServiceError('payments.send', 422, { problem: { ...problem(422), errors } });
    };
    const { refusedFields = [] } = await test.make().start(plan);
    assert.deepEqual([refusedFields.length, refusedFields.at(-1)], [50, 'variables.v49']);
  });

  it('that was reported in the turn itself is not reported again by the next start', async () => {
    test.send = async () => {
      throw new ServiceError('payments.send', 500);
    };
    const life = test.make();
    await life.markDelivered(await life.start(plan));
    await test.open(test.make());
    await test.settle();
    assert.deepEqual(test.delivered, []);
  });

  describe('after a crash', () => {
    it('resumes each interaction where it stopped', async () => {
      await left('a-intended');
      await left('b-waiting', accepted);
      await left('c-decided', accepted, decided);
      await left('d-refused', { kind: 'refused', refusal: 'busy' });
      await left('e-unknown', { kind: 'lost' });
      await left('f-delivered', accepted, decided, { kind: 'delivered' });
      await left('g-undeliverable', accepted, decided, { kind: 'unreachable' });
      const life = test.make({ idempotent: true });
      await test.open(life);
      await test.settle();
      assert.deepEqual(test.sends, ['a-intended']);
      assert.deepEqual(
        test.delivered.map(({ id, state, refusal }) => [id, state, refusal]),
        [
          ['c-decided', 'decided', undefined],
          ['d-refused', 'refused', 'busy'],
          ['e-unknown', 'unknown', undefined],
        ],
      );
      assert.equal(life.watching().waiting, 2);
      const states = Object.fromEntries(
        await Promise.all(['a-intended', 'b-waiting', 'c-decided', 'd-refused', 'e-unknown'].map(async (id) => [id, await stateOf(id)])),
      );
      assert.deepEqual(states, {
        'a-intended': 'waiting',
        'b-waiting': 'waiting',
        'c-decided': 'delivered',
        'd-refused': 'refused',
        'e-unknown': 'unknown',
      });
      await life.close();
      // A second start finds only what still waits.
      test.delivered.length = 0;
      const again = test.make({ idempotent: true });
      await test.open(again);
      await test.settle();
      assert.deepEqual(test.delivered, []);
      assert.equal(again.watching().waiting, 2);
    });

    it('reads the results of pending ones at once, and reports what happened meanwhile', async () => {
      await left('a', accepted);
      test.result = async () => paymentResult;
      await test.open(test.make());
      await test.settle();
      assert.equal(await stateOf('a'), 'delivered');
      assert.equal(test.delivered[0]?.outcome?.status, 'success');
      assert.ok(test.sockets.every(({ closed }) => closed));
    });

    it('sends an intent again only if the service honours its key; otherwise says that its fate is unknown', async () => {
      await left('a');
      await test.open(test.make({ idempotent: false }));
      await test.settle();
      assert.deepEqual(test.sends, []);
      assert.equal(await stateOf('a'), 'unknown');
      assert.deepEqual(
        test.delivered.map(({ id, state }) => [id, state]),
        [['a', 'unknown']],
      );
    });

    it('does not send after the deadline, and does not claim that nothing was sent', async () => {
      await left('a');
      await test.time.tickAsync(outcomeTimeout);
      await test.open(test.make({ idempotent: true }));
      await test.settle();
      assert.deepEqual(test.sends, []);
      assert.deepEqual(
        test.delivered.map(({ id, state, refusal }) => [id, state, refusal]),
        [['a', 'unknown', undefined]],
      );
    });

    it('ends what waits past its deadline as a timeout, after a last read', async () => {
      await left('a', accepted);
      await test.time.tickAsync(outcomeTimeout);
      await test.open(test.make());
      await test.settle();
      assert.equal(test.delivered[0]?.outcome?.status, 'timeout');
      assert.ok(test.reads.length >= 1);
    });

    it('has started at once although the service hangs during a send', async () => {
      await left('a');
      await left('b', accepted, decided);
      test.send = (_key, signal) => hang(signal);
      const life = test.make({ idempotent: true });
      await test.open(life);
      await test.settle();
      assert.deepEqual(
        test.delivered.map(({ id }) => id),
        ['b'],
      );
      assert.equal(await stateOf('a'), 'intended');
      // Stopped like this it stays an intent, for the next start to send under the same key.
      await life.close();
      assert.equal(await stateOf('a'), 'intended');
      test.send = async () => ({ requestId, wsToken: 'token-0001' });
      await test.open(test.make({ idempotent: true }));
      await test.settle();
      assert.deepEqual(test.sends, ['a', 'a']);
      assert.equal(await stateOf('a'), 'waiting');
    });
  });
});
