// Do the chats of the bot's own web chat reach a hub?
import { type Finding, ok, warning } from '../../platform/finding.ts';
import type { Settings } from '../settings.ts';

/** For a bot with the hub `event`, whose agents are in a channel and not in the bot's own web chat. */
export const checkHandoff = ({ HANDOFF }: Pick<Settings, 'HANDOFF'>): Finding => {
  const others = HANDOFF.filter((name) => name !== 'event');
  return others.length > 0
    ? ok(`the hub event gets the chats of its channel; those of the bot’s own web chat go to ${others.join(' or ')}.`)
    : warning('the hub event gets no chats of the bot’s own web chat: nobody can join them. Name another hub in HANDOFF beside it.');
};
