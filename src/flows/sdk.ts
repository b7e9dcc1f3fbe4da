// What this room uses of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export type { TurnContext } from 'botbuilder';
export {
  ComponentDialog,
  Dialog,
  type DialogContext,
  type DialogInstance,
  type DialogReason,
  type DialogTurnResult,
  DialogTurnStatus,
} from 'botbuilder-dialogs';
