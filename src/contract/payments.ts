// payments: sends a request to pay for a product to the customer's device (docs/interface.md#sends).
import { z } from 'zod';
import { defineApp } from './app.ts';
import { caller, customer, customerReading, recipient, sent, sentReading } from './fields.ts';
import { lenient, needed, readable } from './lenient.ts';

const currency = z.string().meta({ description: 'ISO 4217.', examples: ['USD'] });

/**
 * A product that can be paid for. `price` is in major units of `currency` (ISO 4217): 12.5 is twelve and a half euros.
 */
const product = z
  .object({
    id: z.string().meta({ description: 'The productId of a send.', examples: ['energy-bill-november'] }),
    title: z.string().meta({ examples: ['Electricity and gas, November'] }),
    description: z.string().meta({ examples: ['Monthly bill for electricity and gas, due on 5 December.'] }),
    price: z.number().meta({ description: 'In major units: 12.5 for twelve and a half euros.', examples: [128.4] }),
    currency,
  })
  .meta({ id: 'Product' });

/** The least that a client needs of a product: its identity and its price. */
const productReading = z.object({
  id: needed(product.shape.id),
  title: needed(product.shape.title),
  description: lenient(product.shape.description),
  price: needed(product.shape.price),
  currency: needed(currency),
});
export type Product = z.output<typeof productReading>;

export const payments = defineApp({
  id: 'payments',
  lifetimeMinutes: 30,
  sentTo: 'phone',
  answeredIn: 'page',
  verifies: false,
  operations: {
    bootstrap: {
      summary: 'Find customers and products',
      method: 'GET',
      path: '/payments/bootstrap',
      repeat: 'safe',
      request: z.strictObject(caller),
      response: z.object({ products: z.array(product), customers: z.array(customer) }),
      reading: z.object({ products: readable(productReading), customers: readable(customerReading) }),
    },
    send: {
      summary: 'Ask a customer to pay',
      method: 'POST',
      path: '/payments/send',
      repeat: 'keyed',
      request: z.strictObject({
        ...recipient,
        productId: z
          .string()
          .min(1, 'must not be empty')
          .max(100)
          .meta({ description: 'The product.', examples: ['energy-bill-november'] }),
      }),
      response: sent,
      reading: sentReading,
    },
  },
  resultFields: {
    product: z.string().meta({ description: "The product's title.", examples: ['Electricity and gas, November'] }),
    quantity: z.number().meta({ examples: [1] }),
    amount: z.number().meta({ description: 'The total paid, in major units.', examples: [128.4] }),
    currency,
    gateway: z.string().meta({ description: 'The payment gateway.', examples: ['stripe'] }),
    productId: z.string().meta({ examples: ['energy-bill-november'] }),
    transactionId: z.string().meta({ description: "The gateway's id of the payment.", examples: ['pi_3Q2xLw'] }),
    gatewayUrl: z
      .string()
      .optional()
      .meta({ description: 'A receipt at the gateway.', examples: ['https://pay.example.com/receipts/3Q2xLw'] }),
  },
  storedFields: ['product', 'productId', 'quantity', 'amount', 'currency'],
});
