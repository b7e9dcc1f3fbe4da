// This room's only import of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export {
  type Activity,
  type BotAdapter,
  type CloudAdapter,
  type ConversationReference,
  type ConversationState,
  type Middleware,
  TurnContext,
} from 'botbuilder';
export { DialogContextError } from 'botbuilder-dialogs';
export { ActivityTypes, Channels } from 'botframework-schema';
