// The room's doorway: who is verified in a chat, with one record and one guard.
export { type Assertions, makeAssertionKey, makeAssertions, shownConversation } from './assertion.ts';
export { isSamePerson, type Reported, type Subject, stateAt, type VerificationState, withoutCustomer } from './state.ts';
export {
  changeCustomer,
  currentVerifications,
  endVerification,
  noteVerification,
  requireVerified,
  type Verified,
  verificationState,
} from './verification.ts';
