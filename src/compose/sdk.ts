// What the wiring uses of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export type { Activity } from 'botbuilder';
export { ActivityTypes, Channels } from 'botframework-schema';
