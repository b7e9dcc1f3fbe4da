// Activities at the edge: what a customer's may contain, and the form of both sides' after we have added what only we
// may say.
import { z } from 'zod';
import { callChannel } from '../platform/channels.ts';
import { holdsPrototype } from '../platform/http/bounded-json.ts';
import { languageTag } from '../platform/text/accept-language.ts';
import { cardMask, withoutCardNumbers } from '../platform/text/card-number.ts';
import type { StoredActivity } from '../storage/index.ts';
import { DirectLineError } from './rest.ts';

/** An activity on its way to a client. */
export type Outgoing = { readonly id: string; readonly type: string; readonly [field: string]: unknown };

/** An activity from the bot. */
export type BotActivity = { readonly type?: string | undefined; readonly channelData?: unknown; readonly [field: string]: unknown };

/** The bot, as one of the two sides of every conversation here. */
export type Parties = { readonly botId: string; readonly botName: string };

/** Who says something, where and when. */
type Spoken = Parties & { readonly id: string; readonly at: string; readonly userId: string; readonly conversationId: string };

/** The prefix of a call's conversation id; no other conversation has it. */
export const callPrefix = 'call_';

/** The channel of a conversation here. */
export const channelOfConversation = (conversationId: string): string =>
  conversationId.startsWith(callPrefix) ? callChannel : 'directline';

/**
 * A placeholder for the address of an uploaded file in a stored attachment. A signed address is made each time it is
 * shown.
 */
export const fileUrlPrefix = 'urn:countersign:file:';

const attachment = z.object({
  contentType: z.string().min(1).max(200),
  contentUrl: z
    .url({ protocol: /^https$/ })
    .max(100_000)
    .optional(),
  content: z.unknown().optional(),
  name: z.string().max(255).optional(),
});

/** The most characters (as JSON) beside the text: of a message, which may answer a card, and of an event or sign of typing. */
const maxFields = 64 * 1024;
const maxOfEvent = 4 * 1024;

/**
 * The fields that a client may set. Everything else is dropped: a client does not decide who speaks, when, to whom and
 * over which channel. Activities that pass here must pass the bot's own check too, since by then they are part of the
 * conversation.
 */
const incoming = z
  .object({
    type: z.enum(['message', 'event', 'typing']),
    text: z.string().optional(),
    textFormat: z.enum(['plain', 'markdown', 'xml']).optional(),
    locale: languageTag.optional(),
    localTimestamp: z.iso.datetime({ offset: true, local: true }).optional().catch(undefined),
    localTimezone: z.string().max(64).optional().catch(undefined),
    name: z.string().max(200).optional(),
    value: z.unknown().optional(),
    entities: z
      .array(z.looseObject({ type: z.string().max(1000) }))
      .max(20)
      .optional(),
    attachments: z.array(attachment).max(10).optional(),
    channelData: z.looseObject({ clientActivityID: z.string().min(1).max(200).optional() }).optional(),
  })
  .refine(({ type, text: _, attachments: __, ...rest }) => JSON.stringify(rest).length <= (type === 'message' ? maxFields : maxOfEvent), {
    path: ['value'],
  })
  .refine(({ type, name }) => type !== 'event' || (name && !name.trim().toLowerCase().startsWith(handoffEvents)), { path: ['name'] });
export type Incoming = z.output<typeof incoming>;

const unacceptable = (path: string) =>
  new DirectLineError(400, 'BadArgument', `The activity cannot be accepted: ${path} is missing or not as it should be.`);

/** Channel data that only we may set. A client's own is dropped, and ours for internal use is shown to no client. */
const ours = (name: string) => name === 'verified' || name === 'deliveryKey' || name.startsWith('webchat:') || name === 'webChat';
/** The bot's messages to pages and engagement hubs. From a client they would be forgeries. */
const bots = (name: string) => name === 'agent' || name === 'answersSecret' || name === 'interaction' || name === 'notification';
const without = (channelData: object, ...kinds: ((name: string) => boolean)[]) =>
  Object.fromEntries(Object.entries(channelData).filter(([name]) => !kinds.some((is) => is(name))));

/**
 * The events between the bot and an engagement hub (learn.microsoft.com, "Handoff protocol"): from a client they would
 * be forgeries. A page could use them to call an agent in or send one away.
 */
const handoffEvents = 'handoff.';

