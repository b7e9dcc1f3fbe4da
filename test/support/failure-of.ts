// The error of a promise that must fail, for a closer look.
import assert from 'node:assert/strict';

type Class<Instance> = abstract new (...args: never[]) => Instance;

/** Waits for a failure of the given class; fails the test when there is none, or another. */
export const failureOf = async <Failure extends Error>(promise: Promise<unknown>, kind: Class<Failure>): Promise<Failure> => {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (fault: unknown) => fault,
  );
  assert.ok(error instanceof kind, `it ended with ${error}`);
  return error;
};
