// The doorway of the bot's durable state.
export { type BotStateStore, type Delivery, type RunningState, StateConflict } from './chats/bot-state.ts';
export type {
  Chat,
  ChatBounds,
  ChatFile,
  ChatStore,
  GatherOptions,
  PlacedActivity,
  StoredActivity,
  StoredPart,
} from './chats/chat-store.ts';
export type { TurnLeases } from './chats/turn-leases.ts';
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
