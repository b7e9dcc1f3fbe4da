// A receipt as a function that fills in a literal: no languages, no care for what strangers write.

export interface Paid {
  readonly product: string;
  readonly amount: number;
  readonly currency: string;
  readonly transactionId: string;
  readonly timestamp: string;
}

export const plainReceipt = ({ product, amount, currency, transactionId, timestamp }: Paid) => ({
  card: {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.2',
    fallbackText: 'Paid',
    body: [
      { type: 'TextBlock', text: 'Paid', weight: 'Bolder', wrap: true },
      { type: 'TextBlock', text: `${amount.toFixed(2)} ${currency}`, size: 'ExtraLarge' },
      {
        type: 'FactSet',
        facts: [
          { title: 'Product', value: product },
          { title: 'Transaction', value: transactionId },
          { title: 'When', value: timestamp },
        ],
      },
    ],
    actions: ['Menu', 'Help', 'Person'].map((title) => ({ type: 'Action.Submit', title, data: { action: title } })),
  },
  text: `Paid: ${product}, ${amount.toFixed(2)} ${currency}, ${transactionId}`,
});
