// This room's only import of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export {
  type Activity,
  BotAdapter,
  type CloudAdapter,
  type ConversationReference,
  ConversationState,
  MemoryStorage,
  type Middleware,
  type ResourceResponse,
  type StatePropertyAccessor,
  TurnContext,
} from 'botbuilder';
export type { DialogContext, DialogInstance, DialogReason, DialogTurnResult } from 'botbuilder-dialogs';
// Without its prompts (dialogs/sdk.ts).
export { ComponentDialog } from 'botbuilder-dialogs/lib/componentDialog.js';
export { Dialog, DialogTurnStatus } from 'botbuilder-dialogs/lib/dialog.js';
export { DialogContextError } from 'botbuilder-dialogs/lib/dialogContextError.js';
export { DialogSet } from 'botbuilder-dialogs/lib/dialogSet.js';
export { ActivityTypes, Channels } from 'botframework-schema';