/**
 * A client's activity, checked. Links of its own are left out: only uploaded files are shown as files, since a link
 * could have any name (decision 0002).
 * @throws {DirectLineError} 400, naming the field.
 */
export const readIncoming = (body: unknown): Incoming => {
  if (holdsPrototype(body)) throw unacceptable('__proto__');
  const { success, data, error } = incoming.safeParse(body);
  if (!success) throw unacceptable(error.issues[0]?.path.join('.') || 'activity');
  const { attachments, channelData, ...activity } = data;
  const unlinked = attachments?.filter(({ contentUrl }) => contentUrl === undefined);
  return {
    ...activity,
    ...(unlinked && { attachments: unlinked }),
    ...(channelData && { channelData: without(channelData, ours, bots) }),
  };
};

/** A client's activity in the form that is stored and echoed. */
export const fromCustomer = (
  activity: Incoming,
  { id, at, userId, conversationId, botId, botName }: Spoken,
): StoredActivity & Outgoing => ({
  ...activity,
  // Customers write plain text. Without this format, a page would render it as markdown, with links and pictures.
  ...(activity.text !== undefined && { textFormat: 'plain' }),
  id,
  timestamp: at,
  channelId: channelOfConversation(conversationId),
  from: { id: userId, role: 'user' },
  recipient: { id: botId, name: botName, role: 'bot' },
  conversation: { id: conversationId },
});

/**
 * An activity that may be stored: no card number reaches a disk. Its client id stays, by which the client recognises
 * its own message.
 */
export const keepable = <Said extends StoredActivity>(activity: Said): Said => {
  const { id, timestamp, from, recipient, conversation, ...said } = activity;
  const blank: { channelData?: unknown } = withoutCardNumbers(said);
  if (blank === said) return activity;
  const clientActivityID = clientActivityIdOf(activity);
  return {
    ...activity,
    ...blank,
    ...(clientActivityID !== undefined && { channelData: { ...(blank.channelData as object), clientActivityID } }),
  };
};
/** Whether anything was removed from an activity before it was stored. */
export const isBlanked = (activity: StoredActivity) => JSON.stringify(activity).includes(cardMask);

/** Data between the bot and Direct Line is not shown. */
const shown = (channelData: object) => Object.fromEntries(Object.entries(channelData).filter(([name]) => name !== 'deliveryKey'));

/** The bot's activity in the form that is stored and shown. */
export const fromBot = (
  { channelData, replyToId: _, ...activity }: BotActivity,
  { id, at, userId, conversationId, botId, botName, replyToId }: Spoken & { readonly replyToId: string | undefined },
): StoredActivity & Outgoing => ({
  ...activity,
  type: activity.type ?? 'message',
  id,
  timestamp: at,
  channelId: channelOfConversation(conversationId),
  serviceUrl: undefined,
  from: { id: botId, name: botName, role: 'bot' },
  recipient: { id: userId, role: 'user' },
  conversation: { id: conversationId },
  replyToId,
  ...(typeof channelData === 'object' && channelData !== null && { channelData: shown(channelData) }),
});

/** The trace of a removed activity. Its client id stays, so that the page that sent it stops waiting for it. */
export const removed = (before: StoredActivity): StoredActivity => {
  const clientActivityID = clientActivityIdOf(before);
  return {
    id: before.id,
    type: removedType,
    timestamp: before.timestamp,
    channelId: before.channelId,
    from: before.from,
    conversation: before.conversation,
    ...(clientActivityID !== undefined && { channelData: { clientActivityID } }),
  };
};
const removedType = 'messageDelete';
export const isRemoved = (activity: StoredActivity) => activity.type === removedType;

const spokenByBot = z.looseObject({ from: z.looseObject({ role: z.literal('bot') }) });
/** Whether the bot said it. */
export const isBots = (activity: StoredActivity) => spokenByBot.safeParse(activity).success;

const text = z.string();
const record = z.record(z.string(), z.unknown());

export const clientActivityIdOf = (activity: { readonly [field: string]: unknown }): string | undefined =>
  text.safeParse(record.safeParse(activity.channelData).data?.clientActivityID).data;

/** The key under which an activity of the bot is shown only once. */
export const deliveryKeyOf = (activity: BotActivity): string | undefined =>
  text.safeParse(record.safeParse(activity.channelData).data?.deliveryKey).data;
