// What a request asks of its customer, whatever its outcome: what is to be paid, signed or filled in.
import type { AppId } from '../../../contract/index.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { TaskOf } from '../../core/app.ts';
import { erasedRef, type Request } from '../../core/store/request.ts';
import type { TextKey } from '../../core/texts.ts';
import type { Words } from '../words.ts';

/** The label of the title of each app's content. The contents of other apps have no title. */
const titles: Partial<Record<AppId, TextKey>> = {
  payments: 'console.result.product',
  'document-signature': 'console.request.document',
  'e-form': 'console.request.form',
};

/**
 * The facts shown to a customer that say what a request is about, by name: for a payment, the product and its price;
 * for a document or a form, its title. Nothing that was filled in, neither for the customer nor by them. Empty once the
 * customer is erased.
 */
export const subjectShown = (
  taskOf: TaskOf,
  request: Request,
  { t, money, number }: Words,
): readonly (readonly [string, Html | string | false])[] => {
  const label = titles[request.app];
  if (label === undefined || request.customerRef === erasedRef) return [];
  const { title, quantity, amount, currency } = taskOf(request).shown();
  return [
    [t(label), title !== undefined && html`<bdi>${title}</bdi>`],
    [t('console.result.quantity'), typeof quantity === 'number' && quantity > 1 && number(quantity)],
    [t('console.result.amount'), amount !== undefined && typeof currency === 'string' && money(amount, currency)],
  ];
};
