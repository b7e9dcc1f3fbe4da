// The apps' operations: bootstraps in all their ways, sends, and the passcode check.
import { type AppId, appIds, apps, idempotencyHeader } from '../../contract/index.ts';
import { iso } from '../../platform/clock.ts';
import type { Account } from '../accounts.ts';
import type { SendBody } from '../apps/app.ts';
import { serviceApps } from '../apps/index.ts';
import { type Catalogue, type Customer, customersWith } from '../catalogue/catalogue.ts';
import { idempotencyKey } from '../life/idempotency.ts';
import { type CheckPasscode, plainCode } from '../life/passcodes.ts';
import type { Send } from '../life/sends.ts';
import type { Requests } from '../store/requests.ts';
import type { AddOperation } from './operations.ts';

export interface AppOperationsOptions {
  readonly add: AddOperation;
  readonly catalogue: Catalogue;
  readonly requests: Requests;
  readonly send: Send;
  readonly checkPasscode: CheckPasscode;
}

interface Caller {
  readonly phoneNumber?: string | undefined;
  readonly customerRef?: string | undefined;
}

export const addAppOperations = ({ add, catalogue, requests, send, checkPasscode }: AppOperationsOptions) => {
  const bootstrap = async (id: AppId, account: Account, { phoneNumber, customerRef }: Caller) => {
    const customers = customersWith(catalogue, phoneNumber, customerRef);
    return { ...serviceApps[id].offers(catalogue), ...(await customersFor(id, account, customers, requests)) };
  };

  for (const id of appIds) {
    const { bootstrap: checked, send: sending } = apps[id].operations;
    // Whoever asks with GET may leave out the caller where the interface has an operation for that.
    const configuration = id === 'passkeys' ? apps.passkeys.operations.configuration : checked;
    const { path } = checked;
    add({
      method: 'GET',
      path,
      from: 'bodyOrQuery',
      schema: configuration.request,
      answer: ({ account, input }) => bootstrap(id, account, input),
    });
    add({ method: 'POST', path, from: 'body', schema: checked.request, answer: ({ account, input }) => bootstrap(id, account, input) });
    add({
      method: 'POST',
      path: sending.path,
      from: 'body',
      schema: sending.request,
      answer: ({ account, input, request }) =>
        send(account, id, input as SendBody<typeof id>, idempotencyKey(request.headers[idempotencyHeader.toLowerCase()])),
    });
  }

  const { path, request: schema } = apps['one-time-passcode'].operations.check;
  add({
    method: 'POST',
    path,
    from: 'body',
    schema,
    // The code's length is a rule about the code, not about how it was typed.
    repair: (input) => ('code' in input && typeof input.code === 'string' ? { ...input, code: plainCode(input.code) } : input),
    answer: async ({ account, input }) => ({ codeMatch: await checkPasscode(account.id, input.requestId.toUpperCase(), input.code) }),
  });
};

const customersFor = async (id: AppId, account: Account, customers: readonly Customer[], requests: Requests) => {
  const listed = customers.map(({ id, name, email }) => ({ id, name, email }));
  if (id !== 'passkeys') return { customers: listed };
  return {
    customers: listed.map((customer, index) => ({ ...customer, isEnrolled: customers[index]?.passkey !== undefined })),
    authentication: await lastAuthentication(account, customers, requests),
  };
};

/** When one of the customers last used a passkey: here, or before, as the catalogue tells. */
const lastAuthentication = async (account: Account, customers: readonly Customer[], requests: Requests) => {
  const refs = customers.map(({ id }) => id);
  const latest = await requests.latestSuccess(account.id, 'passkeys', refs);
  if (latest) {
    const { id, customerRef, phoneNumber } = latest.request;
    return { id, customerRef, ...(phoneNumber !== undefined && { phoneNumber }), timestamp: iso(latest.at) };
  }
  const [before] = customers
    .filter(({ passkey }) => passkey?.lastUsedAt !== undefined)
    .sort((a, b) => Date.parse(b.passkey?.lastUsedAt ?? '') - Date.parse(a.passkey?.lastUsedAt ?? ''));
  if (!before) return null;
  const { id, phoneNumber, passkey } = before;
  return { id: `passkey-${id}`, customerRef: id, phoneNumber, timestamp: passkey?.lastUsedAt };
};
