// What interactions are allowed to become, as a model beside the real store, and the commands that drive both.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type DeviceStep,
  type Intent,
  next,
  notClaimed,
  type Outcome,
  type State,
  type Transition,
} from '../../src/interactions/interaction.ts';
import type { Storage } from '../../src/storage/index.ts';

interface Expected {
  readonly conversation: string;
  state: State;
  told: boolean;
  /** Nothing is left to tell; of an end that was unknown, a late outcome may still be. */
  over: boolean;
  address: string;
  mistyped: number;
  requestId?: string;
  outcome?: Outcome;
  readonly progress: { [Name in DeviceStep]?: number };
}

/** Everything recorded, by id. */
export type Model = Map<string, Expected>;

/** The real thing: a storage that can be closed and opened again. */
export interface Real {
  storage: Storage;
  reopen(): Promise<void>;
}

type Command = fc.AsyncCommand<Model, Real>;

const intentOf = (id: string, conversation: string): Intent => ({
  id,
  app: 'payments',
  conversation,
  address: '{}',
  sessionRef: 'session-1',
  customerRef: 'customer-1',
  phoneNumber: '+12025550102',
  request: { sessionRef: 'session-1', phoneNumber: '+12025550102', productId: 'p1' },
  createdAt: 1,
  deadline: 2,
});

const agree = async ({ storage }: Real, id: string, expected: Expected) => {
  const found = await storage.interactions.get(id);
  assert.ok(found);
  const { conversation, state, delivered: told, mistyped, requestId, outcome, progress, address } = found;
  const { over, ...visible } = expected;
  const actual = { conversation, state, told, mistyped, progress, address, ...(requestId && { requestId }), ...(outcome && { outcome }) };
  assert.deepEqual(actual, visible);
  // What is over is nobody's.
  if (over) assert.equal(found.epoch, notClaimed);
  // What serves nothing any more is gone with the telling.
  if (told) assert.equal(found.wsToken, undefined);
};

/** The interaction as this process holds it. */
const held = async ({ storage }: Real, id: string) => {
  const found = await storage.interactions.get(id);
  assert.ok(found);
  return found;
};

/** Picks one of the recorded ones, whichever the number falls on. */
const pick = (model: Model, index: number) => [...model.keys()][index % model.size] as string;

const record = (conversation: string): Command => ({
  check: () => true,
  run: async (model, real) => {
    const id = `01J00000000000000000000${String(model.size).padStart(3, '0')}`;
    await real.storage.interactions.record(intentOf(id, conversation));
    model.set(id, { conversation, state: 'intended', told: false, over: false, address: '{}', mistyped: 0, progress: {} });
    await agree(real, id, model.get(id) as Expected);
  },
  toString: () => `record in ${conversation}`,
});

const happen = (index: number, transition: Transition): Command => ({
  check: (model) => model.size > 0,
  run: async (model, real) => {
    const id = pick(model, index);
    const expected = model.get(id) as Expected;
    const after = expected.over ? undefined : next(expected.state, transition);
    const changed = await real.storage.interactions.apply(await held(real, id), transition);
    assert.equal(changed !== undefined, after !== undefined);
    if (after !== undefined) {
      const before = expected.state;
      expected.state = after;
      if (transition.kind === 'accepted' || transition.kind === 'resent') expected.requestId = transition.requestId;
      if (transition.kind === 'resent') expected.mistyped = 0;
      if (transition.kind === 'mistyped') expected.mistyped += 1;
      if (transition.kind === 'decided') expected.outcome = { ...transition.outcome };
      if (transition.kind === 'delivered' || transition.kind === 'unreachable' || transition.kind === 'abandoned') {
        expected.told = true;
        expected.over = before !== 'expired' || transition.kind === 'unreachable';
        // Where its outcome is told is kept for the desk, and while there may be one.
        if (expected.over && transition.kind !== 'unreachable') expected.address = '';
      } else if (before === 'unresolved') expected.told = false;
    }
    await agree(real, id, expected);
  },
  toString: () => `${transition.kind} #${index}`,
});

const advance = (index: number, step: DeviceStep, at: number): Command => ({
  check: (model) => model.size > 0,
  run: async (model, real) => {
    const id = pick(model, index);
    const expected = model.get(id) as Expected;
    const news = expected.state === 'waiting' && expected.progress[step] === undefined;
    assert.equal((await real.storage.interactions.advance(await held(real, id), step, at)) !== undefined, news);
    if (news) expected.progress[step] = at;
    await agree(real, id, expected);
  },
  toString: () => `${step} #${index}`,
});

const unfinished = (model: Model) => [...model].filter(([, { over }]) => !over).map(([id]) => id);

const restart: Command = {
  check: () => true,
  run: async (model, real) => {
    await real.reopen();
    // What was not over is free, and everything else is nobody's concern any more.
    const claimed = await real.storage.interactions.claim();
    assert.deepEqual(
      claimed.map(({ id }) => id),
      unfinished(model),
    );
    for (const [id, expected] of model) await agree(real, id, expected);
  },
  toString: () => 'restart',
};

const lists: Command = {
  check: () => true,
  run: async (model, real) => {
    const { interactions } = real.storage;
    const those = (wanted: (expected: Expected) => boolean) => [...model].filter(([, expected]) => wanted(expected)).map(([id]) => id);
    // Whatever is not over is held already.
    assert.deepEqual(await interactions.claim(), []);
    for (const chat of chats) {
      assert.deepEqual(
        (await interactions.waitingIn(chat)).map(({ id }) => id),
        those(({ conversation, state }) => conversation === chat && state === 'waiting'),
      );
    }
  },
  toString: () => 'lists',
};

const chats = ['chat-1', 'chat-2'] as const;
const index = fc.nat({ max: 7 });
const outcome = fc.record({
  status: fc.constantFrom('success', 'failure', 'timeout', 'cancelled'),
  by: fc.constantFrom('result', 'event', 'check', 'deadline', 'customer'),
  at: fc.nat(),
}) as fc.Arbitrary<Outcome>;
const request = fc.record({ requestId: fc.constantFrom('r1', 'r2', 'r3'), wsToken: fc.constantFrom('t1', 't2') });
const transition: fc.Arbitrary<Transition> = fc.oneof(
  request.map((given) => ({ kind: 'accepted' as const, ...given })),
  request.map((given) => ({ kind: 'resent' as const, ...given })),
  fc.constantFrom('busy', 'rejected').map((refusal) => ({ kind: 'refused' as const, refusal })),
  fc.constantFrom<Transition>({ kind: 'lost' }, { kind: 'mistyped' }, { kind: 'delivered' }, { kind: 'unreachable' }),
  fc.constantFrom<Transition>({ kind: 'expired' }, { kind: 'delivered' }, { kind: 'abandoned' }),
  outcome.map((decided) => ({ kind: 'decided' as const, outcome: decided })),
);

/** Every command, with whatever it may be given. */
export const commands: fc.Arbitrary<Command>[] = [
  fc.constantFrom(...chats).map(record),
  fc.tuple(index, transition).map(([at, given]) => happen(at, given)),
  fc.tuple(index, transition).map(([at, given]) => happen(at, given)),
  fc.tuple(index, fc.constantFrom<DeviceStep>('sent', 'opened', 'started'), fc.nat()).map((given) => advance(...given)),
  fc.constant(restart),
  fc.constant(lists),
];
