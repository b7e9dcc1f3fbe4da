// Do the chats of the bot's own web chat reach a hub?
import { isInChannel } from '../../../handoff/index.ts';
import { type Finding, ok, warning } from '../../../platform/process/finding.ts';
import type { Settings } from '../../start/settings.ts';

/** For a bot with a hub whose agents are in a channel. */
export const checkHandoff = ({ HANDOFF }: Pick<Settings, 'HANDOFF'>): Finding => {
  const hub = HANDOFF.find(isInChannel);
  const others = HANDOFF.filter((name) => !isInChannel(name));
  return others.length > 0
    ? ok(`the hub ${hub} gets the chats of its channel; those of the bot’s own web chat go to ${others.join(' or ')}.`)
    : warning(`the hub ${hub} gets no chats of the bot’s own web chat: nobody can join them. Name another hub in HANDOFF beside it.`);
};
