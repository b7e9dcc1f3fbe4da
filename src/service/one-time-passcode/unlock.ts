// Lifting the lock that wrong passcodes put on a phone, which a stranger may have put there (docs/decisions/0032).

import { sql } from 'kysely';
import { ownValue } from '../../platform/text/own-value.ts';
import type { Accounts } from '../core/accounts.ts';
import { customersWith } from '../core/catalogue/catalogue.ts';
import type { ServiceContext } from '../core/context.ts';
import type { SharedQuota } from '../core/limits/limits.ts';
import { guesses, waitOf } from '../core/limits/stored-quotas.ts';

/** Deletes the wrong codes of an account's phone; no effect if it is not locked. */
export const unlockPhone = async ({ storage, seal, log }: ServiceContext, accountId: string, phoneNumber: string): Promise<void> => {
  // In all sessions. Not LIKE: an account's name may contain its wildcards.
  const ofPhone = (name: string) => {
    const start = `${name} ${accountId} ${seal.hashAddress(accountId, phoneNumber)} `;
    return sql<boolean>`substr(key || ' ', 1, ${start.length}) = ${start}`;
  };
  const guessed = storage.database.db.deleteFrom('quotas').where((eb) => eb.or(Object.values(guesses).map(ofPhone)));
  await guessed.execute();
  log.info({ component: 'requests', code: 'phone_unlocked' }, 'the wrong passcodes of a phone are forgotten');
};

/** The phones of an account's customers that are locked now, for at least one session. */
export const lockedPhones = async (
  { accounts, storage, seal, limits, clock }: ServiceContext,
  accountId: string,
): Promise<ReadonlySet<string>> => {
  const { passcodeFailures, passcodeFailuresInAll } = limits;
  const quotas: Readonly<Record<string, SharedQuota>> = {
    [guesses.hour]: { points: passcodeFailures.anHour, seconds: 3600 },
    [guesses.day]: { points: passcodeFailures.untilLocked, seconds: 24 * 3600 },
    [guesses.all]: passcodeFailuresInAll,
  };
  const at = clock.now();
  const counted = storage.database.db.selectFrom('quotas').selectAll().where('key', 'like', 'guesses%').where('resets_at', '>', at);
  const locked = new Set(
    (await counted.execute()).flatMap((row) => {
      const [name = '', account, phone = '', last] = row.key.split(' ');
      const quota = ownValue(quotas, name);
      const isFull = quota && account === accountId && last !== 'kept' && waitOf({ name, key: row.key, ...quota }, row, at) !== undefined;
      return isFull ? [phone] : [];
    }),
  );
  const phones = accounts.of(accountId).customers.map(({ phoneNumber }) => phoneNumber);
  return new Set(phones.filter((phone) => locked.has(seal.hashAddress(accountId, phone))));
};

/** Whose phone it is, as the access log names customers: so that erasing one finds it. */
export const unlockedSubject = (accounts: Accounts, accountId: string, phoneNumber: string): string =>
  customersWith(accounts.of(accountId), phoneNumber)
    .map(({ id }) => String(new URLSearchParams({ customer: `${id} ${accountId}` })))
    .join('&');
