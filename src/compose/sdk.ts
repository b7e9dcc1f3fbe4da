// This room's only import of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export {
  type Activity,
  BotAdapter,
  type CloudAdapter,
  type ConversationReference,
  ConversationState,
  MemoryStorage,
  type Middleware,
  TurnContext,
} from 'botbuilder';
export { type Dialog, DialogContextError, DialogSet, DialogTurnStatus } from 'botbuilder-dialogs';
export { ActivityTypes, Channels } from 'botframework-schema';
