// The customer of a conversation, as far as the desk may know them from what this chat has proved or requested. Masked
// until the chat is verified for exactly this customer.
import { LRUCache } from 'lru-cache';
import type { AppId, Customer, Document, Product } from '../contract/index.ts';
import type { HandoffRecord } from '../handoff/index.ts';
import type { Interaction, Interactions } from '../interactions/index.ts';
import type { Clock } from '../platform/clock.ts';
import { maskName, maskPhoneNumber } from '../platform/masks.ts';
import type { VerificationState } from '../verification/index.ts';
import type { Options, Panel } from './protocol.ts';
import { badgeOf, timelineOf } from './view.ts';

export interface CustomersOptions {
  readonly interactions: Pick<Interactions, 'inConversation' | 'lookup'>;
  /** The available forms: the service does not list them. */
  readonly forms: readonly { readonly id: string; readonly title: Readonly<Record<string, string>> }[];
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Why there is nothing to choose from. */
export type NoOptions = 'number_needed' | 'unknown_customer' | 'service';

export interface Customers {
  panel(handoff: HandoffRecord): Promise<Panel>;
  options(handoff: HandoffRecord, app: AppId, phoneNumber: string | undefined): Promise<Options | NoOptions>;
}

/** The most entries in a timeline. */
const shown = 30;

export const makeCustomers = ({ interactions, forms, clock, newId }: CustomersOptions): Customers => {
  // Every change of an open conversation asks for the name again.
  const names = new LRUCache<string, readonly Customer[]>({ max: 500, ttl: 60_000 });
  const customersOf = async (phoneNumber: string): Promise<readonly Customer[]> => {
    const known = names.get(phoneNumber);
    if (known) return known;
    const answer = await interactions.lookup('one-time-passcode', { phoneNumber, sessionRef: newId() });
    if ('trouble' in answer) return [];
    names.set(phoneNumber, answer.found.customers);
    return answer.found.customers;
  };

  /** The customer who is verified now, and the request that proved it. */
  const provenBy = (handoff: HandoffRecord) => {
    const state = standingOf(handoff) as VerificationState | undefined;
    return state?.state === 'verified' && clock.now() < state.until ? state : undefined;
  };

  /** The conversation's customer: the verified one, else the one of the last request. */
  const subjectOf = (handoff: HandoffRecord, all: readonly Interaction[]) => {
    const proven = provenBy(handoff);
    // If nobody may learn whether a number has a customer, an agent may not either.
    const told = all.filter(({ alike }) => !alike);
    const by = proven ? all.find(({ requestId }) => requestId === proven.requestId) : undefined;
    const about = by ?? told[0];
    return about && { proven: by !== undefined, customerRef: about.customerRef, phoneNumber: about.phoneNumber };
  };

  return {
    panel: async (handoff) => {
      const all = await interactions.inConversation(handoff.conversation, shown);
      const about = subjectOf(handoff, all);
      const customer = about && (await customersOf(about.phoneNumber)).find(({ id }) => id === about.customerRef);
      const name = customer?.name ?? '';
      return {
        badge: badgeOf(standingOf(handoff), clock.now()),
        ...(about && {
          customer: about.proven
            ? { name, phone: about.phoneNumber, ref: about.customerRef }
            : { name: name === '' ? '' : maskName(name), phone: maskPhoneNumber(about.phoneNumber) },
        }),
        timeline: all.map(timelineOf),
      };
    },

    options: async (handoff, app, given) => {
      const about = subjectOf(handoff, await interactions.inConversation(handoff.conversation, shown));
      const phoneNumber = given ?? about?.phoneNumber;
      if (phoneNumber === undefined) return 'number_needed';
      const answer = await interactions.lookup(app, { phoneNumber, sessionRef: newId() }, handoff.language);
      if ('trouble' in answer) return answer.trouble === 'rejected' ? 'unknown_customer' : 'service';
      const { found } = answer;
      if (found.customers.length === 0) return 'unknown_customer';
      const own = about?.proven && about.phoneNumber === phoneNumber ? about.customerRef : undefined;
      return {
        customers: found.customers
          .filter(({ id }) => own === undefined || id === own)
          .map(({ id, name }) => ({ id, name: id === own ? name : maskName(name) })),
        choices: choicesIn(found, app === 'e-form' ? forms : [], handoff.language),
      };
    },
  };
};

/** The verification state as last reported. It ends with the conversation. */
const standingOf = ({ state, verification }: HandoffRecord) => (state === 'over' ? undefined : verification);

/** The choices in a bootstrap, of any app. */
const choicesIn = (found: object, forms: CustomersOptions['forms'], language: string): Options['choices'] => {
  const spoken = language.split('-')[0] ?? '';
  if (forms.length > 0)
    return forms.map(({ id, title }) => ({ id, title: title[spoken] ?? title.en ?? Object.values(title)[0] ?? id, blanks: [] }));
  if ('documents' in found)
    return (found.documents as readonly Document[]).map(({ id, title, variables }) => ({
      id,
      title,
      blanks: variables.map(({ choices, label, name, prefill, required }) => ({
        ...{ name, label: label ?? name, required },
        ...(choices && { choices }),
        ...(prefill !== undefined && { value: prefill }),
      })),
    }));
  if ('products' in found)
    return (found.products as readonly Product[]).map(({ currency, description, id, price, title }) => ({
      id,
      title,
      detail: [new Intl.NumberFormat(language, { style: 'currency', currency }).format(price), description].filter(Boolean).join(' · '),
      blanks: [],
    }));
  return [];
};
