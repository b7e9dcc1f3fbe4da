// The doorway of the handoff: bringing a person into the chat.
export { type Escalation, eventHandoff, type Handoff, noHandoff } from './handoff.ts';
