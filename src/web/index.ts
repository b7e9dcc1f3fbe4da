// The doorway of the bot's pages.
export { addChatPage } from './chat-page.ts';
export { isSameOrigin } from './same-origin.ts';
