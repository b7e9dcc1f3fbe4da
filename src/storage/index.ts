// The room's doorway: the bot's durable state.
export { type BotStateStore, type Delivery, type RunningState, StateConflict } from './chats/bot-state.ts';
export type { Chat, PlacedActivity, StoredActivity, StoredPart } from './chats/chat-rows.ts';
export type { ChatBounds, ChatFile, ChatStore } from './chats/chats.ts';
export type { TurnLeases } from './chats/turn-leases.ts';
export type { GatherOptions } from './chats/turn-writes.ts';
export type { DeskRole, DeskStore } from './desk.ts';
export type {
  Agent,
  ClaimedHandoff,
  HandoffEnding,
  HandoffRecord,
  HandoffStore,
  HubEvent,
  HubEventDraft,
  PendingHubEvent,
} from './handoff-store.ts';
export { unreadableOf } from './interactions/interaction-rows.ts';
export { migrations } from './migrations/index.ts';
export { openStorage, type Storage, type StorageOptions } from './open-storage.ts';
export type { OutcomeDelivery, OutcomeHooks } from './outcome-hooks.ts';
export { readFlowVersions } from './read-flow-versions.ts';
export type { Retention } from './retention.ts';
export type { InteractionTable, Schema } from './schema.ts';
