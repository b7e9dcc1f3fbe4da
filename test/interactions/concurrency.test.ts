import assert from 'node:assert/strict';
import PQueue from 'p-queue';

// What reads, late reads and handshakes rely on, whichever version of the library is installed.
describe('a concurrency limit', () => {
  /** Works that end when they are told to. */
  const works = (concurrency: number) => {
    const queue = new PQueue({ concurrency });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const want = (name: string, priority = 0) =>
      queue.add(
        () => {
          begun.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
        },
        { priority },
      );
    return { begun, want, end: (name: string) => ends.get(name)?.() };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('starts work at once while there is room, then in order, urgent work first', async () => {
    const { begun, want, end } = works(2);
    const all = [want('a'), want('b'), want('c'), want('d'), want('e', 1)];
    assert.deepEqual(begun, ['a', 'b']);
    end('b');
    await turn();
    assert.deepEqual(begun, ['a', 'b', 'e']);
    end('a');
    await turn();
    assert.deepEqual(begun, ['a', 'b', 'e', 'c']);
    for (const name of ['e', 'c']) end(name);
    await turn();
    end('d');
    assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'e']);
  });

  it('passes on what work ends with, and has room again after a fault', async () => {
    const queue = new PQueue({ concurrency: 1 });
    const fault = new Error('broken');
    await assert.rejects(
      queue.add(async () => {
        throw fault;
      }),
      fault,
    );
    assert.equal(await queue.add(async () => 'done'), 'done');
  });

  it('handles a hundred thousand jobs that end at once', async () => {
    const queue = new PQueue({ concurrency: 1 });
    let end: () => void = () => {};
    const first = queue.add(() => new Promise<void>((resolve) => (end = resolve)));
    const others = Array.from({ length: 100_000 }, (_, index) => queue.add(async () => index));
    end();
    await first;
    assert.equal((await Promise.all(others)).at(-1), 99_999);
  });
});
