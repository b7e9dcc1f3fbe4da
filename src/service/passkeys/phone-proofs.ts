// Stores proofs that the person at a device page also has the customer's phone: a code sent to the phone, and the
// secret that the page gets for the code.

import type { By } from '../core/audit/actions.ts';
import { takeGuess } from '../core/limits/guesses.ts';
import { makeQuotas, type StoredQuota } from '../core/limits/stored-quotas.ts';
import type { Storage } from '../core/store/index.ts';
import { makeLease } from '../core/store/lease.ts';
import type { Effect } from '../core/store/undoable.ts';

/** A code to be sent to the phone. */
export interface SentCode {
  readonly requestId: string;
  readonly codeHash: string;
  readonly at: number;
  readonly expiresAt: number;
  /** Milliseconds between codes, in order; the last value is repeated. */
  readonly cooldownsMs: readonly number[];
  readonly quotas: readonly StoredQuota[];
  readonly message: { readonly id: string; readonly sealed: string };
  readonly by: By;
}

/** A proof, identified by a digest of the secret that one page holds. */
export interface Proof {
  readonly requestId: string;
  readonly proofHash: string;
  readonly at: number;
  readonly expiresAt: number;
}

export type PhoneProofs = ReturnType<typeof makePhoneProofs>;

export const makePhoneProofs = ({ database: { db, kind }, trail }: Pick<Storage, 'database' | 'trail'>) => ({
  /**
   * Sends a code, which voids the previous one. Otherwise resolves to the milliseconds until the next may be sent, or
   * to `over` if the request is.
   * @throws {QuotaUsedUp}
   */
  sendCode: ({ requestId, codeHash, at, expiresAt, cooldownsMs, quotas, message, by }: SentCode): Promise<'over' | 'sent' | number> =>
    db.transaction().execute(async (transaction) => {
      const request = await makeLease(kind)(transaction, requestId);
      if (request?.state !== 'pending' || request.expires_at <= at) return 'over';
      const known = await transaction.selectFrom('phone_proofs').selectAll().where('request_id', '=', requestId).executeTakeFirst();
      const sends = known?.sends ?? 0;
      const cooldown = sends === 0 ? 0 : (cooldownsMs[Math.min(sends, cooldownsMs.length) - 1] ?? 0);
      const wait = (known?.sent_at ?? at) + cooldown - at;
      if (sends > 0 && wait > 0) return wait;
      const row = { code_hash: codeHash, sent_at: at, sends: sends + 1, checks: 0, code_expires_at: expiresAt };
      const stored = await transaction
        .insertInto('phone_proofs')
        .values({ request_id: requestId, ...row })
        .onConflict((conflict) => conflict.column('request_id').doUpdateSet(row).where('phone_proofs.sends', '=', sends))
        .returning('sends')
        .executeTakeFirst();
      // Another replica has sent one at this moment, which starts the cooldown.
      if (!stored) return cooldownsMs[0] ?? 0;
      await trail.append(transaction, requestId, request, [{ by, action: 'phone.code_sent', facts: { sends: stored.sends } }], at);
      await makeQuotas(db).takePoints(transaction, quotas, request, at);
      const delivery = { ...message, request_id: requestId, attempts: 0, due_at: at, created_at: at, announced: 0 };
      await transaction.deleteFrom('deliveries').where('request_id', '=', requestId).where('announced', '=', 0).execute();
      await transaction.insertInto('deliveries').values(delivery).execute();
      return 'sent';
    }),

  /** As for a passcode (one-time-passcode/store.ts). */
  takeCheck: (requestId: string, at: number, limit: number, guesses: readonly StoredQuota[], by: By) =>
    db.transaction().execute(async (transaction) => {
      const request = await makeLease(kind)(transaction, requestId);
      const row = await transaction
        .updateTable('phone_proofs')
        .set((eb) => ({ checks: eb('checks', '+', 1) }))
        .where('request_id', '=', requestId)
        .where('code_expires_at', '>', at)
        .where('checks', '<', limit)
        .where('code_hash', 'is not', null)
        .returning(['code_hash', 'checks'])
        .executeTakeFirst();
      if (!row || !request) return undefined;
      await trail.append(transaction, requestId, request, [{ by, action: 'phone.checked', facts: { check: row.checks } }], at);
      return takeGuess(transaction, row, guesses, request, at);
    }),

  /** Turns a code into a proof, once. `false`: the code was used or replaced meanwhile. */
  redeem: (codeHash: string, { requestId, proofHash, at, expiresAt }: Proof, by: By): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const request = await makeLease(kind)(transaction, requestId);
      const row = await transaction
        .updateTable('phone_proofs')
        .set({ code_hash: null, proof_hash: proofHash, proof_expires_at: expiresAt })
        .where('request_id', '=', requestId)
        .where('code_hash', '=', codeHash)
        .returning('request_id')
        .executeTakeFirst();
      if (!row || !request) return false;
      await trail.append(transaction, requestId, request, [{ by, action: 'phone.proven', facts: { method: 'code' } }], at);
      return true;
    }),

  /** Records a proof by other means: a passkey of the customer. */
  proven:
    ({ requestId, proofHash, at, expiresAt }: Proof): Effect =>
    async (transaction) => {
      const proof = { proof_hash: proofHash, proof_expires_at: expiresAt };
      await transaction
        .insertInto('phone_proofs')
        .values({ request_id: requestId, code_hash: null, sent_at: at, sends: 0, checks: 0, code_expires_at: at, ...proof })
        .onConflict((conflict) => conflict.column('request_id').doUpdateSet(proof))
        .execute();
      return true;
    },

  holds: async (requestId: string, proofHash: string, at: number): Promise<boolean> => {
    const proofs = db.selectFrom('phone_proofs').select('request_id').where('request_id', '=', requestId);
    return (await proofs.where('proof_hash', '=', proofHash).where('proof_expires_at', '>', at).executeTakeFirst()) !== undefined;
  },

  /** Uses a proof up; refuses an invalid one, and one of a request that is over. */
  spending:
    (requestId: string, proofHash: string, at: number): Effect =>
    async (transaction) => {
      const spent = transaction.updateTable('phone_proofs').set({ proof_hash: null, code_hash: null });
      const row = await spent
        .where('request_id', '=', requestId)
        .where('proof_hash', '=', proofHash)
        .where('proof_expires_at', '>', at)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('requests').select('id').where('id', '=', requestId).where('state', '=', 'pending').where('expires_at', '>', at),
          ),
        )
        .returning('request_id')
        .executeTakeFirst();
      return row !== undefined;
    },
});
