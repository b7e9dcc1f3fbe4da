// payments: a request to pay for a product, to the customer's device (specification: Endpoints, Payments).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, recipient, sent } from './fields.ts';

/** Something that can be paid for. `price` is in major units of `currency` (ISO 4217), 12.5 for twelve and a half euros. */
export const product = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  price: z.number(),
  currency: z.string(),
});
export type Product = z.output<typeof product>;

export const payments = defineApp({
  id: 'payments',
  operations: {
    bootstrap: {
      method: 'GET',
      path: '/payments/bootstrap',
      request: z.strictObject(caller),
      response: z.object({ products: z.array(product), customers: z.array(customer) }),
    },
    send: {
      method: 'POST',
      path: '/payments/send',
      request: z.strictObject({ ...recipient, productId: z.string().min(1, 'must not be empty').max(100) }),
      response: sent,
    },
  },
  resultFields: {
    product: z.string(),
    quantity: z.number(),
    amount: z.number(),
    currency: z.string(),
    gateway: z.string(),
    productId: z.string(),
    transactionId: z.string(),
    gatewayUrl: z.string().optional(),
  },
});
