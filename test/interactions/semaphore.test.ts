import assert from 'node:assert/strict';
import { makeSemaphore } from '../../src/interactions/semaphore.ts';

describe('a gate', () => {
  /** Works that end when they are told to. */
  const works = (most: number) => {
    const gate = makeSemaphore(most);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const want = (name: string, urgent?: 'urgent') =>
      gate.run(() => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }, urgent);
    return { gate, begun, want, end: (name: string) => ends.get(name)?.() };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('lets in at once while there is room, then in the order of coming, the urgent first', async () => {
    const { begun, want, end } = works(2);
    const all = [want('a'), want('b'), want('c'), want('d'), want('e', 'urgent')];
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

  it('passes on what a work ends with, and has room again after a fault', async () => {
    const gate = makeSemaphore(1);
    const fault = new Error('broken');
    await assert.rejects(
      gate.run(async () => {
        throw fault;
      }),
      fault,
    );
    assert.equal(await gate.run(async () => 'done'), 'done');
  });

  it('lets a hundred thousand through that leave at once', async () => {
    const gate = makeSemaphore(1);
    let held: () => void = () => {};
    const first = gate.run(() => new Promise<void>((resolve) => (held = resolve)));
    const others = Array.from({ length: 100_000 }, (_, index) => gate.run(async () => index));
    held();
    await first;
    assert.equal((await Promise.all(others)).at(-1), 99_999);
  });
});
