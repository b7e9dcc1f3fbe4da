// The doorway of the bot's pages.
export { addChatPage } from './chat-page.ts';
export type { EmbedEvents } from './embed-events.ts';
export { type OwnPageTexts, pageMessagesOf } from './texts.ts';
