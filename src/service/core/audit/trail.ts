// Stores audit trails: entries are written in the transaction of what they record, and the chain's end with the
// request.
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { prepareStatement } from '../../../platform/database/prepared-statement.ts';
import type { AuditTable, RequestTable, Schema } from '../store/schema.ts';
import type { SealedColumns } from '../store/sealed-columns.ts';
import type { Act, By } from './actions.ts';
import { chained, type Entry, erasing, faultIn, faultInEnding, type Head, origin, redacted, type SealedHead, sealedText } from './chain.ts';

/** The end of a request's chain, as returned by every statement that locks the request. */
export const headColumns = ['audit_seq', 'audit_hash'] as const;
/** The columns of an entry. */
const columns = ['seq', 'at', 'actor', 'action', 'detail', 'ip', 'user_agent', 'previous', 'hash'] as const;
export type HeadColumns = Pick<RequestTable, (typeof headColumns)[number]>;

export type Trail = ReturnType<typeof makeTrail>;

/** `seal` uses a key that is not in the database: write access allows forging a chain, but not its end. */
export const makeTrail = (
  { db, kind }: Pick<Database<Schema>, 'db' | 'kind'>,
  seal: (text: string) => string,
  results: SealedColumns['results'],
) => {
  const sealed = (requestId: string, last: Head): SealedHead => ({
    seq: last.seq,
    hash: last.hash,
    seal: seal(sealedText(requestId, last)),
  });
  const isSealed = (text: string, given: string) => seal(text) === given;
  /** A request's entries in order, the end of its chain, and the request's state. */
  const stored = async (transaction: Transaction<Schema>, requestId: string) => {
    const request = transaction
      .selectFrom('requests')
      .select([...headColumns, 'audit_seal', 'state', 'result'])
      .where('id', '=', requestId);
    const row = await (kind === 'postgres' ? request.forShare() : request).executeTakeFirst();
    if (!row) return undefined;
    const entries = await transaction.selectFrom('audit').select(columns).where('request_id', '=', requestId).orderBy('seq').execute();
    const { audit_seq: seq, audit_hash: hash, audit_seal, state } = row;
    const result = row.result === null ? null : opened(results, row.result, requestId);
    return { entries, head: { seq, hash, seal: audit_seal }, ended: { state, result } };
  };
  const addEntry = prepareStatement(db, (to, row: AuditTable) => to.insertInto('audit').values(row));
  const addEntries = async (transaction: Kysely<Schema>, requestId: string, entries: readonly Entry[]) => {
    for (const entry of entries) await addEntry(transaction, { request_id: requestId, ...entry });
  };
  const moveHead = prepareStatement(db, (to, { requestId, ...head }: ReturnType<typeof asColumns> & { readonly requestId: string }) =>
    to.updateTable('requests').set(head).where('id', '=', requestId),
  );
  const append = async (
    transaction: Transaction<Schema>,
    requestId: string,
    { audit_seq, audit_hash }: HeadColumns,
    acts: readonly Act[],
    at: number,
  ): Promise<void> => {
    if (acts.length === 0) return;
    const entries = chained(requestId, { seq: audit_seq, hash: audit_hash }, acts, at);
    const head = asColumns(sealed(requestId, entries.at(-1) ?? origin));
    await moveHead(transaction, { ...head, requestId });
    await addEntries(transaction, requestId, entries);
  };
  return {
    /** Appends after `head`, which must come from a statement of this transaction that locks the request. */
    append,
    /** The first entries of a request: the head for its row, and what adds them once that row is stored. */
    begin: (requestId: string, acts: readonly Act[], at: number) => {
      const entries = chained(requestId, origin, acts, at);
      return {
        head: sealed(requestId, entries.at(-1) ?? origin),
        add: (transaction: Kysely<Schema>) => addEntries(transaction, requestId, entries),
      };
    },

    /**
     * Removes from a request's entries who its customer is and where they were, and records that in a further entry.
     * The request must be locked. A trail that was tampered with gets no such entry, so that the tampering stays
     * visible.
     */
    erase: async (transaction: Transaction<Schema>, requestId: string, by: By, at: number): Promise<void> => {
      const whole = await stored(transaction, requestId);
      if (!whole) return;
      const { entries, head, ended } = whole;
      const tampered = faultIn(requestId, entries, head, isSealed) ?? faultInEnding(entries, ended);
      const left = redacted(entries);
      for (const { seq, detail, ip, user_agent } of left) {
        const changed = transaction.updateTable('audit').set({ detail, ip, user_agent }).where('request_id', '=', requestId);
        await changed.where('seq', '=', seq).execute();
      }
      if (tampered) return;
      await append(transaction, requestId, asColumns(head), [erasing(requestId, left, by)], at);
    },

    // In one transaction: an entry written in between would look foreign.
    of: (requestId: string) => db.transaction().execute((transaction) => stored(transaction, requestId)),
  };
};

/** The text of a result. A text that cannot be opened is returned unchanged, and will not match the trail's digest. */
const opened = ({ open }: SealedColumns['results'], stored: string, requestId: string) => {
  try {
    return open(stored, requestId);
  } catch {
    return stored;
  }
};

/** A chain's end as columns of the request's row. */
export const asColumns = ({ seq, hash, seal }: SealedHead): HeadColumns & Pick<RequestTable, 'audit_seal'> => ({
  audit_seq: seq,
  audit_hash: hash,
  audit_seal: seal,
});
