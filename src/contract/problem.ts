// Error answers: problem+json (RFC 9457) with a stable code (decisions: Errors).
import { z } from 'zod';

export const problemContentType = 'application/problem+json';

/** An error answer. `code` is what programs branch on; `detail` is for people. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.output<typeof problem>;
