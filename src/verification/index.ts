// The doorway of verification: who is verified in a chat, one record and one guard.
export { type Guarded, type Requirement, requireVerified, standing, type VerificationState, verificationState } from './guard.ts';
export { changeCustomer, endVerification, noteVerification, type Place, type Verification, type Verified } from './verification.ts';
