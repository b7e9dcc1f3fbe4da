import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benches } from './benches.ts';
import { measuredAt } from './history.ts';
import { isReached, type Line } from './line.ts';
import { median } from './numbers.ts';
import { tableOf } from './table.ts';

const script = fileURLToPath(new URL('run.ts', import.meta.url));

describe('the bench command', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const bench = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], (fault, out, err) => {
        resolve({ code: fault ? Number(fault.code) : 0, out, err });
      });
    });

  it('measures floor and ours, prints their ratio and writes what it printed', async () => {
    const { code, out, err } = await bench('card', '--rounds', '1', '--to', folder);
    assert.equal(code, 0, err);
    const [head = '', ...lines] = out.trim().split('\n');
    assert.match(head, /^bench +what +floor +ours +ratio +to reach +reached$/);
    assert.match(lines[0] as string, /^card +a card .+? {2,}[\d.]+ µs CPU +[\d.]+ µs CPU +[\d.]+ × +≤ 25 µs CPU +(?:yes|no)$/);
    const [file = ''] = readdirSync(folder);
    assert.equal(lines.at(-1), `written to ${join(folder, file)}`);

    const written = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    assert.equal(written.rounds, 1);
    assert.equal(written.machine.node, process.version);
    assert.match(lines.at(-2) as string, /^stolen from this machine meanwhile: [\d.]+ %$/);
    assert.equal(written.lines.length, lines.length - 2);
    assert.match(written.commit, /^[0-9a-f]{40}\+?$/);
    for (const line of written.lines) {
      assert.equal(line.bench, 'card');
      assert.ok(line.floor > 0 && line.ours > 0);
      assert.equal(line.ratio, line.ours / line.floor);
      assert.equal(line.reached, line.ours <= line.reach.most);
    }
  });

  it('compares its measurements with those of an earlier commit', async () => {
    const earlier = mkdtempSync(join(folder, 'earlier-'));
    const lines = (ours: number) => [{ bench: 'card', what: 'a card of payments, confirm', unit: 'µs CPU', ours }];
    writeFileSync(join(earlier, '1.json'), JSON.stringify({ commit: 'abcdef0', lines: lines(1) }));
    writeFileSync(join(earlier, '2.json'), JSON.stringify({ commit: 'abcdef0', lines: lines(1000) }));
    writeFileSync(join(earlier, '3.json'), JSON.stringify({ commit: '1234567', lines: lines(2) }));
    assert.equal(measuredAt(earlier, '7777'), undefined);
    const at = measuredAt(earlier, 'abc');
    assert.ok(at);
    const [head = '', first = '', other = ''] = tableOf(
      [...lines(100), ...lines(5).map((line) => ({ ...line, what: 'a card that was not measured' }))].map((line) => ({ ...line })),
      at,
    );
    assert.match(head, /at abc +of that$/);
    assert.match(first, /1000 µs CPU +10 %$/);
    assert.match(other, /– +–$/);
  });

  it('takes the middle value as the median, or the mean of the two in the middle', () => {
    assert.equal(median([9, 1, 2]), 2);
    assert.equal(median([4, 1, 9, 2]), 3);
    assert.throws(() => median([]), RangeError);
  });

  for (const [what, args, words] of [
    [
      'a commit at which nothing was measured',
      ['card', '--against', 'fedcba9', '--to', join(tmpdir(), 'nowhere')],
      /was measured at fedcba9\.$/m,
    ],
    ['a name it does not know', ['speed'], /^There is no bench called speed\. There are: echo, /],
    ['no rounds at all', ['card', '--rounds', '0'], /^--rounds: must be a whole number above 0\./],
    ['an option it does not have', ['--faster'], /^Usage: npm run bench/],
  ] as const) {
    it(`refuses ${what} in words, before anything is measured`, async () => {
      const { code, out, err } = await bench(...args);
      assert.equal(code, 64);
      assert.equal(out, '');
      assert.match(err, words);
    });
  }

  it('has a bench for every row of the table of floors and ratios', () => {
    assert.deepEqual(Object.keys(benches), [
      ...[
        'echo',
        'echo-plain',
        'dialog',
        'direct-line',
        'conversation',
        'outcomes',
        'waiting',
        'takeover',
        'statements',
        'claim',
        'send',
        'desk',
        'card',
        'start',
        'limits',
        'chat-page',
      ],
    ]);
  });

  it('says that a ratio is reached when it is', () => {
    const line: Line = { what: 'work', unit: 'ms', floor: 2, ours: 3 };
    assert.equal(isReached({ ...line, reach: { ratio: 1.5 } }), true);
    assert.equal(isReached({ ...line, reach: { ratio: 1.4 } }), false);
    assert.equal(isReached({ ...line, reach: { most: 3 } }), true);
    assert.equal(isReached({ ...line, reach: { most: 2 } }), false);
    assert.equal(isReached(line), undefined);
  });
});
