// A valid request and answer for each call of the interface.
import type { AppId, BootstrapResponse, RequestRecord, ResultRecord, SendRequest, SendResponse } from '../../src/contract/index.ts';

export const requestId = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';
export const caller = { phoneNumber: '+12025550101', sessionRef: 'session-0001', customerRef: 'customer-1' };

const customers = [{ id: 'customer-1', name: 'Jane Doe', email: 'jane@example.com' }];
const sent = { requestId, wsToken: 'token-0001' };

export const samples: {
  readonly [Id in AppId]: {
    readonly bootstrapped: BootstrapResponse<Id>;
    readonly send: SendRequest<Id>;
    readonly sent: SendResponse<Id>;
  };
} = {
  passkeys: {
    bootstrapped: {
      customers: [{ ...(customers[0] as (typeof customers)[0]), isEnrolled: true }],
      authentication: { id: 'a-1', customerRef: 'customer-1', timestamp: '2026-11-20T08:26:17.000Z' },
    },
    send: { ...caller, recipients: [{ email: 'jane@example.com', name: 'Jane Doe' }], subject: 'Sign in', message: 'Your code is 42.' },
    sent,
  },
  'one-time-passcode': { bootstrapped: { customers }, send: caller, sent: { success: true, message: 'Sent.', requestId } },
  'document-signature': {
    bootstrapped: {
      customers,
      documents: [
        {
          id: '6f1c0000-0000-4000-8000-00000000000a',
          title: 'Lease',
          variables: [{ name: 'start', type: 'date', required: true }],
        },
      ],
    },
    send: { ...caller, documentId: '6f1c0000-0000-4000-8000-00000000000a', variables: { start: '2026-12-01' } },
    sent,
  },
  payments: {
    bootstrapped: { customers, products: [{ id: 'p-1', title: 'Invoice', description: 'November', price: 12.5, currency: 'EUR' }] },
    send: { ...caller, productId: 'p-1' },
    sent,
  },
  'e-form': { bootstrapped: { customers }, send: { ...caller, formId: '6f1c0000-0000-4000-8000-000000000001' }, sent },
};

export const paymentResult: ResultRecord<'payments'> = {
  accountId: 'account-1',
  app: 'payments',
  customerRef: 'customer-1',
  id: requestId,
  sessionRef: 'session-0001',
  status: 'success',
  timestamp: '2026-11-20T08:26:17.000Z',
  product: 'Invoice',
  quantity: 1,
  amount: 12.5,
  currency: 'EUR',
  gateway: 'sandbox',
  productId: 'p-1',
  transactionId: 't-1',
};

export const paymentRequest: RequestRecord = {
  id: requestId,
  app: 'payments',
  state: 'pending',
  customerRef: 'customer-1',
  sessionRef: 'session-0001',
  createdAt: '2026-11-20T08:26:17.000Z',
  expiresAt: '2026-11-20T08:36:17.000Z',
  events: [{ type: 'task.sent', timestamp: '2026-11-20T08:26:17.000Z' }],
};
