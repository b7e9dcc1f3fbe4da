// A schema's issues in words for people: where, and what is wrong.
import type { z } from 'zod';
import type { FieldError } from '../http/http-problem.ts';

/** Issues by path (`variables.amount`, `recipients.0.email`); each unknown field under its own name. */
export const describeIssues = (error: z.ZodError): FieldError[] =>
  error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not known here' }));
    }
    return [{ path: issue.path.join('.'), message: issue.message }];
  });

/** Plain words for a missing or mistyped value, instead of a schema's types. */
export const plainly: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type') return undefined;
  return issue.input === undefined ? 'is required' : `must be ${nouns[issue.expected] ?? issue.expected}`;
};

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};
