// The tables of passkeys; see schema.ts for what applies to all tables.

/** A customer's user handle for authenticators: random, revealing nothing (WebAuthn L3, 14.6.1). */
export interface PasskeyUserTable {
  account_id: string;
  customer_ref: string;
  handle: string;
}

/** A passkey's public half. */
export interface PasskeyTable {
  /** The credential's identifier, base64url. */
  id: string;
  account_id: string;
  customer_ref: string;
  /** COSE, base64url. */
  public_key: string;
  counter: number;
  transports: string;
  backed_up: number;
  created_at: number;
  last_used_at: number | null;
  /** The request of its last use. */
  last_request_id: string | null;
  /** When a copy of it was detected; it has been unusable since. */
  revoked_at: number | null;
}

/** A challenge for one ceremony. */
export interface PasskeyChallengeTable {
  challenge: string;
  request_id: string;
  purpose: string;
  expires_at: number;
  spent_at: number | null;
}

/** The proof that the person at the page also has the customer's phone, or one of their passkeys. */
export interface PhoneProofTable {
  request_id: string;
  code_hash: string | null;
  sent_at: number;
  sends: number;
  checks: number;
  code_expires_at: number;
  /** SHA-256 of the secret held by the page that gave the proof; no other page can use it. */
  proof_hash: string | null;
  proof_expires_at: number | null;
}
