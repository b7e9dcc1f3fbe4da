// The room's doorway: bringing a person into the chat.

export type { HandoffRecord, HubEventDraft } from '../storage/index.ts';
export { type Acting, type ActResult, type AgentAct, actEndings, actIn, type BeginFlowAct, carryAct, type StartAct } from './acts.ts';
export { type Escalation, type HandoffCase, type Line, shortened } from './case.ts';
export { ChatwootFault, makeChatwootApi } from './chatwoot/chatwoot-api.ts';
export { addChatwootCallback } from './chatwoot/chatwoot-callback.ts';
export { type ChatwootHubOptions, makeChatwootHub } from './chatwoot/chatwoot-hub.ts';
export { chatwootLabels } from './chatwoot/chatwoot-verification.ts';
export { makeHubConnections } from './connections.ts';
export { type DeskHub, makeDeskHub } from './desk-hub.ts';
export { channelHubs, isInChannel } from './event/channel-hubs.ts';
export { eventHandoff, eventHub, type Handoff, handoffStatus, noHandoff } from './event/event-hub.ts';
export { omnichannelHub } from './event/omnichannel-hub.ts';
export { makeHandoffs } from './handoffs.ts';
export type { Hub } from './hub.ts';
export { type HandoffRules, readRules, usualRules } from './rules.ts';
export type { ChatPlace, RunningChat } from './running.ts';
export type { AgentSide, Handoffs, HandoffsEngine, HandoffsOptions } from './sides.ts';
export { transferCall } from './transfer.ts';
export { addHandoffRoutes } from './webhook/routes.ts';
export { makeWebhookHub, type WebhookHubOptions } from './webhook/webhook-hub.ts';
