// This room's only import of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export type { Activity, CloudAdapter, ConversationReference, ConversationState, Middleware, TurnContext } from 'botbuilder';
export { DialogContextError } from 'botbuilder-dialogs';
export { ActivityTypes, Channels } from 'botframework-schema';
