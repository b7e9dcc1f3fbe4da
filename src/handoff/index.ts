// The doorway of the handoff: bringing a person into the chat, and the record of who is verified in it.
export { type Escalation, eventHandoff, type Handoff, noHandoff } from './handoff.ts';
export { changeCustomer, endVerification, noteVerification, standing, type Verified, verifiedFor } from './verification.ts';
