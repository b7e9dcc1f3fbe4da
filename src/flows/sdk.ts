// What this room uses of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export type { TurnContext } from 'botbuilder';
export type { DialogContext, DialogInstance, DialogReason, DialogTurnResult } from 'botbuilder-dialogs';
// Without its prompts (dialogs/sdk.ts).
export { ComponentDialog } from 'botbuilder-dialogs/lib/componentDialog.js';
export { Dialog, DialogTurnStatus } from 'botbuilder-dialogs/lib/dialog.js';
