// An account's catalogue: customers, products, documents and forms, in one YAML file.
import { z } from 'zod';
import { type AppId, appIds, apps, phoneNumber, ref, timestamp } from '../../../contract/index.ts';
import type { Theme } from '../../../platform/pages/theme.ts';
import { languages } from '../../../platform/text/languages.ts';
import { decimalsOf, unitsOf } from '../money.ts';
import { documentTemplate, print } from './document.ts';
import { currency, distinct, encryptionKey, filledText, translations } from './fields.ts';
import { form } from './form.ts';
import { accountKeys, type Places } from './secrets.ts';
import { endpoints } from './webhook-endpoints.ts';

const customer = z.strictObject({
  /** The customerRef of requests. */
  id: ref,
  name: filledText,
  email: z.email('must be an e-mail address'),
  phoneNumber,
  /** The language for messages to them. Unset: the chat's, if the send names it, or else the catalogue's. */
  language: z.enum(languages).optional(),
  /**
   * Present for a customer who counts as enrolled in demo mode, with the time a passkey was last used; elsewhere only
   * passkeys count.
   */
  passkey: z.strictObject({ lastUsedAt: timestamp.optional() }).optional(),
});
export type CatalogueCustomer = z.output<typeof customer>;

/** A price as the file writes it, in major units: a number, or a decimal between quotation marks. */
const decimal = z
  .union([z.number(), z.string()])
  .transform(String)
  .refine((price) => /^\d{1,15}(\.\d{1,10})?$/.test(price) && Number(price) > 0, 'must be a price such as 59.9 or "59.90"');

/** Something to pay for, its price in minor units. */
const product = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must have letters, digits, hyphens and underscores only'),
    title: filledText,
    description: filledText,
    /** What is paid for the whole quantity. */
    price: decimal,
    currency,
    quantity: z.int('must be a whole number').min(1, 'must be 1 at least').max(999, 'must be 999 at most').default(1),
    texts: translations(z.strictObject({ title: filledText, description: filledText })),
  })
  .transform(({ price, ...product }, context) => {
    const decimals = decimalsOf(product.currency) ?? 2;
    const minor = unitsOf(price, decimals);
    if (minor === undefined) {
      context.addIssue({ code: 'custom', path: ['price'], message: `must have ${decimals} decimals at most in ${product.currency}` });
      return z.NEVER;
    }
    return { ...product, minor };
  });

const byId = distinct(({ id }: { readonly id: string }) => id, ['id']);

/** A passcode is valid for ten minutes at most (NIST SP 800-63B-4, 3.1.3.2); everything else for a day. */
const minutesUpTo = (max: number) => z.int('must be a whole number').min(1, 'must be 1 at least').max(max, `must be ${max} at most`);
const day = 24 * 60;
type MinutesByApp = Record<AppId, ReturnType<typeof minutesUpTo>>;
const expiryMinutes = z
  .strictObject(Object.fromEntries(appIds.map((app) => [app, minutesUpTo(apps[app].answeredIn === 'chat' ? 10 : day)])) as MinutesByApp)
  .partial();

/**
 * One account's catalogue. `language`: the language of its texts.
 * @param places - where its secrets are looked for; without them, keys and webhooks are left out
 */
export const catalogueIn = (places: Places | undefined) =>
  z.strictObject({
    account: z.strictObject({
      id: ref,
      name: print,
      /** What zero-knowledge forms are encrypted for; the private half stays with the account. */
      encryptionKey: encryptionKey.optional(),
      /** The secret keys that open it, beside the service's own for the first account. */
      keys: accountKeys(places),
    }),
    language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag, for example en'),
    /** The file that says how its pages look, below the catalogue's own folder unless the path is absolute. */
    theme: z.string().min(1, 'must not be empty').optional(),
    customers: z.array(customer).superRefine(byId),
    products: z.array(product).superRefine(byId),
    documents: z.array(documentTemplate).superRefine(byId),
    forms: z.array(form).superRefine(byId),
    /** Where the account receives webhooks. */
    webhooks: endpoints(places),
    /** The lifetime of requests in minutes, if not the default. */
    expiryMinutes: expiryMinutes.default({}),
  });
/** One account's catalogue, with the secrets and the theme that the file only refers to. */
export type Catalogue = Omit<z.output<ReturnType<typeof catalogueIn>>, 'theme'> & { readonly theme?: Theme | undefined };

/** A file with several accounts, each in the form of a single one's file. */
export const cataloguesIn = (places: Places | undefined) =>
  z.strictObject({
    accounts: z
      .array(catalogueIn(places))
      .min(1, 'must name an account')
      .superRefine(distinct(({ account }) => account.id, ['account', 'id'])),
  });

/** The customers with a phone number, in the file's order; only the named one when a reference is given too. */
export const customersWith = ({ customers }: Catalogue, phoneNumber: string | undefined, customerRef?: string) =>
  customers.filter((one) => one.phoneNumber === phoneNumber && (customerRef === undefined || one.id === customerRef));
