// The room's doorway: the bot's pages.
export { addChatPage, type ChatAssets, type ChatPageOptions } from './chat-page.ts';
export type { ChatTokenOptions } from './chat-token.ts';
export type { EmbedEvents } from './embed.ts';
export { type OwnPageTexts, pageMessagesOf } from './texts.ts';
