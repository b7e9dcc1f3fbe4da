// The schemas of an app's result record, made from the app's own fields (docs/interface.md#results).
import { z } from 'zod';
import { timestamp } from './fields.ts';
import { allLenient } from './lenient.ts';

/** How an interaction ended, in the service's words. */
export const resultStatus = z.enum(['success', 'failure', 'timeout']);
export type ResultStatus = z.output<typeof resultStatus>;

const common = {
  accountId: z.string().meta({ examples: ['brightwater'] }),
  customerRef: z.string().meta({ examples: ['cust-0102-mei'] }),
  id: z
    .string()
    .min(1)
    .meta({ description: 'The request.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
  sessionRef: z.string().meta({ examples: ['chat-2026-11-20-0001'] }),
  status: resultStatus,
  timestamp,
  agentId: z
    .string()
    .optional()
    .meta({ description: 'The agent who started the request.', examples: ['agent@example.com'] }),
  phoneNumber: z
    .string()
    .optional()
    .meta({ examples: ['+12025550102'] }),
  reason: z
    .string()
    .optional()
    .meta({
      description: 'Why it failed, if known: `declined` if the customer refused on their device. Not in the specification.',
      examples: ['declined'],
    }),
  ipAddress: z
    .string()
    .optional()
    .meta({ description: 'The IP address from which the customer answered, if known.', examples: ['198.51.100.7'] }),
  userAgent: z
    .string()
    .optional()
    .meta({ examples: ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)'] }),
};

/**
 * An app's record. On success its own fields are required: an answer without them is no proof of success. With any
 * other ending they may be missing, since nothing was signed, paid or filled in.
 */
export const recordOf = <const Id extends string, Fields extends z.ZodRawShape>(id: Id, fields: Fields) => {
  const record = z.object({ ...common, app: z.literal(id) });
  return z
    .discriminatedUnion('status', [
      record.extend({ ...fields, status: z.literal('success') }),
      record.extend({ ...z.object(fields).partial().shape, status: z.enum(['failure', 'timeout']) }),
    ])
    .meta({ id: `Result-${id}` });
};

/**
 * A record as a client reads it. Without the request, the app and the status there is no outcome. Everything else is
 * used where it is readable.
 */
export const readingOf = <const Id extends string, Fields extends z.ZodRawShape>(id: Id, fields: Fields) =>
  z.object({ ...allLenient(common), id: common.id, app: z.literal(id), status: resultStatus }).extend(allLenient(fields));
