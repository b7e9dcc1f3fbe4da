// payments: the details to confirm before the request is sent, and the receipt.
import type { Product } from '../src/contract/index.ts';
import { type Addressee, type AppCards, addresseeFacts, elsewhereUnlessVerified, endingCard, knownFacts } from './app-cards.ts';
import { openLink } from './message.ts';

export const payments: AppCards<
  'payments',
  Addressee & { readonly product: Pick<Product, 'title' | 'description' | 'price' | 'currency'> }
> = {
  subject: 'cards.facts.product',
  endUnknown: 'cards.expired.payments',
  named: ({ product }, t) => ({ amount: t.money(product.price, product.currency) }),
  summary: (data, t) => [
    ...addresseeFacts(data, t),
    { label: t('cards.facts.product'), value: data.product.title },
    ...knownFacts([{ label: t('cards.facts.description'), value: data.product.description }]),
  ],

  outcome(ending, t) {
    const { result, status, subject, verified } = ending;
    const paid = status === 'success';
    // The amount is what the chat asked for; the rest of the receipt is private to the customer.
    const receipt = paid && verified ? result : undefined;
    const { amount, currency, quantity } = result ?? {};
    const total =
      amount === undefined || currency === undefined ? [] : [{ label: t('cards.facts.amount'), value: t.money(amount, currency) }];
    return endingCard(
      'payments',
      ending,
      {
        // An amount that was not paid is an ordinary fact, not the figure of a receipt.
        ...(paid && total[0] && { figure: total[0] }),
        // Left out: productId, which names the product to programs; `product` names it to people.
        facts: knownFacts([
          { label: t('cards.facts.product'), value: receipt?.product ?? subject },
          { label: t('cards.facts.quantity'), value: quantity === undefined || quantity === 1 ? undefined : t.number(quantity) },
          ...(paid ? [] : total),
          { label: t('cards.facts.transaction'), value: receipt?.transactionId, written: true },
          { label: t('cards.facts.gateway'), value: receipt?.gateway },
        ]),
        // A receipt without its amount says so: the record had no readable one.
        notes:
          paid && result && total.length === 0
            ? [t('cards.detailsMissing')]
            : elsewhereUnlessVerified(ending, 'cards.payments.onDevice', t),
        // Only the record of a failure says so. An event alone, or a request that has expired, may hide a payment.
        also: status === 'failure' && result ? t('cards.payments.notCharged') : undefined,
        // Only with a receipt: if nothing was paid, the page behind the address might still take the money.
        links: openLink(t('cards.payments.open'), receipt?.gatewayUrl),
      },
      t,
    );
  },
};
