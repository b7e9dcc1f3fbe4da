// What this room uses of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export {
  type Activity,
  type BotState,
  CardFactory,
  INVOKE_RESPONSE_KEY,
  InputHints,
  type StatePropertyAccessor,
  TurnContext,
} from 'botbuilder';
export {
  ComponentDialog,
  Dialog,
  DialogContainer,
  type DialogContext,
  DialogContextError,
  type DialogInstance,
  type DialogReason,
  DialogSet,
  type DialogState,
  type DialogTurnResult,
  DialogTurnStatus,
  WaterfallDialog,
  type WaterfallStepContext,
} from 'botbuilder-dialogs';
