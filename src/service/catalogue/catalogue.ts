// What an account offers and to whom: customers, products, documents and forms, as one YAML file holds them.
import { z } from 'zod';
import { phoneNumber, ref, timestamp } from '../../contract/index.ts';
import { languages } from '../languages.ts';
import { documentTemplate } from './document.ts';
import { currency, decimalsOf, text } from './fields.ts';
import { form } from './form.ts';

const customer = z.strictObject({
  /** The customerRef of requests. */
  id: ref,
  name: text,
  email: z.email('must be an e-mail address'),
  phoneNumber,
  language: z.enum(languages).default('en'),
  /** Present for a customer who counts as enrolled in demo mode, with the time a passkey was last used; elsewhere only passkeys count. */
  passkey: z.strictObject({ lastUsedAt: timestamp.optional() }).optional(),
});
export type Customer = z.output<typeof customer>;

const product = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must have letters, digits, hyphens and underscores only'),
    title: text,
    description: text,
    /** In major units of the currency. */
    price: z.number().positive(),
    currency,
  })
  .superRefine(({ price, currency }, context) => {
    const decimals = decimalsOf(currency) ?? 2;
    if (Number(price.toFixed(decimals)) !== price) {
      context.addIssue({ code: 'custom', path: ['price'], message: `must have ${decimals} decimals at most in ${currency}` });
    }
  });

const distinct = <Item extends { id: string }>(items: z.ZodArray<z.ZodType<Item>>) =>
  items.superRefine((list, context) => {
    const ids = list.map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) !== index) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is used twice' });
    }
  });

/** The whole file. `language` is the language its own texts are written in. */
export const catalogue = z.strictObject({
  account: z.strictObject({ id: ref, name: text }),
  language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag, for example en'),
  customers: distinct(z.array(customer)),
  products: distinct(z.array(product)),
  documents: distinct(z.array(documentTemplate)),
  forms: distinct(z.array(form)),
});
export type Catalogue = z.output<typeof catalogue>;

/** The customers with a phone number, in the file's order; only the named one when a reference is given too. */
export const customersWith = ({ customers }: Catalogue, phoneNumber: string | undefined, customerRef?: string) =>
  customers.filter((one) => one.phoneNumber === phoneNumber && (customerRef === undefined || one.id === customerRef));
