// The room's doorway: bringing a person into the chat.

export type { ActResult, AgentAct } from './agent-act.ts';
export { handoff } from './capability.ts';
export type { RunningChat } from './chat/agent-view.ts';
export type { ChatwootHubOptions } from './chatwoot/chatwoot-api.ts';
export { makeChatwootHub } from './chatwoot/chatwoot-hub.ts';
export { type DeskHub, makeDeskHub } from './desk/desk-hub.ts';
export { eventHub } from './event/channel-hubs.ts';
export { omnichannelHub } from './event/omnichannel-hub.ts';
export type { HandoffsEngine } from './handoffs.ts';
export type { Hub } from './hub.ts';
export type { DeskOpenId, HubOptions } from './hub-options.ts';
export type { Agent, HandoffRecord, HubEvent } from './record.ts';
export type { HandoffRules } from './rules.ts';
export { type HandoffStore, makeHandoffStore } from './store/handoff-statements.ts';
export { makeWebhookHub, type WebhookHubOptions } from './webhook/webhook-hub.ts';
