// Error answers: problem+json (RFC 9457) with a stable code (docs/interface.md#errors).
import { z } from 'zod';

export const problemContentType = 'application/problem+json';

/** An error answer. `code` is for programs to branch on; `detail` is for people. */
export const problem = z
  .object({
    type: z
      .string()
      .meta({ description: 'The address of an explanation.', examples: ['https://verify.example.com/docs#code-invalid_request'] }),
    title: z.string().meta({ description: "The status's name.", examples: ['Unprocessable Entity'] }),
    status: z
      .number()
      .int()
      .meta({ examples: [422] }),
    detail: z
      .string()
      .meta({ description: 'A sentence for people.', examples: ['The request breaks the rules of its fields; `errors` tells which.'] }),
    code: z.string().meta({ description: 'For programs. Codes do not change.', examples: ['invalid_request'] }),
    errors: z
      .array(
        z.object({
          path: z.string().meta({ description: 'The field.', examples: ['recipients.0.email'] }),
          message: z.string().meta({ description: 'What is wrong with it.', examples: ['must be an e-mail address'] }),
        }),
      )
      .optional()
      .meta({ description: 'The faults of fields, if any.' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof problem>;
