// The form of every refusal in the interface.
import assert from 'node:assert/strict';
import { problem } from '../../src/contract/index.ts';
import type { Reply } from './running-service.ts';

/** Fails unless a reply is the documented problem, naming the given field among its errors. */
export const assertProblem = ({ status, headers, json }: Reply, expected: number, code: string, path?: string) => {
  assert.equal(status, expected, JSON.stringify(json));
  assert.equal(headers['content-type'], 'application/problem+json');
  assert.ok(headers['x-request-id']);
  const parsed = problem.parse(json);
  assert.equal(parsed.code, code);
  assert.equal(parsed.status, expected);
  if (path !== undefined)
    assert.ok(
      parsed.errors?.some((error) => error.path === path),
      `${path} in ${JSON.stringify(parsed.errors)}`,
    );
};
