import assert from 'node:assert/strict';
import { type Connector, ConnectorError } from '../../../src/bot/outgoing/connector.ts';
import { throughSteps } from '../../../src/bot/outgoing/outgoing.ts';
import { makePace } from '../../../src/bot/outgoing/pace.ts';

describe('what a bot posts into one conversation', () => {
  let now: number;
  let posts: { readonly at: number; readonly to: string; readonly what: string }[];
  let faults: ConnectorError[];
  let connector: Connector;
  const start = (patience?: number) => {
    now = 1_000_000;
    posts = [];
    faults = [];
    const note = (what: string) => async (to: string) => {
      posts.push({ at: now - 1_000_000, to, what });
      const fault = faults.shift();
      if (fault) throw fault;
      return { id: 'a1' };
    };
    const pace = makePace({ now: () => now }, patience, async (ms) => {
      now += ms;
    });
    connector = throughSteps([pace('https://a.example')], {
      ...{ post: note('post'), update: note('update'), remove: async (to) => void (await note('remove')(to)) },
    });
  };
  beforeEach(() => start());
  const teams = { channelId: 'msteams' };
  const post = (to = 'c1', activity: object = teams) => connector.post(to, activity);
  const times = () => posts.map(({ at }) => at);

  it('keeps to seven in a second and eight in two, updates included', async () => {
    for (let index = 0; index < 4; index += 1) {
      await post();
      await connector.update('c1', 'a1', teams);
    }
    await post();
    // Seven at once, the eighth a second later, and the ninth when the first is two seconds old.
    assert.deepEqual(times(), [0, 0, 0, 0, 0, 0, 0, 1000, 2000]);
  });

  it('keeps to sixty in thirty seconds, and to 1,800 in an hour', async () => {
    start(Number.POSITIVE_INFINITY);
    for (let index = 0; index < 1801; index += 1) await post();
    const most = (seconds: number) =>
      Math.max(...times().map((from) => times().filter((at) => at >= from && at < from + seconds * 1000).length));
    assert.deepEqual([most(1), most(2), most(30), most(3600)], [7, 8, 60, 1800]);
  });

  it('waits for three seconds at most: what would wait longer is busy, with the time it takes, and not posted', async () => {
    start(999);
    for (let index = 0; index < 7; index += 1) await post();
    await assert.rejects(post(), { code: 'busy', retryAfter: 1000, final: false, ambiguous: false });
    assert.equal(posts.length, 7);
    now += 1;
    await post();
    assert.equal(posts.length, 8);
  });

  it('waits as long as a Retry-After of the conversation says, and other conversations do not', async () => {
    faults = [new ConnectorError('busy', { status: 429, retryAfter: 2500 })];
    await assert.rejects(post(), { code: 'busy' });
    await post('c2');
    await post();
    assert.deepEqual(
      posts.map(({ at, to }) => [at, to]),
      [
        [0, 'c1'],
        [0, 'c2'],
        [2500, 'c1'],
      ],
    );
  });

  it('is not delayed if the channel has no limits, nor are deletions', async () => {
    for (let index = 0; index < 100; index += 1) await post('c1', { channelId: 'webchat' });
    for (let index = 0; index < 20; index += 1) await connector.remove('c1', 'a1');
    assert.deepEqual([...new Set(times())], [0]);
  });
});
