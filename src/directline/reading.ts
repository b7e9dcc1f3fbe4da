// Reading a conversation from a watermark, in bounded pages. A watermark is opaque to clients: either a revision (`17`:
// everything up to it was seen), or a place in the middle of reading (`17.42.30`: changes after 17, on the way to 42,
// seen up to position 30).
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isLoopbackHost } from '../platform/outgoing/loopback.ts';
import type { ChatStore, PlacedActivity, StoredActivity, StoredPart } from '../storage/index.ts';
import { fileUrlPrefix, type Outgoing } from './activity.ts';
import { isPicture } from './files.ts';
import type { Change } from './signals.ts';
import type { Tokens } from './tokens.ts';

export type Cursor = { readonly since: number; readonly until?: number; readonly after: number };

const start: Cursor = { since: 0, after: 0 };

/** The size of a page: activities, and their bytes in all. */
const pageSize = { limit: 50, bytes: 256 * 1024 };

/** The cursor that a watermark encodes (none: the beginning); `undefined` for one that was never issued. */
export const parseWatermark = (watermark: string | null | undefined): Cursor | undefined => {
  if (watermark === null || watermark === undefined || watermark === '') return start;
  const [, since, until, after] = /^(\d{1,15})(?:\.(\d{1,15})\.(\d{1,15}))?$/.exec(watermark) ?? [];
  if (since === undefined) return undefined;
  return { since: Number(since), after: 0, ...(until !== undefined && { until: Number(until), after: Number(after) }) };
};

export const formatWatermark = ({ since, until, after }: Cursor) => (until === undefined ? `${since}` : `${since}.${until}.${after}`);

/** A page of changes, the cursor after it, and whether more can be read now. */
export type Page = { readonly activities: readonly PlacedActivity[]; readonly next: Cursor; readonly last: boolean };

/** Continues reading from the cursor. `undefined`: the chat does not exist, or was ended. */
export const readOn = async (chats: ChatStore, chatId: string, { since, until, after }: Cursor): Promise<Page | undefined> => {
  const page = await chats.page(chatId, { since, after, ...pageSize });
  if (!page) return undefined;
  const { activities, watermark, more } = page;
  // Changes made while pages are read have a revision above the one that reading began at, so the next pass finds them.
  const goal = until ?? watermark;
  const bottom = activities.at(-1);
  return more && bottom
    ? { activities, next: { since, until: goal, after: bottom.position }, last: false }
    : { activities, next: { since: goal, after: 0 }, last: true };
};

/** A frame of the stream. */
export type ActivitySet = { readonly activities: readonly Outgoing[]; readonly watermark: string };

export type Pump = ReturnType<typeof makePump>;

/** The number of parts that wait for a slow client. If there are more, all are read later. */
const maxWaiting = 4;

/**
 * @param read - continues reading; `undefined` if the conversation is gone
 * @param show - a page's activities in the form for the client
 * @param send - sends a frame for each set; resolves once the client has accepted all of them, rejects when it will not
 */
