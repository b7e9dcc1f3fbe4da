import assert from 'node:assert/strict';
import { ConnectorError, type ConnectorErrorCode } from '../../../src/bot/outgoing/connector.ts';
import { retryWhenBusy, throughSteps } from '../../../src/bot/outgoing/outgoing.ts';

describe('trying again within a turn', () => {
  let now: number;
  let faults: ConnectorError[];
  let posts: number[];
  beforeEach(() => {
    now = 0;
    faults = [];
    posts = [];
  });

  const attempt = async () => {
    posts.push(now);
    const fault = faults.shift();
    if (fault) throw fault;
    return { id: 'a1' };
  };
  const pause = async (ms: number) => {
    now += ms;
  };
  const again = retryWhenBusy({ now: () => now }, () => 0.5, pause);
  const connector = throughSteps([again], { post: attempt, update: attempt, remove: async () => void (await attempt()) });
  const settle = (work: Promise<unknown>) =>
    work.then(
      (value) => ({ value }),
      (fault: unknown) => ({ fault }),
    );
  const busy = (retryAfter?: number) => new ConnectorError('busy', { status: 429, retryAfter });

  it('posts again when the channel was busy, twice at most, each after a random wait', async () => {
    faults = [busy(), busy()];
    assert.deepEqual(await settle(connector.post('c1', {})), { value: { id: 'a1' } });
    assert.deepEqual(posts, [0, 200, 600]);
  });

  it('gives up after the third try', async () => {
    const last = busy();
    faults = [busy(), busy(), last];
    assert.deepEqual(await settle(connector.post('c1', {})), { fault: last });
    assert.equal(posts.length, 3);
  });

  it('waits as long as a short Retry-After says', async () => {
    faults = [busy(2000)];
    await settle(connector.post('c1', {}));
    assert.deepEqual(posts, [0, 2200]);
  });

  it('does not wait longer than three seconds in all', async () => {
    faults = [busy(2000), busy(2000)];
    assert.ok('fault' in (await settle(connector.post('c1', {}))));
    assert.deepEqual(posts, [0, 2200]);
  });

  it('surfaces a long Retry-After at once', async () => {
    faults = [busy(7000)];
    assert.ok('fault' in (await settle(connector.post('c1', {}))));
    assert.deepEqual(posts, [0]);
  });

  const once: ConnectorErrorCode[] = [
    'gone',
    'rejected',
    'unauthorized',
    'uncertain',
    'no_answer',
    'unreachable',
    'no_token',
    'refused_address',
  ];
  for (const code of once) {
    it(`tries once when the answer was ${code}`, async () => {
      faults = [new ConnectorError(code)];
      assert.ok('fault' in (await settle(connector.post('c1', {}))));
      assert.equal(posts.length, 1);
    });
  }

  it('does the same for updates and removals', async () => {
    faults = [busy(), busy()];
    await settle(connector.update('c1', 'a1', {}));
    await settle(connector.remove('c1', 'a1'));
    assert.equal(posts.length, 4);
  });
});
