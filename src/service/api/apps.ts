// The apps' operations: bootstraps in all their ways, sends, and the passcode check.
import { type AppId, appIds, apps, idempotencyHeader } from '../../contract/index.ts';
import type { Account } from '../accounts.ts';
import type { SendBody } from '../apps/app.ts';
import { serviceApps } from '../apps/index.ts';
import { type Catalogue, customersWith } from '../catalogue/catalogue.ts';
import { idempotencyKey } from '../life/idempotency.ts';
import { type CheckPasscode, plainCode } from '../life/passcodes.ts';
import type { Send } from '../life/sends.ts';
import type { Enrolments } from '../passkeys/enrolments.ts';
import type { AddOperation } from './operations.ts';

export interface AppOperationsOptions {
  readonly add: AddOperation;
  readonly catalogue: Catalogue;
  readonly enrolments: Enrolments;
  readonly send: Send;
  readonly checkPasscode: CheckPasscode;
}

interface Caller {
  readonly phoneNumber?: string | undefined;
  readonly customerRef?: string | undefined;
}

export const addAppOperations = ({ add, catalogue, enrolments, send, checkPasscode }: AppOperationsOptions) => {
  const bootstrap = async (id: AppId, account: Account, { phoneNumber, customerRef }: Caller) => {
    const customers = customersWith(catalogue, phoneNumber, customerRef);
    const offered = serviceApps[id].offers(catalogue);
    if (id === 'passkeys') return { ...offered, ...(await enrolments(account.id, customers)) };
    return { ...offered, customers: customers.map(({ id, name, email }) => ({ id, name, email })) };
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
      answer: ({ account, by, input, request }) =>
        send(account, id, input as SendBody<typeof id>, idempotencyKey(request.headers[idempotencyHeader.toLowerCase()]), by),
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
    answer: async ({ account, by, input }) => ({
      codeMatch: await checkPasscode(account.id, input.requestId.toUpperCase(), input.code, by),
    }),
  });
};
