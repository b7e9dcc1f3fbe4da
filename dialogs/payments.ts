// payments: a product is chosen here, and paid for on the customer's device.
import type { Product } from '../src/contract/index.ts';
import { addresseeOf, defineAppDialog, type Gathered } from './app.ts';
import { offer } from './offer.ts';

const chosenOf = ({ found, chosen = 0 }: Gathered<'payments'>) => found.products[chosen] as Product;

export const payments = defineAppDialog({
  id: 'payments',
  choose: {
    none: (_turn, { found }) => found.products.length === 0,
    question: offer<Gathered<'payments'>>('product', ({ t }, { found }) => ({
      question: t('payments.choose'),
      offers: found.products.map(({ title, description, price, currency }) => ({
        title,
        ...(description !== undefined && { subtitle: description }),
        aside: t.money(price, currency),
      })),
    })),
  },
  about: (_turn, gathered) => ({ ...addresseeOf(gathered), product: chosenOf(gathered) }),
  subject: (_turn, gathered) => chosenOf(gathered).title,
  request: (_turn, gathered) => ({
    sessionRef: gathered.sessionRef,
    customerRef: gathered.customer.id,
    phoneNumber: gathered.phoneNumber,
    productId: chosenOf(gathered).id,
  }),
});
