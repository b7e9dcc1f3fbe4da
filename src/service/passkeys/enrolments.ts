// Enrolled passkeys and their last use, for the bootstrap.

import type { BootstrapResponse } from '../../contract/index.ts';
import { iso } from '../../platform/time/clock.ts';
import type { CatalogueCustomer } from '../core/catalogue/catalogue.ts';
import type { Passkeys } from './store.ts';

/**
 * Answers from the stored passkeys. In demo mode a customer of the catalogue may count as enrolled too, so that the
 * test numbers are as their table has them although no authenticator of theirs exists: a private key that ships with
 * the product would be no passkey. Behind the link such a customer sets one up.
 */
export const enrolments = async (
  passkeys: Passkeys,
  demo: boolean,
  accountId: string,
  customers: readonly CatalogueCustomer[],
): Promise<BootstrapResponse<'passkeys'>> => {
  const refs = customers.map(({ id }) => id);
  const enrolled = new Set((await passkeys.ofCustomers(accountId, refs)).map(({ customer_ref }) => customer_ref));
  const listed = customers.map(({ id, name, email, passkey }) => {
    const isEnrolled = enrolled.has(id) || (demo && passkey !== undefined);
    return { id, name, email, isEnrolled };
  });
  const used = await passkeys.lastUse(accountId, refs);
  const demoed = demo ? customers.filter(({ passkey }) => passkey?.lastUsedAt !== undefined) : [];
  const uses = [
    ...(used ? [{ id: used.requestId, customerRef: used.customerRef, timestamp: iso(used.at) }] : []),
    ...demoed.map(({ id, passkey }) => ({ id: `passkey-${id}`, customerRef: id, timestamp: iso(Date.parse(passkey?.lastUsedAt ?? '')) })),
  ];
  const [last] = uses.sort((a, b) => b.timestamp.localeCompare(a.timestamp));
  const phoneNumber = customers.find(({ id }) => id === last?.customerRef)?.phoneNumber;
  return { customers: listed, authentication: last ? { ...last, ...(phoneNumber !== undefined && { phoneNumber }) } : null };
};
