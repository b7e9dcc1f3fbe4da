// The doctor's lines about hubs.
import { type Finding, ok, warning } from '../platform/process/finding.ts';
import { checkChatwoot } from './chatwoot/check-chatwoot.ts';
import { isInChannel } from './event/channel-hubs.ts';
import { type HubSettings, hubNamesOf } from './hubs.ts';

export const checkHandoff = async (settings: HubSettings, patience: number): Promise<readonly (readonly [check: string, Finding])[]> => {
  const names = hubNamesOf(settings);
  const inChannel = names.find(isInChannel);
  return [
    ...(inChannel === undefined ? [] : [['handoff', inOwnChat(inChannel, names)] as const]),
    ...(names.includes('chatwoot') ? [['chatwoot', await checkChatwoot(settings, patience)] as const] : []),
  ];
};

/** Do the chats of the bot's own web chat reach a hub? */
const inOwnChat = (hub: string, names: readonly string[]): Finding => {
  const others = names.filter((name) => !isInChannel(name));
  return others.length > 0
    ? ok(`the hub ${hub} gets the chats of its channel; those of the bot’s own web chat go to ${others.join(' or ')}.`)
    : warning(`the hub ${hub} gets no chats of the bot’s own web chat: nobody can join them. Name another hub in HANDOFF beside it.`);
};
