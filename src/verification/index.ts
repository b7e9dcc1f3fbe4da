// The room's doorway: who is verified in a chat, with one record and one guard.
export { type Assertions, makeAssertionKey, makeAssertions } from './assertion.ts';
export {
  changeCustomer,
  endVerification,
  noteVerification,
  requireVerified,
  standing,
  type VerificationState,
  type Verified,
  verificationState,
} from './verification.ts';
