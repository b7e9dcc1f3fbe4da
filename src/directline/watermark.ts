// How far a client has read. Opaque to clients; inside, either a revision (`17`: everything up to it was seen) or a place in the middle of
// reading (`17.42.30`: changes after 17, on the way to 42, seen up to position 30), so that a long conversation is read in bounded pages.
import type { ChatStore, PlacedActivity } from '../storage/chats.ts';

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
