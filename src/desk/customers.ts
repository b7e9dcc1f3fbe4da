// The customer of a conversation, as far as the desk may know them from what this chat has proved or requested. Masked
// until the chat is verified for exactly this customer.
import { LRUCache } from 'lru-cache';
import { type AppId, type BootstrapAnswer, compareCode, type Document, type Product } from '../contract/index.ts';
import type { HandoffRecord } from '../handoff/index.ts';
import type { Interaction } from '../interactions/index.ts';
import { maskName, maskPhoneNumber } from '../platform/text/masks.ts';
import { type Subject, stateAt } from '../verification/index.ts';
import type { DeskContext } from './context.ts';
import { badgeOf, type NameOf, type TimelineEntry, timelineOf } from './view.ts';

export type Customers = ReturnType<typeof makeCustomers>;
/** The panel beside a conversation. */
export type Panel = Awaited<ReturnType<Customers['panel']>>;

/** What can be sent to a customer. */
export interface Options {
  readonly customers: readonly { readonly id: string; readonly name: string }[];
  readonly choices: readonly {
    readonly id: string;
    readonly title: string;
    readonly detail?: string;
    readonly blanks: readonly {
      readonly name: string;
      readonly label: string;
      readonly required: boolean;
      readonly choices?: readonly string[];
      readonly value?: string;
    }[];
  }[];
}

/** The most entries in a timeline. */
const shown = 30;

