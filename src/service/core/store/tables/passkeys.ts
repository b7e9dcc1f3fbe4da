// The tables of passkeys; see schema.ts for what holds of all.

/** What a customer is called by authenticators: random, and telling nothing (WebAuthn L3, 14.6.1). */
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
  /** The request it was last used for. */
  last_request_id: string | null;
  /** When it was found to exist twice; it opens nothing since. */
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
  /** SHA-256 of what the page that gave the proof holds; no other page can use it. */
  proof_hash: string | null;
  proof_expires_at: number | null;
}
