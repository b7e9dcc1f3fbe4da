// The result record: the truth about a finished interaction (specification: Result record).
import { z } from 'zod';
import { type AppId, type Apps, apps } from './apps.ts';
import { timestamp } from './fields.ts';
import { allLenient } from './lenient.ts';

/** How an interaction ends, as the service says it. */
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
      description: 'Why it failed, where that is known: `declined` when the customer said no on their device. Not in the specification.',
      examples: ['declined'],
    }),
  ipAddress: z
    .string()
    .optional()
    .meta({ description: 'From where the customer answered, where that is known.', examples: ['198.51.100.7'] }),
  userAgent: z
    .string()
    .optional()
    .meta({ examples: ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)'] }),
};

/**
 * An app's record. On success its own fields are required: an answer that lacks them is no proof of success.
 * Any other ending may lack them, since nothing was signed, paid or filled in.
 */
const recordOf = <Id extends AppId>(id: Id) => {
  const fields = apps[id].resultFields as Apps[Id]['resultFields'];
  const record = z.object({ ...common, app: z.literal(id) });
  return z
    .discriminatedUnion('status', [
      record.extend({ ...fields, status: z.literal('success') }),
      record.extend({ ...z.object(fields).partial().shape, status: z.enum(['failure', 'timeout']) }),
    ])
    .meta({ id: `Result-${id}` });
};

export const resultRecords = {
  passkeys: recordOf('passkeys'),
  'one-time-passcode': recordOf('one-time-passcode'),
  'document-signature': recordOf('document-signature'),
  payments: recordOf('payments'),
  'e-form': recordOf('e-form'),
} satisfies { [Id in AppId]: z.ZodType };

/** A result record of any app. */
export const resultRecord = z.discriminatedUnion('app', Object.values(resultRecords) as [ResultRecords[AppId], ...ResultRecords[AppId][]]);
type ResultRecords = typeof resultRecords;

/**
 * A record as a client can do with. Which request, of which app, and how it ended: that is the outcome, and without one of these there is none. Everything
 * else is told where it can be read.
 */
const readingOf = <Id extends AppId>(id: Id) =>
  z
    .object({ ...allLenient(common), id: common.id, app: z.literal(id), status: resultStatus })
    .extend(allLenient(apps[id].resultFields as Apps[Id]['resultFields']));

const resultReadings = {
  passkeys: readingOf('passkeys'),
  'one-time-passcode': readingOf('one-time-passcode'),
  'document-signature': readingOf('document-signature'),
  payments: readingOf('payments'),
  'e-form': readingOf('e-form'),
} satisfies { [Id in AppId]: z.ZodType };
type ResultReadings = typeof resultReadings;

/** A result record of any app, as a client can do with it. */
export const resultReading = z.discriminatedUnion(
  'app',
  Object.values(resultReadings) as [ResultReadings[AppId], ...ResultReadings[AppId][]],
);
export type ResultRecord<Id extends AppId = AppId> = z.output<ResultReadings[Id]>;
