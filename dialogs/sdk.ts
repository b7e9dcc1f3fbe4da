// The parts of the Bot Framework SDK used in this folder. Its support has ended: a move to its successor begins here.
export {
  type Activity,
  CardFactory,
  EventFactory,
  INVOKE_RESPONSE_KEY,
  InputHints,
  TurnContext,
} from 'botbuilder';
export type {
  DialogContext,
  DialogInstance,
  DialogReason,
  DialogState,
  DialogTurnResult,
  WaterfallStepContext,
} from 'botbuilder-dialogs';
// File by file: the package's index also loads its prompts, whose recognisers of dates and numbers in eight languages
// are half of its memory (decision 0145).
export { ComponentDialog } from 'botbuilder-dialogs/lib/componentDialog.js';
export { Dialog, DialogTurnStatus } from 'botbuilder-dialogs/lib/dialog.js';
export { DialogContainer } from 'botbuilder-dialogs/lib/dialogContainer.js';
export { DialogContextError } from 'botbuilder-dialogs/lib/dialogContextError.js';
export { DialogSet } from 'botbuilder-dialogs/lib/dialogSet.js';
export { WaterfallDialog } from 'botbuilder-dialogs/lib/waterfallDialog.js';
