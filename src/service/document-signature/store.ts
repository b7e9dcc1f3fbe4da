// Stores signed documents: together with the ending of their request, and never changed.
import type { Storage } from '../core/store/index.ts';
import type { Effect } from '../core/store/undoable.ts';

/** A signed document as stored: its sealed file, and the digests of its text and its file. */
type StoredDocument = NonNullable<Awaited<ReturnType<typeof storedDocument>>>;

/** Stores a document together with the ending of its request. */
export const storeDocument =
  ({ requestId, textDigest, fileDigest, sealed, at }: StoredDocument): Effect =>
  async (transaction) => {
    const row = { request_id: requestId, text_digest: textDigest, file_digest: fileDigest, sealed, created_at: at };
    await transaction.insertInto('signed_documents').values(row).execute();
    return { text: textDigest, file: fileDigest };
  };

/** The signed document of a request. */
export const storedDocument = async ({ database: { db } }: Pick<Storage, 'database'>, requestId: string) => {
  const row = await db.selectFrom('signed_documents').selectAll().where('request_id', '=', requestId).executeTakeFirst();
  return row && { requestId, textDigest: row.text_digest, fileDigest: row.file_digest, sealed: row.sealed, at: row.created_at };
};
