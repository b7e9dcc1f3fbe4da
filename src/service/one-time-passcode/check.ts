// Checking a passcode. Every way of not matching is answered alike.
import type { Clock } from '../../platform/time/clock.ts';
import { serviceApps } from '../apps.ts';
import type { By } from '../core/audit/chain.ts';
import type { Endings } from '../core/lifecycle/endings.ts';
import type { ServiceLimits } from '../core/limits.ts';
import { guessQuotas } from '../core/quota.ts';
import type { Seal } from '../core/secrets/seal.ts';
import type { Storage } from '../core/store/index.ts';
import { canBeEnded } from '../core/test-numbers.ts';

/** A code as it was meant: full-width digits made plain, spaces and hyphens left out. */
export const plainCode = (code: string) => code.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');

/** Whether a code matches its request. It matches only once. */
export type CheckPasscode = (accountId: string, requestId: string, code: string, by: By) => Promise<boolean>;

export interface PasscodesOptions {
  readonly storage: Storage;
  readonly endings: Endings;
  readonly seal: Seal;
  readonly limits: ServiceLimits;
  readonly clock: Clock;
}

export const makeCheckPasscode =
  ({ storage, endings, seal, limits, clock }: PasscodesOptions): CheckPasscode =>
  async (accountId, requestId, code, by) => {
    const request = await storage.requests.find(accountId, requestId);
    const checkable = request && serviceApps[request.app].answeredBy === 'code' && canBeEnded(request.behaviour);
    const guesses = request?.phoneNumber === undefined ? [] : guessQuotas(limits, seal, request, request.phoneNumber);
    const taken = checkable ? await storage.passcodes.takeCheck(requestId, clock.now(), limits.passcodeChecks, guesses, by) : undefined;
    // If there is nothing to compare with, the same work is done, so that timing reveals nothing.
    const matches = seal.isPasscode(requestId, code, taken?.codeHash ?? seal.hashPasscode(requestId, ''));
    if (!request || !taken) return false;
    // The code came through the account's system, so nothing is known about the customer's device.
    if (matches && taken.comparable) {
      const first = await endings.byCustomer(request, 'success', {}, { by });
      if (first) await storage.passcodes.forgive(guesses);
      return first;
    }
    if (taken.checks >= limits.passcodeChecks) await endings.byCustomer(request, 'failure', {}, { by });
    return false;
  };
