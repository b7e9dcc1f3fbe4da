// The hub behind the channel: Bot Framework's handoff events (learn.microsoft.com, "Transition conversations from bot
// to human").
import { initiateHandoff } from '../../escalation/index.ts';
import type { Hub } from '../hub.ts';

/** For a bot behind an engagement hub that speaks Bot Framework's handoff protocol. */
export const eventHub: Hub = { name: 'event', audience: 'urn:countersign:handoff:event', inChannel: true, initiate: initiateHandoff };
