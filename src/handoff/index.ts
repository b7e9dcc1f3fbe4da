// The room's doorway: bringing a person into the chat.

export { type HandoffsOfBot, handoff } from './capability.ts';
export { type ChatwootHubOptions, makeChatwootHub } from './chatwoot/chatwoot-hub.ts';
export { makeHubConnections } from './connections.ts';
export { type DeskHub, makeDeskHub } from './desk-hub.ts';
export { eventHub } from './event/event-hub.ts';
export { omnichannelHub } from './event/omnichannel-hub.ts';
export { makeHandoffs } from './handoffs.ts';
export type { Hub } from './hub.ts';
export type { ChatwootAccess, DeskAccess, DeskOpenId, HubOptions } from './hub-options.ts';
export { type HandoffRules, readRules, usualRules } from './rules.ts';
export type { AgentSide, HandoffsEngine, HandoffsOptions } from './sides.ts';
export { makeHandoffStore } from './store/handoff-statements.ts';
export type { HandoffStore, HubEvent, PendingHubEvent } from './store/handoff-store.ts';
export { makeWebhookHub, type WebhookHubOptions } from './webhook/webhook-hub.ts';
