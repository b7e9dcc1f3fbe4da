// The doorway of verification: who is verified in a chat, one record and one guard.
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