export const makeCustomers = ({
  interactions,
  forms,
  showsCode = false,
  clock,
  newId,
}: Pick<DeskContext, 'clock' | 'forms' | 'interactions' | 'newId' | 'showsCode'>) => {
  // Every change of an open conversation asks for the names and prices again.
  const lookups = new LRUCache<string, BootstrapAnswer<AppId>>({ max: 500, ttl: 60_000 });
  const lookup = async <Id extends AppId>(app: Id, phoneNumber: string): Promise<BootstrapAnswer<Id> | undefined> => {
    const key = `${app} ${phoneNumber}`;
    const known = lookups.get(key);
    if (known) return known as BootstrapAnswer<Id>;
    const answer = await interactions.lookup(app, { phoneNumber, sessionRef: newId() });
    if ('trouble' in answer) return undefined;
    lookups.set(key, answer.found);
    return answer.found;
  };
  /** The name of the customer whom a request named. If nobody may learn whether there is one, an agent may not either. */
  const nameIn = async ({ blindLookup, customerRef, outcome, phoneNumber }: Interaction): Promise<string> => {
    if (blindLookup && outcome?.status !== 'success') return '';
    return (await lookup('one-time-passcode', phoneNumber))?.customers.find(({ id }) => id === customerRef)?.name ?? '';
  };
  const maskedNameIn = async (interaction: Interaction): Promise<string> => {
    const name = await nameIn(interaction);
    return name === '' ? '' : maskName(name);
  };
  const maskedIn = async (interaction: Interaction): Promise<string> =>
    [await maskedNameIn(interaction), maskPhoneNumber(interaction.phoneNumber)].filter(Boolean).join(' ');

  /** What a payment is about: what was paid, or what the product costs. */
  const priceOf = async ({ app, outcome, phoneNumber, request }: Interaction): Promise<TimelineEntry['price'] | undefined> => {
    if (app !== 'payments') return undefined;
    const { amount, currency } = outcome?.result?.app === 'payments' ? outcome.result : {};
    if (amount !== undefined && currency !== undefined) return { amount, currency };
    const { productId } = request as { readonly productId?: string };
    const product = (await lookup(app, phoneNumber))?.products.find(({ id }) => id === productId);
    return product && { amount: product.price, currency: product.currency };
  };

  const entryOf = async (one: Interaction, subject: Shown): Promise<TimelineEntry> => {
    const compares = showsCode && one.state === 'waiting' && !one.blindLookup && one.requestId !== undefined;
    return timelineOf(one, {
      price: await priceOf(one),
      compare: compares ? compareCode(one.requestId) : undefined,
      whom: isAbout(one, subject) ? undefined : await maskedIn(one),
    });
  };

  /** The person whom the verification is about, and the request that shows who that is. */
  const subjectOf = (handoff: HandoffRecord, all: readonly Interaction[]) => {
    const state = stateAt(handoff, clock.now());
    const { customerRef, phone, requestId }: Subject = state;
    const by =
      state.state === 'none'
        ? all.find(({ blindLookup, phoneNumber }) => !blindLookup && (phone === undefined || maskPhoneNumber(phoneNumber) === phone))
        : all.find((one) => requestId !== undefined && one.requestId === requestId);
    const proven = state.state === 'verified';
    return { by, phone, proven, ref: state.state === 'none' ? by?.customerRef : customerRef };
  };
  type Shown = ReturnType<typeof subjectOf>;

  /** Whether a request named the panel's customer. */
  const isAbout = ({ blindLookup, customerRef, outcome, phoneNumber }: Interaction, { by, ref }: Shown) =>
    blindLookup && outcome?.status !== 'success' ? phoneNumber === by?.phoneNumber : customerRef === ref;

  /** The person whom the badge is about: masked, unless the chat is verified for them. */
  const customerOf = async ({
    by,
    phone,
    proven,
    ref,
  }: Shown): Promise<{ readonly name: string; readonly phone: string; readonly ref?: string } | undefined> => {
    if (!by) return proven ? { name: '', phone: phone ?? '', ...(ref !== undefined && { ref }) } : undefined;
    return proven
      ? { name: await nameIn(by), phone: by.phoneNumber, ref: by.customerRef }
      : { name: await maskedNameIn(by), phone: maskPhoneNumber(by.phoneNumber) };
  };

  return {
    panel: async (handoff: HandoffRecord) => {
      const all = await interactions.inConversation(handoff.conversation, shown);
      const subject = subjectOf(handoff, all);
      const customer = await customerOf(subject);
      return {
        badge: badgeOf(handoff, clock.now()),
        ...(customer && { customer }),
        timeline: await Promise.all(all.map((one) => entryOf(one, subject))),
      };
    },

    /** Names the people in a conversation's events, masked. */
    whoIn: async ({ conversation }: HandoffRecord): Promise<NameOf> => {
      const all = await interactions.inConversation(conversation, shown);
      const known = new Map<string, string>();
      for (const one of all) {
        const who = await maskedIn(one);
        if (!(one.blindLookup && one.outcome?.status !== 'success')) known.set(one.customerRef, who);
        const phone = maskPhoneNumber(one.phoneNumber);
        if (!known.has(phone)) known.set(phone, who);
      }
      return (person) => {
        const { customerRef, phone } = person ?? {};
        return (customerRef !== undefined && known.get(customerRef)) || (customerRef === undefined && known.get(phone ?? '')) || phone;
      };
    },

    /** What can be sent, or why there is nothing to choose from. */
    options: async (
      handoff: HandoffRecord,
      app: AppId,
      given: string | undefined,
    ): Promise<Options | 'number_needed' | 'service' | 'unknown_customer'> => {
      const { by, proven } = subjectOf(handoff, await interactions.inConversation(handoff.conversation, shown));
      const phoneNumber = given ?? by?.phoneNumber;
      if (phoneNumber === undefined) return 'number_needed';
      const answer = await interactions.lookup(app, { phoneNumber, sessionRef: newId() }, handoff.language);
      if ('trouble' in answer) return answer.trouble === 'rejected' ? 'unknown_customer' : 'service';
      const { found } = answer;
      if (found.customers.length === 0) return 'unknown_customer';
      const own = proven && by?.phoneNumber === phoneNumber ? by.customerRef : undefined;
      return {
        customers: found.customers
          .filter(({ id }) => own === undefined || id === own)
          .map(({ id, name }) => ({ id, name: id === own ? name : maskName(name) })),
        choices: choicesIn(found, app === 'e-form' ? forms : [], handoff.language),
      };
    },
  };
};

/** The choices in a bootstrap, of any app. */
const choicesIn = (found: object, forms: DeskContext['forms'], language: string): Options['choices'] => {
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
