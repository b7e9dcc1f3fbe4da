// The table of signed documents; core/store/schema.ts says what applies to all tables.
import type { OwnRows } from '../core/store/erasure.ts';

/** A signed document: the digest of the text that was shown, the digest of the file, and the file, sealed. */
export interface SignedDocumentTable {
  request_id: string;
  text_digest: string;
  file_digest: string;
  sealed: string;
  created_at: number;
}

declare module '../core/store/schema.ts' {
  interface Schema {
    signed_documents: SignedDocumentTable;
  }
}

export const documentRows: OwnRows = { ofRequests: ['signed_documents'] };
