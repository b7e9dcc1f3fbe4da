// Checking a passcode. Every way of not matching is answered alike.

import type { By } from '../core/audit/actions.ts';
import { headColumns } from '../core/audit/trail.ts';
import type { Core } from '../core/core.ts';
import { forgive, takeCheck } from '../core/limits/guesses.ts';
import { guessQuotas } from '../core/limits/quota.ts';
import { sessionColumns } from '../core/limits/stored-quotas.ts';
import { canBeEnded } from '../core/test-numbers.ts';

/** Whether a code matches its request. It matches only once. */
export const makeCheckPasscode =
  ({ apps, storage, endings, seal, limits, clock }: Core) =>
  async (accountId: string, requestId: string, code: string, by: By): Promise<boolean> => {
    const request = await storage.requests.find(accountId, requestId);
    const checkable = request && apps[request.app].answeredBy === 'code' && canBeEnded(request.behaviour);
    const guesses = request?.phoneNumber === undefined ? [] : guessQuotas(limits, seal, request, request.phoneNumber);
    const at = clock.now();
    const taken =
      checkable &&
      (await takeCheck(storage, { id: requestId, at, guesses, by, action: 'passcode.checked' }, (transaction) =>
        transaction
          .updateTable('requests')
          .set((eb) => ({ checks: eb('checks', '+', 1) }))
          .where('id', '=', requestId)
          .where('state', '=', 'pending')
          .where('expires_at', '>', at)
          .where('checks', '<', limits.passcodeChecks)
          .where('code_hash', 'is not', null)
          .returning(['code_hash', 'checks', ...headColumns, ...sessionColumns])
          .executeTakeFirst(),
      ));
    // If there is nothing to compare with, the same work is done, so that timing reveals nothing.
    const matches = seal.isPasscode(requestId, code, taken ? taken.codeHash : seal.hashPasscode(requestId, ''));
    if (!request || !taken) return false;
    // The code came through the account's system, so nothing is known about the customer's device.
    if (matches && taken.comparable) {
      const first = await endings.byCustomer(request, 'success', {}, { by });
      if (first) await forgive(storage, guesses);
      return first;
    }
    if (taken.checks >= limits.passcodeChecks) await endings.byCustomer(request, 'failure', {}, { by });
    return false;
  };
