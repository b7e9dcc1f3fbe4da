// Which customer a send is for.

import type { SendBody } from '../app.ts';
import { type Catalogue, type CatalogueCustomer, customersWith } from '../catalogue/catalogue.ts';
import type { Checked } from '../issues.ts';

/**
 * Finds the one customer that a send is for, or says which field does not lead to one. Only a passkeys send may leave
 * out the phone number; its recipients identify the customer then.
 */
export const addressedCustomer = (
  catalogue: Catalogue,
  { phoneNumber, customerRef, recipients = [] }: Partial<Pick<SendBody<'passkeys'>, 'customerRef' | 'phoneNumber' | 'recipients'>>,
): Checked<CatalogueCustomer> => {
  if (phoneNumber !== undefined) {
    const candidates = customersWith(catalogue, phoneNumber);
    if (customerRef !== undefined) {
      const named = candidates.find(({ id }) => id === customerRef);
      return named ? { value: named } : wrong('customerRef', 'names no customer with this phone number');
    }
    return only(candidates, 'phoneNumber', 'belongs to no customer');
  }
  if (customerRef !== undefined) {
    const named = catalogue.customers.find(({ id }) => id === customerRef);
    return named ? { value: named } : wrong('customerRef', 'names no customer');
  }
  const emails = recipients.map(({ email }) => email.toLowerCase());
  const candidates = catalogue.customers.filter(({ email }) => emails.includes(email.toLowerCase()));
  return only(candidates, 'recipients.0.email', 'belongs to no customer; a phoneNumber or customerRef tells whom this is for');
};

const only = ([first, second]: readonly CatalogueCustomer[], path: string, none: string): Checked<CatalogueCustomer> => {
  if (!first) return wrong(path, none);
  return second ? wrong('customerRef', 'is required here: several customers match, and the bootstrap lists them') : { value: first };
};

const wrong = (path: string, message: string) => ({ errors: [{ path, message }] });
