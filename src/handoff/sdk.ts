// This room's only import of the Bot Framework SDK. The SDK's support has ended, so a move to its successor starts
// here.
export type { Activity, Middleware, TurnContext } from 'botbuilder';
