// The check that every inbound activity passes before the Bot Framework sees it.
import { z } from 'zod';
import { holdsPrototype } from '../platform/http/bounded-json.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { languageTag } from '../platform/text/accept-language.ts';
import type { Activity } from './sdk.ts';

/** An activity: 256 KB, 32 levels (docs/security.md#resources-are-exhausted). */
export const activityLimits = { size: 256 * 1024, depth: 32 } as const;

const maxErrors = 20;

/**
 * The body as an activity that is safe for the adapter, the turn context and the dialogs: the fields that they use
 * exist and have the right types, times are dates (with the originals beside them, as `rawTimestamp` and so on, as the
 * adapter's own `process` does), and the service URL is one that we answer to. Other fields pass through. `callerId` is
 * dropped: only authentication may set it.
 * @throws {HttpProblem} 400 with the fields that are wrong.
 */
export const readActivity = (body: unknown, answersTo: ServiceUrlCheck): Activity => {
  if (holdsPrototype(body)) throw malformed([{ path: '__proto__', message: 'must not be there' }]);
  const reading = activitySchema.safeParse(body);
  if (!reading.success) {
    throw malformed(reading.error.issues.slice(0, maxErrors).map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  const { callerId, ...activity } = reading.data;
  if (!answersTo(activity.serviceUrl)) throw malformed([{ path: 'serviceUrl', message: 'is not an address that is answered to' }]);
  const { timestamp, localTimestamp, expiration } = activity;
  return {
    ...activity,
    ...(timestamp !== undefined && { timestamp: new Date(timestamp), rawTimestamp: timestamp }),
    ...(localTimestamp !== undefined && { localTimestamp: new Date(localTimestamp), rawLocalTimestamp: localTimestamp }),
    ...(expiration !== undefined && { expiration: new Date(expiration), rawExpiration: expiration }),
    // The SDK's type requires fields that no channel sends (`label`, `listenFor`, …).
  } as unknown as Activity;
};

const malformed = (errors: { path: string; message: string }[]) =>
  new HttpProblem(400, 'invalid_activity', 'The body is not an activity that can be taken.', { errors });

/** Types that a channel may send. `trace`, `invokeResponse` and the SDK's own `delay` only ever go the other way. */
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

type Fields = Readonly<Record<string, z.ZodType>>;
type Nullish<Optional extends Fields> = { [Name in keyof Optional]: z.ZodOptional<z.ZodNullable<Optional[Name]>> };
type Present<Read> = { [Name in keyof Read]: Exclude<Read[Name], null> };

/**
 * An object with these fields, of which some are optional; other fields pass through. `null` counts as missing: it is
 * taken out at the end, since a transformation of each field costs more than the rest of the check.
 */
const object = <Needed extends Fields, Optional extends Fields>(needed: Needed, optional: Optional) => {
  const names = Object.keys(optional);
  const nullish = Object.fromEntries(names.map((name) => [name, optional[name]?.nullish()])) as Nullish<Optional>;
  return z.looseObject({ ...needed, ...nullish }).transform((read) => {
    const fields: Record<string, unknown> = read;
    for (const name of names) if (fields[name] === null) delete fields[name];
    return read as Present<typeof read>;
  });
};

/** Identifiers: they become keys and parts of addresses, so control characters and broken Unicode are refused. */
const id = (longest: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(longest, `must have ${longest} characters at most`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    .refine((value) => value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value), 'must hold no control characters');

const short = z.string().max(1000, 'must have 1000 characters at most');
/** Bounded only by the body: whether it is too long to read is said in the chat. */
const text = z.string();
const list = <Item extends z.ZodType>(item: Item, max: number) => z.array(item).max(max, `must have ${max} items at most`);

const account = object({ id: id(500) }, { name: short, aadObjectId: short, role: short });

/**
 * Times as channels write them: ISO 8601, with up to seven digits of a second. Like the language, one that cannot be
 * read is left out: nobody's message is refused for it.
 */
const time = z
  .string()
  .max(64)
  .refine((value) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)))
  .optional()
  .catch(undefined);

/** A channel; the Agents SDK writes a part of it behind a colon (`msteams:COPILOT`). */
const channel = z
  .string()
  .regex(/^[a-z0-9-]{1,32}(?::[a-z0-9-]{1,32})?$/i, 'must be 1 to 32 letters, digits or hyphens')
  .transform((given) => given.replace(/:.*/, ''));

/** `serviceUrl` is any text here; whether the bot answers to it is decided elsewhere. Unused fields pass through. */
const activitySchema = object(
  {
    type: z.enum(types),
    channelId: channel,
    serviceUrl: z.string(),
    conversation: object({ id: id(500) }, { name: short, conversationType: short, tenantId: short, isGroup: z.boolean() }),
    from: account,
    recipient: account,
  },
  {
    id: id(1000),
    replyToId: id(1000),
    text,
    speak: text,
    summary: text,
    name: short,
    action: short,
    code: short,
    deliveryMode: short,
    importance: short,
    inputHint: short,
    label: short,
    textFormat: short,
    topicName: short,
    valueType: short,
    localTimezone: short.optional().catch(undefined),
    locale: languageTag,
    timestamp: time,
    localTimestamp: time,
    expiration: time,
    attachments: list(object({ contentType: z.string().max(200) }, { contentUrl: z.string().max(100_000), name: short }), 50),
    entities: list(z.looseObject({ type: short }), 250),
    membersAdded: list(account, 1000),
    membersRemoved: list(account, 1000),
    reactionsAdded: list(z.looseObject({ type: short }), 100),
    reactionsRemoved: list(z.looseObject({ type: short }), 100),
    suggestedActions: z.looseObject({}),
    relatesTo: z.looseObject({}),
    semanticAction: z.looseObject({}),
  },
).superRefine(({ type, name }, context) => {
  // An event or an invoke is identified by its name alone.
  if ((type === 'event' || type === 'invoke') && !name) {
    context.addIssue({ code: 'custom', path: ['name'], message: `must be there in an activity of type ${type}` });
  }
});

// The service URLs that the bot may send to. Pure: only the text is checked, before any name is resolved.

/**
 * Hosts of the Bot Framework's public cloud: the channels' connectors, and Teams (worldwide and GCC, which shares the
 * public cloud's authentication). Sources: learn.microsoft.com, "Bot Framework security FAQ" (`*.botframework.com`) and
 * "Send proactive messages" (Teams). `*.trafficmanager.net` is left out on purpose: anyone can register a name there,
 * and would receive our access token.
 */
const channelHosts: readonly string[] = ['smba.trafficmanager.net', 'smba.infra.gcc.teams.microsoft.com', '*.botframework.com'];

/** Whether activities may be sent to this service URL. */
export type ServiceUrlCheck = (serviceUrl: string) => boolean;

const longest = 500;
// A pattern rather than a parser: a URL parser repairs its input (`https:\\host`, `2130706433`, tabs, `%2e`), and input
// in need of repair is hostile here.
const path = "(?:/[A-Za-z0-9._~!$&'()*+,;=:@-]*)*";
const onTheNet = new RegExp(String.raw`^https://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?::443)?${path}$`, 'i');
const onLoopback = new RegExp(String.raw`^http://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?${path}$`, 'i');
const dotSegment = /\/\.{1,2}(?:\/|$)/;

/**
 * A check against a list of hosts: `name` is that host, `*.name` any host below it. Only https on port 443 by name
 * passes: no address literals, user information, query, fragment, percent-encoding or dot segments.
 */
export const onHosts = (hosts: readonly string[] = channelHosts): ServiceUrlCheck => {
  const exact = new Set(hosts.filter((host) => !host.startsWith('*.')).map((host) => host.toLowerCase()));
  const below = hosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1).toLowerCase());
  return (serviceUrl) => {
    if (serviceUrl.length > longest || dotSegment.test(serviceUrl)) return false;
    const host = onTheNet.exec(serviceUrl)?.[1]?.toLowerCase();
    return host !== undefined && (exact.has(host) || below.some((suffix) => host.endsWith(suffix)));
  };
};

/** The check for a bot without an app id: plain http on this machine, under its three usual names, and nothing else. */
export const onLoopbackOnly: ServiceUrlCheck = (serviceUrl) =>
  serviceUrl.length <= longest && !dotSegment.test(serviceUrl) && onLoopback.test(serviceUrl) && URL.canParse(serviceUrl);
