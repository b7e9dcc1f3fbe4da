// Lifting the lock that wrong passcodes put on a phone, which a stranger may have put there (docs/decisions/0032).
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Accounts } from '../catalogue/accounts.ts';
import { customersWith } from '../catalogue/catalogue.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Storage } from '../store/index.ts';

export interface Unlocks {
  /** Forgets the wrong codes of an account's phone. What is not locked stays so. */
  unlock(accountId: string, phoneNumber: string): Promise<void>;
  /** The phones of an account that wrong codes lock now, for one session at least. */
  locked(accountId: string): Promise<ReadonlySet<string>>;
}

export interface UnlocksOptions {
  readonly storage: Pick<Storage, 'passcodes'>;
  readonly limits: ServiceLimits;
  readonly clock: Clock;
  readonly log: Log;
}

export const makeUnlocks = ({ storage, limits, clock, log }: UnlocksOptions): Unlocks => ({
  unlock: async (accountId, phoneNumber) => {
    await storage.passcodes.unlock(accountId, phoneNumber);
    log.info({ component: 'requests', code: 'phone_unlocked' }, 'the wrong passcodes of a phone are forgotten');
  },
  locked: (accountId) =>
    storage.passcodes.locked(accountId, { session: limits.passcodeFailures, all: limits.passcodeFailuresInAll }, clock.now()),
});

/** Whose phone it is, as the access log names customers: so that erasing one finds it. */
export const unlockedSubject = (accounts: Accounts, accountId: string, phoneNumber: string): string =>
  customersWith(accounts.of(accountId), phoneNumber)
    .map(({ id }) => String(new URLSearchParams({ customer: `${id} ${accountId}` })))
    .join('&');
