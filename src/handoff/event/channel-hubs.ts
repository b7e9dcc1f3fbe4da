// The hubs behind the channel, by their names in settings. They need no settings of their own.
import { initiateHandoff } from '../../../dialogs/index.ts';
import type { Hub } from '../hub.ts';
import { omnichannelHub } from './omnichannel-hub.ts';

/**
 * For a bot behind an engagement hub that speaks Bot Framework's handoff protocol (learn.microsoft.com, "Transition
 * conversations from bot to human").
 */
export const eventHub: Hub = { name: 'event', audience: 'urn:countersign:handoff:event', inChannel: true, initiate: initiateHandoff };

export const channelHubs = {
  event: eventHub,
  omnichannel: omnichannelHub,
} as const satisfies Readonly<Record<string, Hub>>;

/** Whether a hub's agents are in a channel, and not in the bot's own web chat. */
export const isInChannel = (name: string): name is keyof typeof channelHubs => Object.hasOwn(channelHubs, name);
