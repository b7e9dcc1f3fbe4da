// The passcode that proves a phone before a passkey is created: sent from the device page and entered there.

import { hashToken } from '../../platform/secrets/sealing.ts';
import { customerAt, type Origin } from '../core/audit/origin.ts';
import type { CatalogueCustomer } from '../core/catalogue/catalogue.ts';
import type { Core } from '../core/core.ts';
import { guessQuotas, messageQuotas } from '../core/limits/quota.ts';
import { QuotaUsedUp } from '../core/limits/stored-quotas.ts';
import { deliveryContext } from '../core/messages/dispatch.ts';
import type { Message } from '../core/messages/message.ts';
import { plainCode } from '../core/secrets/random.ts';
import type { Request } from '../core/store/request.ts';
import type { PhoneProofs } from './phone-proofs.ts';

/**
 * `wait`: a code was just sent, or too many were. `blocked`: too many wrong codes for this phone. `unreachable`: it
 * cannot receive SMS.
 */
export type Sending = 'blocked' | 'over' | 'sent' | 'unreachable' | 'wait';
/**
 * The proof's secret, or why there is none. `dead`: another code is needed. `unlike`: the input cannot be a code.
 */
export type Checking = { readonly proof: string } | 'dead' | 'unlike' | 'wrong';

export const makePhoneCode = (core: Core, phoneProofs: PhoneProofs) => {
  const { accounts, storage, reach, dispatch, seal, random, clock, limits, texts, publicUrl } = core;
  const guesses = (request: Request, { phoneNumber }: CatalogueCustomer, { ipAddress }: Origin) =>
    guessQuotas(limits, seal, request, phoneNumber, ipAddress);

  const compose = (request: Request, { phoneNumber, name }: CatalogueCustomer, code: string, at: number, expiresAt: number) => {
    const id = random.id(at);
    const { language } = request;
    const { account } = accounts.of(request.accountId);
    const minutes = Math.max(1, Math.round((expiresAt - at) / 60_000));
    const text = texts(language).t('message.passkey-code', { account: account.name, code, host: publicUrl().hostname, minutes });
    const message: Message = {
      id,
      requestId: request.id,
      accountId: request.accountId,
      app: request.app,
      channel: 'sms',
      to: phoneNumber,
      name,
      language,
      text,
      code,
      sentAt: at,
    };
    return { id, sealed: seal.seal(message, deliveryContext(id)) };
  };

  return {
    send: async (request: Request, customer: CatalogueCustomer, origin: Origin): Promise<Sending> => {
      const at = clock.now();
      if (reach('sms', customer.phoneNumber) !== undefined) return 'unreachable';
      const session = { account_id: request.accountId, customer_ref: request.customerRef, session_ref: request.sessionRef };
      if ((await storage.guesses.blockedFor(guesses(request, customer, origin), session, at)) !== undefined) return 'blocked';
      const code = random.passcode();
      const expiresAt = Math.min(at + limits.expiryMs['one-time-passcode'], request.expiresAt);
      try {
        const sent = await phoneProofs.sendCode({
          requestId: request.id,
          codeHash: seal.hashPasscode(request.id, code),
          at,
          expiresAt,
          cooldownsMs: limits.resendCooldownsMs,
          quotas: messageQuotas(limits, seal, request, customer.phoneNumber),
          message: compose(request, customer, code, at, expiresAt),
          by: customerAt(origin),
        });
        if (sent === 'sent') dispatch.wake(at);
        return typeof sent === 'number' ? 'wait' : sent;
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
      const taken = await phoneProofs.takeCheck(request.id, at, limits.passcodeChecks, quotas, by);
      const matches = seal.isPasscode(request.id, plain, taken?.codeHash ?? seal.hashPasscode(request.id, ''));
      if (!taken) return 'dead';
      if (!matches || !taken.comparable) return taken.checks < limits.passcodeChecks ? 'wrong' : 'dead';
      const proof = random.token();
      const proven = { requestId: request.id, proofHash: hashToken(proof), at, expiresAt: at + limits.passkeys.proofMs };
      if (!(await phoneProofs.redeem(taken.codeHash, proven, by))) return 'dead';
      await storage.guesses.forgive(quotas);
      return { proof };
    },

    /** Resets the guesses of a customer's phone: they have proved their identity otherwise. */
    forgive: (request: Request, customer: CatalogueCustomer, origin: Origin) => storage.guesses.forgive(guesses(request, customer, origin)),
  };
};
