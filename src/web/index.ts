// The room's doorway: the bot's pages.
export { makeAzureDirectLine } from './azure-direct-line.ts';
export { addChatPage } from './chat-page.ts';
export type { EmbedEvents } from './embed.ts';
export { type OwnPageTexts, pageMessagesOf } from './texts.ts';
