// Lifting the lock that wrong passcodes put on a phone, which a stranger may have put there (docs/decisions/0032).

import type { Accounts } from '../core/catalogue/accounts.ts';
import { customersWith } from '../core/catalogue/catalogue.ts';
import type { ServiceContext } from '../core/context.ts';

/** Deletes the wrong codes of an account's phone; no effect if it is not locked. */
export const unlockPhone = async ({ storage, seal, log }: ServiceContext, accountId: string, phoneNumber: string): Promise<void> => {
  await storage.guesses.unlock(accountId, seal.hashAddress(accountId, phoneNumber));
  log.info({ component: 'requests', code: 'phone_unlocked' }, 'the wrong passcodes of a phone are forgotten');
};

/** The phones of an account's customers that are locked now, for at least one session. */
export const lockedPhones = async (
  { accounts, storage, seal, limits, clock }: ServiceContext,
  accountId: string,
): Promise<ReadonlySet<string>> => {
  const locked = await storage.guesses.locked(accountId, limits, clock.now());
  const phones = accounts.of(accountId).customers.map(({ phoneNumber }) => phoneNumber);
  return new Set(phones.filter((phone) => locked.has(seal.hashAddress(accountId, phone))));
};

/** Whose phone it is, as the access log names customers: so that erasing one finds it. */
export const unlockedSubject = (accounts: Accounts, accountId: string, phoneNumber: string): string =>
  customersWith(accounts.of(accountId), phoneNumber)
    .map(({ id }) => String(new URLSearchParams({ customer: `${id} ${accountId}` })))
    .join('&');
