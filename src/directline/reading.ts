// How far a client has read. Opaque to clients; inside, either a revision (`17`: everything up to it was seen) or a place in the middle of
// reading (`17.42.30`: changes after 17, on the way to 42, seen up to position 30), so that a long conversation is read in bounded pages.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isLoopbackHost } from '../platform/loopback.ts';
import type { ChatStore, PlacedActivity, StoredActivity } from '../storage/index.ts';
import { fileUrlPrefix, type Outgoing } from './activity.ts';
import { isPicture } from './files.ts';
import type { Tokens } from './tokens.ts';

export interface Cursor {
  readonly since: number;
  readonly until?: number;
  readonly after: number;
}

const start: Cursor = { since: 0, after: 0 };

/** What is read at once: so many activities, of so many bytes together. */
const pageSize = { limit: 50, bytes: 256 * 1024 };

/** The cursor a watermark stands for (none: the beginning); `undefined` for one that was never handed out. */
export const parseWatermark = (watermark: string | null | undefined): Cursor | undefined => {
  if (watermark === null || watermark === undefined || watermark === '') return start;
  const [, since, until, after] = /^(\d{1,15})(?:\.(\d{1,15})\.(\d{1,15}))?$/.exec(watermark) ?? [];
  if (since === undefined) return undefined;
  return { since: Number(since), after: 0, ...(until !== undefined && { until: Number(until), after: Number(after) }) };
};

export const formatWatermark = ({ since, until, after }: Cursor) => (until === undefined ? `${since}` : `${since}.${until}.${after}`);

/** A page of what changed, where to go on, and whether that was all for now. */
export interface Page {
  readonly activities: readonly PlacedActivity[];
  readonly next: Cursor;
  readonly last: boolean;
}

/** Reads on from the cursor. `undefined`: there is no such chat, or it was ended. */
export const readOn = async (chats: ChatStore, chatId: string, { since, until, after }: Cursor): Promise<Page | undefined> => {
  const page = await chats.page(chatId, { since, after, ...pageSize });
  if (!page) return undefined;
  const { activities, watermark, more } = page;
  // What changes while the pages are read has a revision above the one they started under, so the next round finds it.
  const goal = until ?? watermark;
  const bottom = activities.at(-1);
  return more && bottom
    ? { activities, next: { since, until: goal, after: bottom.position }, last: false }
    : { activities, next: { since: goal, after: 0 }, last: true };
};

/** A frame of the stream. */
export interface ActivitySet {
  readonly activities: readonly Outgoing[];
  readonly watermark: string;
}

export interface PumpOptions {
  readonly from: Cursor;
  /** Reads on; `undefined` when the conversation is gone. */
  readonly read: (cursor: Cursor) => Promise<Page | undefined>;
  /** A page's activities as the client gets them. */
  readonly show: (page: Page) => Promise<readonly Outgoing[]>;
  /** Resolves once the client has taken the frame; rejects when it will not. */
  readonly send: (set: ActivitySet) => Promise<void>;
}

/** What a pump does with word of a change. */
export interface Pump {
  /** Sends everything there is. Called while it is at that, it looks once more at the end. */
  run(): Promise<'gone' | 'drained'>;
  /** Shows an activity that is not kept, after what is. A newer one takes the place of one that still waits. */
  pass(activity: Outgoing): void;
}

export const makePump = ({ from, read, show, send }: PumpOptions): Pump => {
  let cursor = from;
  let passing: Outgoing | undefined;
  let again = false;
  let current: Promise<'gone' | 'drained'> | undefined;

  const drain = async (): Promise<'gone' | 'drained'> => {
    try {
      do {
        again = false;
        const page = await read(cursor);
        if (!page) return 'gone';
        cursor = page.next;
        if (page.activities.length > 0) await send({ activities: await show(page), watermark: formatWatermark(cursor) });
        again ||= !page.last;
        if (!again && passing) {
          const activity = placedLast(passing, cursor);
          passing = undefined;
          await send({ activities: [activity], watermark: formatWatermark(cursor) });
        }
      } while (again || passing);
      return 'drained';
    } finally {
      // In the same step as the last look at `again`: whoever calls from here on starts anew instead of joining a round that is over.
      current = undefined;
    }
  };

  return {
    run: () => {
      again = true;
      current ??= drain();
      return current;
    },
    pass: (activity) => {
      passing = activity;
    },
  };
};

/** Below everything so far and above whatever comes: positions are whole numbers, none above the watermark. */
const placedLast = (activity: Outgoing, { since }: Cursor): Outgoing => placed(activity, since + 0.5);

/**
 * Web Chat keeps its transcript in the order of this number, and takes an activity it has seen out of its place when it comes again: with the
 * position here, an update lands where the earlier one stood (botframework-webchat-core, createActivitiesReducer).
 */
const placed = (activity: Outgoing, position: number): Outgoing => ({
  ...activity,
  channelData: { ...(activity.channelData as object | undefined), 'webchat:sequence-id': position },
});

export interface Presenter {
  (conversationId: string, origin: string, activities: readonly PlacedActivity[]): Promise<readonly Outgoing[]>;
  /** An activity whose uploaded files have addresses that open for a while. */
  link<Kept extends StoredActivity>(conversationId: string, origin: string, activity: Kept): Promise<Kept>;
  /** The address under which the client of this request reaches us, `https://chat.example.com`. */
  origin(request: IncomingMessage): string;
}

export interface PresenterOptions {
  readonly tokens: Tokens;
  /** Where the public finds us, when that is not where we listen. */
  readonly publicUrl: string | undefined;
}

const withFiles = z.array(z.looseObject({ contentType: z.string().optional(), contentUrl: z.string().optional() }));

export const makePresenter = ({ tokens, publicUrl }: PresenterOptions): Presenter => {
  const link = async <Kept extends StoredActivity>(conversationId: string, origin: string, activity: Kept): Promise<Kept> => {
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
          // Web Chat shows a customer's own picture only by its thumbnail, and names any other file.
          return { ...attachment, contentUrl, ...(isPicture(attachment.contentType) && { thumbnailUrl: contentUrl }) };
        }),
      ),
    };
  };

  const present = (conversationId: string, origin: string, activities: readonly PlacedActivity[]) =>
    Promise.all(activities.map(({ activity, position }) => link(conversationId, origin, placed(activity as Outgoing, position))));

  // The host a browser asked for is the one its page may connect to. Behind a proxy only the public address is sure to be right.
  const origin = ({ headers }: IncomingMessage) => {
    const asked = URL.parse(`http://${headers.host ?? 'localhost'}`) ?? new URL('http://localhost');
    if (publicUrl === undefined) return asked.origin;
    const own = new URL(publicUrl);
    return isLoopbackHost(own.host) && isLoopbackHost(asked.host) ? asked.origin : own.origin;
  };

  return Object.assign(present, { link, origin });
};
