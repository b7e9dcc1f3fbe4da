// payments: the customer sees what is to be paid, and pays it at the payment gateway.
import { z } from 'zod';
import { inLanguage } from '../../platform/text/direction.ts';
import { html } from '../../platform/text/html.ts';
import { defineServiceApp, type ResultFields, type ServiceApp } from '../core/app.ts';
import { wordsIn } from '../core/catalogue/fields.ts';
import { type Money, majorOf, plainAmount } from '../core/money.ts';
import type { Texts } from '../core/texts.ts';

const input = z.object({
  productId: z.string(),
  title: z.string(),
  description: z.string(),
  /** The language of these two. Absent in requests of an earlier version: the catalogue's language. */
  language: z.string().optional(),
  quantity: z.number(),
  /** Minor units. JSON has no whole numbers of any size, so they are stored as text. */
  minor: z.string().regex(/^\d{1,20}$/),
  currency: z.string(),
  /** The gateway at the time of the send. */
  gateway: z.string(),
});
type Input = z.output<typeof input>;

const moneyOf = ({ minor, currency }: Input): Money => ({ minor: BigInt(minor), currency });

/** The payment that a stored request asks for. @throws {z.ZodError} if it is another app's. */
export const orderOf = (stored: unknown): Input & { readonly money: Money } => {
  const order = input.parse(stored);
  return { ...order, money: moneyOf(order) };
};

const known = (order: Input) => {
  const { productId, title, quantity, currency, gateway } = order;
  return { product: title, quantity, amount: majorOf(moneyOf(order)), currency, gateway, productId };
};

/** The record's fields for a completed payment. */
export const paid = (
  order: Input,
  by: { gateway: string; transactionId: string; receiptUrl?: string | undefined },
): ResultFields<'payments'> => ({
  ...known(order),
  gateway: by.gateway,
  transactionId: by.transactionId,
  ...(by.receiptUrl !== undefined && { gatewayUrl: by.receiptUrl }),
});

/** The price for people. */
export const priceIn = (texts: Texts, order: Input) => texts.money(plainAmount(moneyOf(order)), order.currency);

/** What the customer sees of a payment, for the audit trail. */
export const shownOf = (order: Input) => {
  const { productId: product, title, quantity, currency } = order;
  return { product, title, quantity, amount: plainAmount(moneyOf(order)), currency };
};

/** @param gateway - the name of the gateway in use */
export const definePayments = ({
  gateway,
  withdraw,
  keepsake,
}: { readonly gateway: string } & Required<Pick<ServiceApp<'payments'>, 'keepsake' | 'withdraw'>>) =>
  defineServiceApp({
    id: 'payments',
    channel: 'sms',
    answeredBy: 'link',
    describes: {
      send: 'The customer pays on the page of the payment gateway. The price is taken down now, whatever the catalogue says later.',
    },
    endsElsewhere: true,
    withdraw,
    keepsake,
    input,
    offers: ({ products, language: own }, language) => ({
      products: products.map((product) => {
        const { title, description } = wordsIn(product, language, own).words ?? product;
        return { id: product.id, title, description, price: majorOf(product), currency: product.currency };
      }),
    }),
    // The price is stored here, so that a later change of the catalogue does not change what is charged.
    accept: ({ productId }, { catalogue, language: wanted }) => {
      const product = catalogue.products.find(({ id }) => id === productId);
      if (!product) return { errors: [{ path: 'productId', message: 'names no product of this account' }] };
      const { words = product, language } = wordsIn(product, wanted, catalogue.language);
      const { quantity, minor, currency } = product;
      const { title, description } = words;
      return { value: { productId, title, description, language, quantity, minor: String(minor), currency, gateway } };
    },
    answer: (sent) => sent,
    message: (order, { texts, account, link, number }) => ({
      text: texts.t('message.payments', { account: account.name, product: order.title, amount: priceIn(texts, order), link, number }),
    }),
    page: (order, { texts, account, contentLanguage }) => {
      const { title, description, language = contentLanguage, quantity, gateway } = order;
      const price = priceIn(texts, order);
      return {
        title: texts.t('app.payments'),
        lead: texts.t('payments.lead', { account: account.name }),
        content: html`<div class="order">
        <div ${inLanguage(language)}><strong>${title}${quantity > 1 && ` × ${texts.number(quantity)}`}</strong><p>${description}</p></div>
        <dl><dt>${texts.t('payments.total')}</dt><dd>${price}</dd></dl>
      </div>`,
        accept: texts.t('payments.accept', { amount: price }),
        note: texts.t(gateway === 'sandbox' ? 'payments.note' : 'payments.elsewhere'),
      };
    },
    ends: (order, texts) => ({
      done: texts.t('payments.done', { amount: priceIn(texts, order) }),
      subject: order.title,
      declined: texts.t('payments.declined'),
      decline: texts.t('payments.decline'),
    }),
    sample: (order, newId) => paid(order, { gateway: 'sandbox', transactionId: `sandbox-${newId()}` }),
    known,
    shown: shownOf,
  });
