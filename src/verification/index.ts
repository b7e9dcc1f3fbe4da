// The doorway of verification: who is verified in a chat, one record and one guard.
export { type Assertions, makeAssertionKey, makeAssertions } from './assertion.ts';
export { requireVerified, standing, type VerificationState, verificationState } from './guard.ts';
export { changeCustomer, endVerification, noteVerification, type Verified } from './verification.ts';
