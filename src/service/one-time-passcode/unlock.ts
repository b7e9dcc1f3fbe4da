// Lifting the lock that wrong passcodes put on a phone, which a stranger may have put there (docs/decisions/0032).

import type { Log } from '../../platform/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Accounts } from '../core/catalogue/accounts.ts';
import { customersWith } from '../core/catalogue/catalogue.ts';
import type { ServiceLimits } from '../core/limits.ts';
import type { Seal } from '../core/secrets/seal.ts';
import type { Storage } from '../core/store/index.ts';

export interface Unlocks {
  /** Deletes the wrong codes of an account's phone; no effect if it is not locked. */
  unlock(accountId: string, phoneNumber: string): Promise<void>;
  /** The phones of an account's customers that are locked now, for at least one session. */
  locked(accountId: string): Promise<ReadonlySet<string>>;
}

export interface UnlocksOptions {
  readonly accounts: Accounts;
  readonly storage: Pick<Storage, 'passcodes'>;
  readonly seal: Pick<Seal, 'hashAddress'>;
  readonly limits: ServiceLimits;
  readonly clock: Clock;
  readonly log: Log;
}

export const makeUnlocks = ({ accounts, storage, seal, limits, clock, log }: UnlocksOptions): Unlocks => ({
  unlock: async (accountId, phoneNumber) => {
    await storage.passcodes.unlock(accountId, seal.hashAddress(accountId, phoneNumber));
    log.info({ component: 'requests', code: 'phone_unlocked' }, 'the wrong passcodes of a phone are forgotten');
  },
  locked: async (accountId) => {
    const most = { session: limits.passcodeFailures, all: limits.passcodeFailuresInAll };
    const locked = await storage.passcodes.locked(accountId, most, clock.now());
    const phones = accounts.of(accountId).customers.map(({ phoneNumber }) => phoneNumber);
    return new Set(phones.filter((phone) => locked.has(seal.hashAddress(accountId, phone))));
  },
});

/** Whose phone it is, as the access log names customers: so that erasing one finds it. */
export const unlockedSubject = (accounts: Accounts, accountId: string, phoneNumber: string): string =>
  customersWith(accounts.of(accountId), phoneNumber)
    .map(({ id }) => String(new URLSearchParams({ customer: `${id} ${accountId}` })))
    .join('&');
