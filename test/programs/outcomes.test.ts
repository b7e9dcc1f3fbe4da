import assert from 'node:assert/strict';
import { makeLog } from '../../src/platform/log.ts';
import type { Post, Posted } from '../../src/platform/outgoing/webhook-post.ts';
import { makeAlarm } from '../../src/platform/time/clock.ts';
import { makeOutcomeHooks } from '../../src/programs/outcome-hooks.ts';
import { makeOutcomes, type Outcomes, type OutcomesParts } from '../../src/programs/outcomes.ts';
import type { View } from '../../src/programs/schemas.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { until } from '../support/until.ts';

const minute = 60_000;
const program = { name: 'key' };
const refused = (code = 'http_500', more: object = {}): Posted => ({ code, ...more });

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
    const { clock } = storage;
    const hooks = storage.of(makeOutcomeHooks);
    let ids = 0;
    outcomes = makeOutcomes({
      ...{ post: posting, jitter: () => 0, clock, alarm: makeAlarm(clock), shared: false, newId: () => `id${++ids}` },
      look: async () => ({ state: 'ended' }) as unknown as View,
      hooks: {
        ...hooks,
        settle: async (delivery, fate) => {
          if ('again' in fate) waited.push(fate.again);
          await hooks.settle(delivery, 'again' in fate ? { ...fate, again: 0 } : fate);
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
    await until(async () => (await storage.of(makeOutcomeHooks).next()) === undefined, 'that nothing is due');
    await outcomes.close();
  };
  const errors = () => lines.filter((line) => JSON.parse(line).level === 'error');

  it('is tried for a day under one id, and then given up as an error that is counted', async () => {
    const ids = new Set<string>();
    await post(async ({ id }) => {
      ids.add(id);
      return refused();
    });
    await over();
    assert.deepEqual(waited, [2000, 15_000, minute, 10 * minute, 60 * minute, 6 * 60 * minute, 16 * 60 * minute]);
    assert.deepEqual([ids.size, givenUp], [1, 1]);
    const [error, ...others] = errors().map((line) => JSON.parse(line));
    assert.deepEqual([error.msg, error.code, error.interaction], ['an outcome for a program is given up', 'http_500', 'it']);
    assert.deepEqual([others, lines.join().includes('canary')], [[], false]);
  });

  it('is tried less and less often, and given up, if each attempt fails for an unforeseen reason', async () => {
    const look = () => Promise.reject(new TypeError('unforeseen'));
    await post(async () => ({ done: true }), { look });
    await over();
    assert.deepEqual([waited.length, givenUp], [7, 1]);
    assert.match(errors()[0] ?? '', /"error":"TypeError"/);
  });

  it('is given up with an address that wants nothing more', async () => {
    await post(async () => refused('http_410', { final: true }));
    await over();
    assert.deepEqual([waited, givenUp, errors().length], [[], 1, 1]);
    await outcomes.note(program, 'another');
    assert.equal(await storage.of(makeOutcomeHooks).next(), undefined);
  });

  it('has not been tried if our own stop cut the attempt off', async () => {
    let begun = false;
    await post(
      (_event, signal) =>
        new Promise((resolve) => {
          begun = true;
          signal.addEventListener('abort', () => resolve(refused('unreachable')));
        }),
    );
    await until(() => begun, 'the attempt');
    await outcomes.close();
    const [delivery] = await storage.of(makeOutcomeHooks).claim(minute, 1);
    assert.deepEqual([delivery?.attempts, lines, givenUp], [0, [], 0]);
  });
});
