// Erases a customer from the service's database, without a running service.

import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { demoCatalogue, loadAccounts } from '../core/catalogue/load.ts';
import { makeRandom } from '../core/secrets/random.ts';
import { makeSeal } from '../core/secrets/seal.ts';
import type { Holdings } from '../core/store/erasure.ts';
import { openStorage } from '../core/store/index.ts';
import type { ServiceOptions } from '../options.ts';
import { ownRows } from '../tables.ts';

export type Eraser = Awaited<ReturnType<typeof openEraser>>;

/**
 * Opens the database of a service with these options.
 * @throws {SettingsError} if the database or the catalogue cannot be used, or if a service on this machine is using
 * the former.
 */
export const openEraser = async (
  options: Pick<ServiceOptions, 'catalogueFile' | 'databaseUrl' | 'dataDir' | 'environment' | 'log' | 'pepper'>,
) => {
  const { dataDir, databaseUrl: url, log, environment = process.env, catalogueFile = demoCatalogue } = options;
  if (url !== undefined && options.pepper === undefined)
    throw new SettingsError(['SERVICE_PEPPER: must be set when SERVICE_DATABASE_URL is.']);
  const loaded = loadAccounts(catalogueFile, environment);
  const { erasure, close, clock } = await openStorage({
    dataDir,
    url,
    newId: makeRandom().id,
    seal: makeSeal(options.pepper ?? keptSecret(dataDir, 'service.pepper')),
    log,
    parts: ownRows,
    sameSeal: true,
  });
  const customersOf = (accountId: string) => loaded.find(({ account }) => account.id === accountId)?.customers ?? [];
  const whole = async (accountId: string, customerRef: string) => {
    const listed = customersOf(accountId);
    const addressesOf = (customers: typeof listed) => customers.flatMap(({ email, phoneNumber }) => [email, phoneNumber]);
    const others = new Set(addressesOf(listed.filter(({ id }) => id !== customerRef)));
    const all = [
      ...(await erasure.destinationsOf({ accountId, customerRef })),
      ...addressesOf(listed.filter(({ id }) => id === customerRef)),
    ];
    // Wrong codes for a phone that others share are still counted.
    return { accountId, customerRef, destinations: [...new Set(all)].filter((one) => !others.has(one)) };
  };
  return {
    /** The catalogue's accounts, by their ids. */
    accounts: loaded.map(({ account }) => account.id),
    /**
     * The accounts that have data of a customer. Each means a different customer by the reference.
     */
    accountsWith: erasure.accountsWith,
    /** Counts what `erase` would remove or empty. */
    count: async (accountId: string, customerRef: string): Promise<Holdings> => erasure.count(await whole(accountId, customerRef)),
    /** Removes or empties it in one step, unless a request is still open. */
    erase: async (accountId: string, customerRef: string): Promise<Holdings> =>
      erasure.erase(await whole(accountId, customerRef), clock.now()),
    /** Whether the catalogue lists the customer; only its owner can change that. */
    isListed: (accountId: string, customerRef: string): boolean => customersOf(accountId).some(({ id }) => id === customerRef),
    close,
  };
};
