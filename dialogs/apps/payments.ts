// payments: a product is chosen here, and paid for on the customer's device.
import type { Product } from '../../src/contract/index.ts';
import { defineAppDialog, type Gathered } from '../asking/app-dialog.ts';
import { addresseeOf } from '../asking/caller.ts';
import { choosing } from './choosing.ts';

const chosenOf = ({ found, chosen }: Gathered<'payments'>): Product | undefined => found.products.find(({ id }) => id === chosen);

export const payments = defineAppDialog({
  id: 'payments',
  catalogued: true,
  choose: {
    none: 'payments.none',
    offered: (_turn, { found }) => found.products.map(({ id }) => id),
    question: choosing<'payments'>('product', ({ t }, { found }) => ({
      question: t('payments.choose'),
      offers: found.products.map(({ id, title, description, price, currency }) => ({
        title,
        value: id,
        ...(description !== undefined && { subtitle: description }),
        aside: t.money(price, currency),
      })),
    })),
  },
  about: (_turn, gathered) => ({ ...addresseeOf(gathered), product: chosenOf(gathered) as Product }),
  subject: (_turn, gathered) => chosenOf(gathered)?.title,
  price: (gathered) => {
    const { price: amount, currency } = chosenOf(gathered) ?? {};
    return amount === undefined || currency === undefined ? undefined : { amount, currency };
  },
  request: (_turn, { sessionRef, customer, phoneNumber, chosen = '' }) => ({
    sessionRef,
    customerRef: customer.id,
    phoneNumber,
    productId: chosen,
  }),
});
