// What this room uses of the Bot Framework SDK. The SDK's support has ended, so a move to its successor starts here.
export type { TurnContext } from 'botbuilder';
export type { DialogContext, DialogInstance, DialogReason, DialogTurnResult } from 'botbuilder-dialogs';
// Without its prompts (dialogs/sdk.ts).
export { ComponentDialog } from 'botbuilder-dialogs/lib/componentDialog.js';
export { Dialog, DialogTurnStatus } from 'botbuilder-dialogs/lib/dialog.js';
