// The room's doorway: the bot's pages.
export { addChatPage, type ChatAssets } from './chat-page.ts';
export type { EmbedEvents } from './embed.ts';
export type { ChatPageOptions, ChatTokens } from './options.ts';
export { type OwnPageTexts, pageMessagesOf } from './texts.ts';
