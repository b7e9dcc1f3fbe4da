// A complete result record of every app.
import { type AppId, appIds, type ResultRecord, type ResultStatus } from '../contract/index.ts';

/** Friday 20 November 2026, 14:32 UTC. */
export const sampleInstant = Date.UTC(2026, 10, 20, 14, 32);
const common = (status: ResultStatus) => ({
  accountId: 'acct-demo',
  customerRef: 'customer-0101',
  id: '01J9Z3NDEKTSV4RRFFQ69G5FAV',
  sessionRef: 'session-0001',
  status,
  timestamp: '2026-11-20T14:36:00.000Z',
});

const answers = [
  { type: 'text', key: 'street_and_number', value: '12 Harbour Street' },
  { type: 'date', key: 'movingDate', value: '2026-12-01' },
  { type: 'toggle', key: 'keep_newsletter', value: true },
  { type: 'number', key: 'household-size', value: 3 },
  { type: 'choices', key: 'contact_by', value: ['phone', 'e-mail'] },
  { type: 'group', key: 'emergency_contact', value: { firstName: 'Ana', phone: '+34 600 000 000' } },
  { type: 'toggle', key: 'paperPost', value: false },
  { type: 'text', key: 'remarks', value: null },
];

/** What an app's record has beside what all have. */
const fields: Readonly<Record<AppId, object>> = {
  passkeys: { action: 'authentication' },
  'one-time-passcode': {},
  'document-signature': { title: 'Rental agreement', url: 'https://documents.example.com/signed/7f3a' },
  payments: {
    product: 'Annual plan',
    quantity: 1,
    amount: 1249.5,
    currency: 'EUR',
    gateway: 'stripe',
    productId: 'annual',
    transactionId: 'pi_3OqX2eLkdIwHu7ix',
    gatewayUrl: 'https://pay.example.com/receipt/3OqX2e',
  },
  'e-form': { data: answers, zeroKnowledge: false },
};

/** A complete record of each app, by status. */
export const resultSamples = Object.fromEntries(
  appIds.map((app) => [app, (status: ResultStatus) => ({ ...common(status), app, ...fields[app] })]),
) as unknown as { readonly [Id in AppId]: (status: ResultStatus) => ResultRecord<Id> };
