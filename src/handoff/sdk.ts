// This room's only import of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export { type ConversationReference, EventFactory, type TurnContext } from 'botbuilder';
