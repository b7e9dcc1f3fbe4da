// A run that must have been clean: its line is printed, and what was violated stands in the failure beside the seed
// that repeats it.
import assert from 'node:assert/strict';
import { describeRun, type Run } from './run.ts';

/** Fails with everything that went wrong, and how to see it again. */
export const assertClean = (run: Run): void => {
  console.log(`      ${describeRun(run)}`);
  const wrong = [...run.violations.map(({ rule, about }) => `${rule}: ${about}`), ...run.troubles];
  assert.equal(wrong.length, 0, `SEED=${run.seed} repeats the schedule of this run\n${wrong.join('\n')}`);
};
