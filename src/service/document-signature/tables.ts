// The table of signed documents; core/store/schema.ts says what applies to all tables.
import type { OwnRows } from '../core/store/erasure.ts';

declare module '../core/store/schema.ts' {
  interface Schema {
    /** A signed document: the digest of the text that was shown, the digest of the file, and the file, sealed. */
    signed_documents: { request_id: string; text_digest: string; file_digest: string; sealed: string; created_at: number };
  }
}

export const documentRows: OwnRows = { ofRequests: ['signed_documents'] };
