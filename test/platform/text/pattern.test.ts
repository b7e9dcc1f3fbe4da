import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { formPattern } from '../../../src/platform/text/pattern.ts';

/** Patterns that an engine which backtracks does not come back from, and an answer for each that sends it there. */
const hanging: readonly (readonly [string, string])[] = [
  ['(a+)+', `${'a'.repeat(1900)}!`],
  ['(a|aa)+', `${'a'.repeat(1900)}!`],
  ['([a-z]+)*\\d', 'a'.repeat(1900)],
  ['(.*)*(.*)*(.*)*x', 'a'.repeat(1900)],
];

describe('the pattern of a form', () => {
  for (const [pattern, answer] of hanging) {
    it(`\`${pattern}\` does not hang on the longest answer`, () => {
      const file = fileURLToPath(new URL('../../../src/platform/text/pattern.ts', import.meta.url));
      const code = `import { formPattern } from ${JSON.stringify(file)}; console.log(formPattern(${JSON.stringify(pattern)}).matches(${JSON.stringify(answer)}));`;
      // In a process of its own: nothing else could end an engine that hangs.
      const { stdout, error } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', code], {
        encoding: 'utf8',
        timeout: 30_000,
      });
      assert.equal(error, undefined, String(error));
      assert.equal(stdout.trim(), 'false');
    });
  }

  const answers: readonly (readonly [string, string, boolean])[] = [
    ['[A-Z]{2}\\d{2}', 'AB12', true],
    ['[A-Z]{2}\\d{2}', 'xAB12', false],
    ['[A-Z]{2}\\d{2}', 'AB123', false],
    ['a|bc', 'bc', true],
    ['a|bc', 'abc', false],
    ['\\p{L}+', 'Müñoz', true],
    ['.', '\u{1F600}', true],
  ];
  for (const [pattern, answer, fits] of answers) {
    it(`\`${pattern}\` ${fits ? 'takes' : 'refuses'} "${answer}": it is for the whole answer`, () => {
      assert.equal(formPattern(pattern)?.matches(answer), fits);
    });
  }
});