export const makePump = (
  from: Cursor,
  read: (cursor: Cursor) => Promise<Page | undefined>,
  show: (page: Page) => Promise<readonly Outgoing[]>,
  send: (sets: readonly ActivitySet[]) => Promise<void>,
) => {
  let cursor = from;
  let passing: Outgoing | undefined;
  let parts: StoredPart[] = [];
  let again = false;
  let current: Promise<'gone' | 'drained'> | undefined;

  const hear = ({ passing: shown, stored }: Change) => {
    if (shown) passing = shown;
    else if (stored && parts.length < maxWaiting) parts.push(stored);
    else again = true;
  };

  const next = async (): Promise<Page | undefined> => {
    const [part] = parts;
    if (!again && part?.since === cursor.since) {
      parts.shift();
      return { activities: part.activities, next: { since: part.watermark, after: 0 }, last: true };
    }
    if (!again && !part) return { activities: [], next: cursor, last: true };
    // The read includes everything stored until now.
    [again, parts] = [false, []];
    return read(cursor);
  };

  /**
   * Sends each activity in a separate frame. Microsoft's client passes on those of one frame in separate tasks, so
   * that the last of a frame may come after its own update in the next (botframework-directlinejs,
   * observableFromActivityGroup).
   */
  const sendEach = async (page: Page, { since }: Cursor) => {
    const until = page.next.until ?? page.next.since;
    const shown = await show(page);
    const reached = ({ position }: PlacedActivity, index: number) =>
      index + 1 === shown.length ? page.next : { since, until, after: position };
    await send(
      page.activities.map((one, index) => ({
        activities: shown.slice(index, index + 1),
        watermark: formatWatermark(reached(one, index)),
      })),
    );
  };

  const drain = async (): Promise<'gone' | 'drained'> => {
    try {
      do {
        const [page, before] = [await next(), cursor];
        if (!page) return 'gone';
        cursor = page.next;
        if (page.activities.length > 0) await sendEach(page, before);
        again ||= !page.last;
        if (!again && parts.length === 0 && passing) {
          const activity = placedLast(passing, cursor);
          passing = undefined;
          await send([{ activities: [activity], watermark: formatWatermark(cursor) }]);
        }
      } while (again || parts.length > 0 || passing);
      return 'drained';
    } finally {
      // In the same step as the last look at what there is: callers from here on start a new pass instead of joining a
      // finished one.
      current = undefined;
    }
  };

  return {
    /**
     * Sends everything there is. If called while sending, it looks once more at the end. What was stored just now is
     * sent without being read, if nothing else follows what was sent. Transient activities follow stored ones; a newer
     * one replaces one that is still waiting.
     */
    run: (change: Change = {}) => {
      hear(change);
      current ??= drain();
      return current;
    },
    /** Resolves when it is not sending. */
    idle: async () => current,
  };
};

/** Below every earlier position and above every later one: positions are whole numbers, none above the watermark. */
const placedLast = (activity: Outgoing, { since }: Cursor): Outgoing => placed(activity, since + 0.5);

/**
 * Web Chat keeps its transcript in the order of this number, and moves an activity that comes again: with the position
 * here, an update stays in its place (botframework-webchat-core, createActivitiesReducer).
 */
const placed = (activity: Outgoing, position: number): Outgoing => ({
  ...activity,
  channelData: { ...(activity.channelData as object | undefined), 'webchat:sequence-id': position },
});

const withFiles = z.array(z.looseObject({ contentType: z.string().optional(), contentUrl: z.string().optional() }));

/** An activity whose uploaded files have temporary addresses. */
export const linkFiles = async <Kept extends StoredActivity>(
  tokens: Tokens,
  conversationId: string,
  origin: string,
  activity: Kept,
): Promise<Kept> => {
  const attachments = withFiles.safeParse(activity.attachments).data;
  if (!attachments?.some(({ contentUrl }) => contentUrl?.startsWith(fileUrlPrefix))) return activity;
  return {
    ...activity,
    attachments: await Promise.all(
      attachments.map(async (attachment) => {
        if (!attachment.contentUrl?.startsWith(fileUrlPrefix)) return attachment;
        const fileId = attachment.contentUrl.slice(fileUrlPrefix.length);
        const token = await tokens.file(conversationId, fileId);
        const contentUrl = `${origin}/v3/directline/conversations/${conversationId}/files/${fileId}?t=${token}`;
        // Web Chat shows a customer's own picture only by its thumbnail, and any other file by its name.
        return { ...attachment, contentUrl, ...(isPicture(attachment.contentType) && { thumbnailUrl: contentUrl }) };
      }),
    ),
  };
};

/** Activities in the form for the client. */
export const present = (tokens: Tokens, conversationId: string, origin: string, activities: readonly PlacedActivity[]) =>
  Promise.all(
    activities.map(({ activity, position }) => linkFiles(tokens, conversationId, origin, placed(activity as Outgoing, position))),
  );

/**
 * The address by which this request's client reaches us, `https://chat.example.com`. A page may connect to the host that
 * its browser asked for; behind a proxy only the public address is certain.
 */
export const originForClient = ({ headers }: IncomingMessage, publicUrl: string | undefined): string => {
  const asked = URL.parse(`http://${headers.host ?? 'localhost'}`) ?? new URL('http://localhost');
  if (publicUrl === undefined) return asked.origin;
  const own = new URL(publicUrl);
  return isLoopbackHost(own.host) && isLoopbackHost(asked.host) ? asked.origin : own.origin;
};
