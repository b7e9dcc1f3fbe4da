// Gathers what an app's waterfall would gather, from values given all at once by an agent of a hub or a program.
import type { AppId } from '../../src/contract/index.ts';
import type { AppDialog, Asked, Gathered, Values } from '../asking/app-dialog.ts';
import { type CustomerHandle, handlesOf, maxOffered } from '../asking/caller.ts';
import { appDialogs } from './apps.ts';
import { isGone, newCode, offeredIn } from './gathered.ts';

/** The values of a request, given at once. */
export interface GivenRequest {
  readonly app: AppId;
  /** E.164. */
  readonly phoneNumber: string;
  /** Which customer of that number; unset: the only one. */
  readonly customerRef?: string | undefined;
  readonly sessionRef: string;
  /** The document, product or form. */
  readonly chosen?: string | undefined;
  /** The document's blanks. */
  readonly filled?: Readonly<Record<string, string>> | undefined;
}

/** Why nothing can be sent. `customers`: those of the number, masked, if it was not said which one. */
export interface Unprepared {
  readonly refused: 'unknown_customer' | 'unknown_choice' | 'blanks_missing' | 'service';
  readonly customers?: readonly CustomerHandle[];
  /** What there is to choose. */
  readonly choices?: readonly { readonly id: string; readonly title: string }[];
}

/** Looks up the customer, and whether the request can be sent. */
export const gather = async (asked: Asked, given: GivenRequest): Promise<Gathered | Unprepared> => {
  const { services, t } = asked;
  const app = appDialogs[given.app] as AppDialog;
  const { chosen, customerRef, filled, phoneNumber, sessionRef } = given;
  const lookup = await services.interactions.lookup(app.id, { phoneNumber, sessionRef }, t.language);
  if ('trouble' in lookup) return { refused: lookup.trouble === 'rejected' ? 'unknown_customer' : 'service' };
  const customers = handlesOf(lookup.found.customers);
  const customer = customerRef === undefined && customers.length === 1 ? customers[0] : customers.find(({ id }) => id === customerRef);
  if (!customer) return { refused: 'unknown_customer', ...(customerRef === undefined && { customers: customers.slice(0, maxOffered) }) };
  const values: Values = {
    phoneNumber,
    sessionRef,
    customer,
    customers,
    found: offeredIn(lookup.found),
    foundAt: services.clock.now(),
    code: newCode(services),
    ...(chosen !== undefined && { chosen }),
    ...(filled && { filled }),
  };
  if (isGone(app, asked, values)) {
    const titleOf = (id: string) => app.subject?.(asked, { ...values, chosen: id } as Gathered) ?? id;
    const choices = (app.choose?.offered(asked, values as Gathered) ?? []).map((id) => ({ id, title: titleOf(id) }));
    return { refused: 'unknown_choice', choices };
  }
  if (app.fill?.needed(values as Gathered) && !filled) return { refused: 'blanks_missing' };
  if (app.instead?.(customer)) return { refused: 'unknown_customer' };
  return values as Gathered;
};
