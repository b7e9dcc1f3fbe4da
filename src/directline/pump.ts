// Carries one conversation into one socket: in order, from where the client left off, never faster than the client reads.
import type { Outgoing } from './activity.ts';
import { type Cursor, formatWatermark, type Page } from './watermark.ts';

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
export const placed = (activity: Outgoing, position: number): Outgoing => ({
  ...activity,
  channelData: { ...(activity.channelData as object | undefined), 'webchat:sequence-id': position },
});
