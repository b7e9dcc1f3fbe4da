// payments: the customer pays for a product, in a sandbox that moves no money.
import { z } from 'zod';
import { html } from '../../platform/html.ts';
import { defineServiceApp, type ResultFields } from './app.ts';

const gateway = 'sandbox';
const input = z.object({ productId: z.string(), title: z.string(), description: z.string(), amount: z.number(), currency: z.string() });
type Input = z.output<typeof input>;

const known = ({ productId, title, amount, currency }: Input) => ({ product: title, quantity: 1, amount, currency, gateway, productId });
const paid = (order: Input, newId: () => string): ResultFields<'payments'> => ({ ...known(order), transactionId: `${gateway}-${newId()}` });

export const payments = defineServiceApp({
  id: 'payments',
  channel: 'sms',
  answeredBy: 'link',
  input,
  offers: ({ products }) => ({ products }),
  // The price is taken down here: what is charged is what was asked for, whatever the catalogue says later.
  accept: ({ productId }, { catalogue }) => {
    const product = catalogue.products.find(({ id }) => id === productId);
    if (!product) return { errors: [{ path: 'productId', message: 'names no product of this account' }] };
    const { title, description, price, currency } = product;
    return { value: { productId, title, description, amount: price, currency } };
  },
  answer: (sent) => sent,
  message: ({ title, amount, currency }, { texts, account, link }) => ({
    text: texts.t('message.payments', { account: account.name, product: title, amount: texts.money(amount, currency), link }),
  }),
  page: ({ title, description, amount, currency }, { texts, account, contentLanguage }) => {
    const price = texts.money(amount, currency);
    return {
      title: texts.t('app.payments'),
      lead: texts.t('payments.lead', { account: account.name }),
      content: html`<div class="order">
        <div lang="${contentLanguage}"><strong>${title}</strong><p>${description}</p></div>
        <dl><dt>${texts.t('payments.total')}</dt><dd>${price}</dd></dl>
      </div>`,
      accept: texts.t('payments.accept', { amount: price }),
      note: texts.t('payments.note'),
    };
  },
  complete: (order, _, { newId }) => ({ value: paid(order, newId) }),
  sample: paid,
  known,
});
