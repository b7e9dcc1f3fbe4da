// The passcode that proves a phone before a passkey is created: sent from the device page and entered there.

import { hashToken } from '../../platform/secrets/sealing.ts';
import { customerAt, type Origin } from '../core/audit/origin.ts';
import type { CatalogueCustomer } from '../core/catalogue/catalogue.ts';
import type { Core } from '../core/core.ts';
import { blockedFor, forgive, takeCheck } from '../core/limits/guesses.ts';
import { guessQuotas, messageQuotas } from '../core/limits/quota.ts';
import { makeQuotas, QuotaUsedUp, sessionOf } from '../core/limits/stored-quotas.ts';
import { sealMessage } from '../core/messages/compose.ts';
import { plainCode } from '../core/secrets/random.ts';
import { makeLease } from '../core/store/lease.ts';
import type { Request } from '../core/store/request.ts';
import type { Effect } from '../core/store/undoable.ts';

/**
 * `wait`: a code was just sent, or too many were. `blocked`: too many wrong codes for this phone. `unreachable`: it
 * cannot receive SMS.
 */
export type Sending = 'blocked' | 'over' | 'sent' | 'unreachable' | 'wait';
/**
 * The proof's secret, or why there is none. `dead`: another code is needed. `unlike`: the input cannot be a code.
 */
export type Checking = { readonly proof: string } | 'dead' | 'unlike' | 'wrong';

export const makePhoneCode = (core: Core) => {
  const { accounts, storage, reach, dispatch, seal, random, clock, limits, texts, publicUrl } = core;
  const guesses = (request: Request, { phoneNumber }: CatalogueCustomer, { ipAddress }: Origin) =>
    guessQuotas(limits, seal, request, phoneNumber, ipAddress);

  const compose = (request: Request, { phoneNumber: to, name }: CatalogueCustomer, code: string, at: number, expiresAt: number) => {
    const { account } = accounts.of(request.accountId);
    const minutes = Math.max(1, Math.round((expiresAt - at) / 60_000));
    const words = { account: account.name, code, host: publicUrl().hostname, minutes };
    const text = texts(request.language).t('message.passkey-code', words);
    return sealMessage(core, request, { channel: 'sms', to, name, text, code, sentAt: at });
  };

  /** How long after so many codes the next may be sent (ms). */
  const cooldownAfter = (sends: number) => limits.resendCooldownsMs[Math.min(sends, limits.resendCooldownsMs.length) - 1] ?? 0;

  return {
    send: async (request: Request, customer: CatalogueCustomer, origin: Origin): Promise<Sending> => {
      const at = clock.now();
      const { id } = request;
      if (reach('sms', customer.phoneNumber) !== undefined) return 'unreachable';
      const blocked = await blockedFor(storage, guesses(request, customer, origin), sessionOf(request), at);
      if (blocked !== undefined) return 'blocked';
      const code = random.passcode();
      const expiresAt = Math.min(at + limits.expiryMs['one-time-passcode'], request.expiresAt);
      let refused: Sending = 'over';
      const sending: Parameters<typeof storage.apply>[2] = async (transaction, held) => {
        if (held.state !== 'pending' || held.expires_at <= at) return false;
        refused = 'wait';
        const known = await transaction.selectFrom('phone_proofs').selectAll().where('request_id', '=', id).executeTakeFirst();
        const sends = known?.sends ?? 0;
        if (known && sends > 0 && at < known.sent_at + cooldownAfter(sends)) return false;
        const row = { code_hash: seal.hashPasscode(id, code), sent_at: at, sends: sends + 1, checks: 0, code_expires_at: expiresAt };
        const stored = await transaction
          .insertInto('phone_proofs')
          .values({ request_id: id, ...row })
          .onConflict((conflict) => conflict.column('request_id').doUpdateSet(row).where('phone_proofs.sends', '=', sends))
          .returning('sends')
          .executeTakeFirst();
        // Another replica has sent one at this moment, which starts the cooldown.
        if (!stored) return false;
        await makeQuotas(transaction).takePoints(transaction, messageQuotas(limits, seal, request, customer.phoneNumber), held, at);
        const delivery = { request_id: id, attempts: 0, due_at: at, created_at: at, announced: 0 };
        await transaction.deleteFrom('deliveries').where('request_id', '=', id).where('announced', '=', 0).execute();
        await transaction
          .insertInto('deliveries')
          .values({ ...delivery, ...compose(request, customer, code, at, expiresAt) })
          .execute();
        return { sends: stored.sends };
      };
      try {
        if (!(await storage.apply(id, { by: customerAt(origin), action: 'phone.code_sent' }, sending, at))) return refused;
        dispatch.wake(at);
        return 'sent';
      } catch (fault) {
        if (fault instanceof QuotaUsedUp) return 'wait';
        throw fault;
      }
    },

    check: async (request: Request, customer: CatalogueCustomer, typed: string, origin: Origin): Promise<Checking> => {
      const by = customerAt(origin);
      const quotas = guesses(request, customer, origin);
      const plain = plainCode(typed);
      // A typing mistake is not a guess: nothing is compared, and no check of the code is used up.
      if (!/^\d{6}$/.test(plain)) return 'unlike';
      const at = clock.now();
      const { id } = request;
      const taken = await takeCheck(storage, { id, at, guesses: quotas, by, action: 'phone.checked' }, async (transaction) => {
        const held = await makeLease(storage.database.kind)(transaction, id);
        const row = await transaction
          .updateTable('phone_proofs')
          .set((eb) => ({ checks: eb('checks', '+', 1) }))
          .where('request_id', '=', id)
          .where('code_expires_at', '>', at)
          .where('checks', '<', limits.passcodeChecks)
          .where('code_hash', 'is not', null)
          .returning(['code_hash', 'checks'])
          .executeTakeFirst();
        return held && row && { ...held, ...row };
      });
      const matches = seal.isPasscode(id, plain, taken?.codeHash ?? seal.hashPasscode(id, ''));
      if (!taken) return 'dead';
      if (!matches || !taken.comparable) return taken.checks < limits.passcodeChecks ? 'wrong' : 'dead';
      const proof = random.token();
      const proven: Effect = async (transaction) => {
        const row = await transaction
          .updateTable('phone_proofs')
          .set({ code_hash: null, proof_hash: hashToken(proof), proof_expires_at: at + limits.passkeys.proofMs })
          .where('request_id', '=', id)
          // It may have been used or replaced meanwhile.
          .where('code_hash', '=', taken.codeHash)
          .returning('request_id')
          .executeTakeFirst();
        return row !== undefined;
      };
      if (!(await storage.apply(id, { by, action: 'phone.proven', facts: { method: 'code' } }, proven, at))) return 'dead';
      await forgive(storage, quotas);
      return { proof };
    },

    /** Resets the guesses of a customer's phone: they have proved their identity otherwise. */
    forgive: (request: Request, customer: CatalogueCustomer, origin: Origin) => forgive(storage, guesses(request, customer, origin)),
  };
};
