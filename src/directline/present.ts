// Activities as clients see them: in their place, and with addresses that open the files in them for a while.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isLoopbackHost } from '../platform/loopback.ts';
import type { PlacedActivity, StoredActivity } from '../storage/chats.ts';
import { fileUrlPrefix, type Outgoing } from './activity.ts';
import { isPicture } from './files.ts';
import { placed } from './pump.ts';
import type { Tokens } from './tokens.ts';

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
