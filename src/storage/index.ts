// The doorway of the bot's durable state.

export { type BotStateStore, type Delivery, type RunningState, StateConflict, type StateItem } from './chats/bot-state.ts';
export type { Chat, ChatBounds, ChatFile, ChatStore, PlacedActivity, StoredActivity, StoredPart } from './chats/chat-store.ts';
export type { TurnLeases } from './chats/turn-leases.ts';
export { unreadableOf } from './interactions/interaction-rows.ts';
export { migrations } from './migrations/index.ts';
export { openStorage, type Storage, type StorageOptions, type StoreMaker } from './open-storage.ts';
export type { Retention } from './retention.ts';
export type { InteractionTable, Schema } from './schema.ts';
