// What a turn says, by name: a turn that is taken again says it again under the same names, and our own Direct Line shows each name once.
import { createHash } from 'node:crypto';
import type { Activity, TurnContext } from 'botbuilder';
import { ownServiceUrl } from './connector.ts';

interface Named {
  deliveryKey?: string;
}

/**
 * Names everything that the turn sends, by what caused the turn (`cause`: a message of the customer, or an interaction whose news it brings), by what
 * is said, and by how often it has said so. What already has a name of its own (`channelData.deliveryKey`) keeps it: it is the same whoever
 * says it. Other channels know no names, so there they are taken off.
 */
export const addDeliveryKeys = (context: TurnContext, cause: string | undefined): void => {
  const own = context.activity.serviceUrl === ownServiceUrl;
  const said = new Map<string, number>();
  const nameOf = ({ text, speak = '', attachments = [], channelData }: Partial<Activity>): string | undefined => {
    const given = (channelData as Named | undefined)?.deliveryKey;
    if (given !== undefined || cause === undefined) return given;
    // Cards are not looked at: their buttons have new ids each time, and what is spoken says what they say.
    const words = createHash('sha256')
      .update(JSON.stringify([text ?? speak, attachments.length]))
      .digest('base64url')
      .slice(0, 16);
    const count = (said.get(words) ?? 0) + 1;
    said.set(words, count);
    return `${cause}:${words}:${count}`;
  };
  context.onSendActivities(async (_context, activities, next) => {
    for (const activity of activities) {
      const { deliveryKey: _, ...rest } = (activity.channelData ?? {}) as Named;
      const name = own && activity.type !== 'typing' ? nameOf(activity) : undefined;
      if (name !== undefined) activity.channelData = { ...rest, deliveryKey: name };
      else if (activity.channelData) activity.channelData = rest;
    }
    return next();
  });
};
