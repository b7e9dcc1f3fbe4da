// The data of the gallery's cards: a customer, a product, a document, and a complete result of every app.
import { type ButtonName, button, type RequestData, type Texts } from '../../cards/index.ts';
import { type AppId, appIds, type Product, type ResultRecord, type ResultStatus } from '../contract/index.ts';

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

/** The fields of an app's result beyond the common ones. */
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

/** A complete result of each app, by status. */
export const resultSamples = Object.fromEntries(
  appIds.map((app) => [app, (status: ResultStatus) => ({ ...common(status), app, ...fields[app] })]),
) as unknown as { readonly [Id in AppId]: (status: ResultStatus) => ResultRecord<Id> };

export const minutes = (count: number) => sampleInstant + count * 60_000;

export const phone = '+1•••0101';
const customer = 'J••• D.';
const addressee = { customer, phone };
const email = 'j•••@•••.com';
export const sentTo = (app: AppId) => (app === 'passkeys' ? email : phone);
export const product: Product = {
  id: 'annual',
  title: 'Annual plan',
  description: 'Twelve months, all devices',
  price: 1249.5,
  currency: 'EUR',
};
export const variables = [
  { name: 'full_name', type: 'text', required: true },
  { name: 'contract_start', type: 'date', required: true },
  { name: 'monthlyRent', type: 'currency', required: true },
  { name: 'number-of-tenants', type: 'number', required: false },
  { name: 'pets_allowed', type: 'boolean', required: false },
  { name: 'heating', type: 'choice', required: true, choices: ['gas', 'electric', 'none'] },
  { name: 'remarks', type: 'something-new', required: false },
];
export const values = { full_name: 'Jane Doe', contract_start: '2026-12-01', monthlyRent: '950.5', pets_allowed: 'false', heating: 'gas' };

export const requestSamples: RequestData = {
  passkeys: { customer, email },
  'one-time-passcode': addressee,
  'document-signature': { ...addressee, document: 'Rental agreement', variables, values },
  payments: { ...addressee, product },
  'e-form': { ...addressee, form: 'Change of address' },
};

export const subjects: Partial<Record<AppId, string>> = {
  'document-signature': 'Rental agreement',
  payments: 'Annual plan',
  'e-form': 'Change of address',
};

/** Buttons by name. */
export const actionsIn =
  (t: Texts) =>
  (...names: readonly ButtonName[]) =>
    names.map((name) => button(name, `act-${name}`, t));
