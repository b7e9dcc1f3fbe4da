// What the cards of the gallery are about: a customer, a product, a document.
import { type ButtonName, button, type RequestData, type Texts } from '../../cards/index.ts';
import type { AppId, Product } from '../contract/index.ts';
import { sampleInstant } from './records.ts';

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

/** Buttons by their names. */
export const actionsIn =
  (t: Texts) =>
  (...names: readonly ButtonName[]) =>
    names.map((name) => button(name, `act-${name}`, t));
