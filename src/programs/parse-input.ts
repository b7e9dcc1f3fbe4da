// What a program sends, held against what an operation takes.
import type { z } from 'zod';
import { HttpProblem } from '../platform/http-problem.ts';
import { describeIssues, plainly } from '../platform/issues.ts';

/** @throws {HttpProblem} 422 with what is wrong, by path. */
export const parseInput = (schema: z.ZodObject, given: unknown): Record<string, unknown> => {
  const { data, error } = schema.safeParse(given ?? {}, { error: plainly });
  if (error)
    throw new HttpProblem(422, 'invalid_request', 'Something in the request is not as it should be.', { errors: describeIssues(error) });
  return data;
};
