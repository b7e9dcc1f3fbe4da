// The shape an inbound activity must have (github.com/microsoft/botframework-sdk, "Bot Framework Activity schema"), as far as anything here reads it.
import { z } from 'zod';

/** Types a channel may send. `trace`, `invokeResponse` and the SDK's own `delay` only ever travel the other way. */
const types = [
  'command',
  'commandResult',
  'contactRelationUpdate',
  'conversationUpdate',
  'deleteUserData',
  'endOfConversation',
  'event',
  'handoff',
  'installationUpdate',
  'invoke',
  'message',
  'messageDelete',
  'messageReaction',
  'messageUpdate',
  'suggestion',
  'typing',
] as const;

/** A field that may be missing, and may come as `null`, which then counts as missing. */
const may = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);

/** Names of things: they become keys and parts of addresses, so they hold no control characters and no broken Unicode. */
const id = (longest: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(longest, `must have ${longest} characters at most`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    .refine((value) => value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value), 'must hold no control characters');

const short = z.string().max(1000, 'must have 1000 characters at most');
const long = z.string().max(20_000, 'must have 20000 characters at most');
const list = <Item extends z.ZodType>(item: Item, most: number) => may(z.array(item).max(most, `must have ${most} items at most`));

const account = z.looseObject({
  id: id(500),
  name: may(short),
  aadObjectId: may(short),
  role: may(short),
});

/** The time as channels write it: ISO 8601, with up to seven digits of a second. */
const time = may(
  z
    .string()
    .max(64, 'must be a date and time')
    .refine((value) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)), 'must be a date and time'),
);

/** Empty counts as missing: some channels send it so. */
const locale = z
  .string()
  .regex(/^$|^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,5}$/, 'must be a language tag')
  .nullish()
  .transform((value) => value || undefined);

/** `serviceUrl` is any text here; whether it is one to answer to is decided beside the schema. Fields nobody reads pass through as they are. */
export const activitySchema = z
  .looseObject({
    type: z.enum(types),
    id: may(id(1000)),
    replyToId: may(id(1000)),
    channelId: z.string().regex(/^[a-z0-9-]{1,32}$/i, 'must be 1 to 32 letters, digits or hyphens'),
    serviceUrl: z.string(),
    conversation: z.looseObject({
      id: id(500),
      name: may(short),
      conversationType: may(short),
      tenantId: may(short),
      isGroup: may(z.boolean()),
    }),
    from: account,
    recipient: account,
    text: may(long),
    speak: may(long),
    summary: may(long),
    name: may(short),
    action: may(short),
    code: may(short),
    deliveryMode: may(short),
    importance: may(short),
    inputHint: may(short),
    label: may(short),
    textFormat: may(short),
    topicName: may(short),
    valueType: may(short),
    localTimezone: may(short),
    locale,
    timestamp: time,
    localTimestamp: time,
    expiration: time,
    attachments: list(z.looseObject({ contentType: z.string().max(200), contentUrl: may(z.string().max(100_000)), name: may(short) }), 50),
    entities: list(z.looseObject({ type: short }), 250),
    membersAdded: list(account, 1000),
    membersRemoved: list(account, 1000),
    reactionsAdded: list(z.looseObject({ type: short }), 100),
    reactionsRemoved: list(z.looseObject({ type: short }), 100),
    suggestedActions: may(z.looseObject({})),
    relatesTo: may(z.looseObject({})),
    semanticAction: may(z.looseObject({})),
  })
  .superRefine(({ type, name }, context) => {
    // What an event or an invoke is about is its name alone.
    if ((type === 'event' || type === 'invoke') && !name) {
      context.addIssue({ code: 'custom', path: ['name'], message: `must be there in an activity of type ${type}` });
    }
  });
