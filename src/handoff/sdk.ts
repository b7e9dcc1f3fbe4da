// This room's only import of the Bot Framework SDK. The SDK's support has ended, so a move to its successor starts
// here.
export { type Activity, EventFactory, type Middleware, type TurnContext } from 'botbuilder';
export type { DialogContext, DialogTurnResult } from 'botbuilder-dialogs';
// Without its prompts (dialogs/sdk.ts).
export { DialogTurnStatus } from 'botbuilder-dialogs/lib/dialog.js';
