// The hubs behind the channel, by their names in settings. They need no settings of their own.

import type { Hub } from '../hub.ts';
import { eventHub } from './event-hub.ts';
import { omnichannelHub } from './omnichannel-hub.ts';

export const channelHubs = {
  event: eventHub,
  omnichannel: omnichannelHub,
} as const satisfies Readonly<Record<string, Hub>>;

/** Whether a hub's agents are in a channel, and not in the bot's own web chat. */
export const isInChannel = (name: string): name is keyof typeof channelHubs => Object.hasOwn(channelHubs, name);
