// A valid send for every app, for the tests of both sides of the interface.
import type { AppId } from '../../src/contract/index.ts';

/** Customers of the demo catalogue by the end of their phone number. */
export const customers = {
  '0101': 'cust-0101-avery',
  '0102': 'cust-0102-mei',
  '0110': 'cust-0110-samira',
  '0111': 'cust-0111-tomas',
  '0112': 'cust-0112-lucia',
  '0113': 'cust-0113-oliver',
  '0114': 'cust-0114-ines',
} as const;
export type Ending = keyof typeof customers;

const own: Record<AppId, object> = {
  passkeys: {
    recipients: [{ email: 'mei.tanaka@example.com', name: 'Mei Tanaka' }],
    subject: 'Sign in',
    message: 'You are signing in. Your number is 47.',
  },
  'one-time-passcode': {},
  'document-signature': {
    documentId: '5d0c0000-0000-4000-8000-000000000001',
    variables: { accountHolder: 'Mei Tanaka', accountEnding: '0042', monthlyLimit: '150.50', firstCollection: '2026-12-05' },
  },
  payments: { productId: 'ev-charging-pass' },
  'e-form': { formId: '6f1c0000-0000-4000-8000-000000000001' },
};

/** The body of a valid send. */
export const sendBody = (app: AppId, ending: Ending = '0102') => ({
  sessionRef: 'session-0001',
  customerRef: customers[ending],
  phoneNumber: `+1202555${ending}`,
  ...own[app],
});

/** The send of a short form that takes a single post, and that post. */
export const shortForm = (ending?: Ending) => ({ ...sendBody('e-form', ending), formId: '6f1c0000-0000-4000-8000-000000000003' });
export const shortAnswer = { decision: 'accept', 'a.rating': 'good' };
