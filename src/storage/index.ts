// The doorway of the bot's durable state.

export { type BotStateStore, type Delivery, type RunningState, StateConflict, type StateItem } from './chats/bot-state.ts';
export type { Chat, PlacedActivity, StoredActivity, StoredPart } from './chats/chat-rows.ts';
export type { ChatBounds, ChatFile, ChatStore } from './chats/chats.ts';
export type { TurnLeases } from './chats/turn-leases.ts';
export type { GatherOptions } from './chats/turn-writes.ts';
export { coreTables } from './core-tables.ts';
export { unreadableOf } from './interactions/interaction-rows.ts';
export { newest } from './migrations/index.ts';
export { openStorage, type Storage, type StorageOptions, type StoreMaker } from './open-storage.ts';
export { migrationsOf, type OwnedTables } from './owned-tables.ts';
export type { InteractionTable, Schema } from './schema.ts';
