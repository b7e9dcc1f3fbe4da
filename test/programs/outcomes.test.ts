import assert from 'node:assert/strict';
import { makeAlarm } from '../../src/platform/alarm.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Post, Posted } from '../../src/platform/webhook-post.ts';
import { makeOutcomes, type Outcomes, type OutcomesParts } from '../../src/programs/outcomes.ts';
import type { View } from '../../src/programs/schemas.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { until } from '../support/until.ts';

const minute = 60_000;
const program = { name: 'key' };
const refused = (code = 'http_500', more: object = {}): Posted => ({ arrived: false, gone: false, code, retryAfterMs: 0, ...more });

describe('an outcome on its way to a program', () => {
  let storage: Storage;
  let outcomes: Outcomes;
  let lines: string[];
  let givenUp: number;
  /** The waits (ms) between attempts. The database's clock cannot stand still, so none of them is waited for. */
  let waited: number[];
  beforeEach(async () => {
    storage = await openNewStorage();
    [lines, givenUp, waited] = [[], 0, []];
  });
  afterEach(async () => {
    await outcomes.close();
    await storage.close();
  });

  const post = async (posting: Post, more: Partial<OutcomesParts> = {}) => {
    const { clock, outcomeHooks: hooks } = storage;
    let ids = 0;
    outcomes = makeOutcomes({
      ...{ post: posting, clock, alarm: makeAlarm(clock), shared: false, newId: () => `id${++ids}` },
      look: async () => ({ state: 'ended' }) as unknown as View,
      hooks: {
        ...hooks,
        settle: async (letter, fate) => {
          if (fate && 'again' in fate) waited.push(fate.again);
          await hooks.settle(letter, fate && 'again' in fate ? { again: 0 } : fate);
        },
      },
      givenUp: () => {
        givenUp += 1;
      },
      log: makeLog('info', { write: (line) => void lines.push(line) }),
      ...more,
    });
    await outcomes.subscribe(program, 'https://flows.example.com/canary');
    await outcomes.note(program, 'it');
  };
  /** Until nothing is due any more. */
  const over = async () => {
    await until(async () => (await storage.outcomeHooks.next()) === undefined, 'that nothing is due');
    await outcomes.close();
  };
  const errors = () => lines.filter((line) => JSON.parse(line).level === 'error');

  for (const [random, factor] of [
    [0, 1],
    [0.5, 1.1],
  ] as const)
    it(`is tried for a day, each time after ${factor} times the wait, and then given up as an error`, async () => {
      const ids = new Set<string>();
      const posting: Post = async ({ id }) => {
        ids.add(id);
        return refused();
      };
      await post(posting, { random: () => random });
      await over();
      const waits = [2000, 15_000, minute, 10 * minute, 60 * minute, 6 * 60 * minute, 16 * 60 * minute];
      assert.deepEqual(
        waited,
        waits.map((wait) => Math.round(wait * factor)),
      );
      assert.deepEqual([ids.size, givenUp], [1, 1]);
      const [error, ...others] = errors().map((line) => JSON.parse(line));
      assert.deepEqual([error.msg, error.code, error.interaction], ['an outcome for a program is given up', 'http_500', 'it']);
      assert.deepEqual([others, lines.join().includes('canary')], [[], false]);
    });

  it('waits longer if the address asks for that', async () => {
    let tries = 0;
    await post(async () => (++tries === 1 ? refused('http_429', { retryAfterMs: 5 * minute }) : { arrived: true }));
    await over();
    assert.deepEqual([tries, waited, givenUp], [2, [5 * minute], 0]);
  });

  it('is tried less and less often, and given up, if each attempt fails for an unforeseen reason', async () => {
    const look = () => Promise.reject(new TypeError('unforeseen'));
    await post(async () => ({ arrived: true }), { look });
    await over();
    assert.deepEqual([waited.length, givenUp], [7, 1]);
    assert.match(errors()[0] ?? '', /"error":"TypeError"/);
  });

  it('is given up with an address that wants nothing more', async () => {
    await post(async () => refused('http_410', { gone: true }));
    await over();
    assert.deepEqual([waited, givenUp, errors().length], [[], 1, 1]);
    await outcomes.note(program, 'another');
    assert.equal(await storage.outcomeHooks.next(), undefined);
  });

  it('has not been tried if our own stop cut the attempt off', async () => {
    let begun = false;
    await post(
      (_letter, signal) =>
        new Promise((resolve) => {
          begun = true;
          signal.addEventListener('abort', () => resolve(refused('unreachable')));
        }),
    );
    await until(() => begun, 'the attempt');
    await outcomes.close();
    const [letter] = await storage.outcomeHooks.claim(minute, 1);
    assert.deepEqual([letter?.attempts, lines, givenUp], [0, [], 0]);
  });
});
