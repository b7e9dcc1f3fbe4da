// This room's only import of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export type { Activity } from 'botframework-schema';
