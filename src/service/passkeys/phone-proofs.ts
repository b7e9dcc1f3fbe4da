// Stores proofs that the person at a device page also has the customer's phone: the page gets a secret, for a code that
// was sent to the phone (phone-code.ts) or a passkey.

import type { Storage } from '../core/store/index.ts';
import type { Effect } from '../core/store/undoable.ts';

/** A proof, identified by a digest of the secret that one page holds. */
export interface Proof {
  readonly requestId: string;
  readonly proofHash: string;
  readonly at: number;
  readonly expiresAt: number;
}

export type PhoneProofs = ReturnType<typeof makePhoneProofs>;

export const makePhoneProofs = ({ database: { db } }: Pick<Storage, 'database'>) => ({
  /** Records a proof by other means than a code: a passkey of the customer. */
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
