// The table of signed documents; see schema.ts for what applies to all tables.

/** A signed document: the digest of the text that was shown, the digest of the file, and the file, sealed. */
export interface SignedDocumentTable {
  request_id: string;
  text_digest: string;
  file_digest: string;
  sealed: string;
  created_at: number;
}
