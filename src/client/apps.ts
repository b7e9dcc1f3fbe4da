// The five apps' calls by identifier.
import type { AppId } from '../contract/index.ts';
import { documentSignature } from './apps/document-signature.ts';
import { eForm } from './apps/e-form.ts';
import { type OneTimePasscodeCalls, oneTimePasscode } from './apps/one-time-passcode.ts';
import { type PasskeysCalls, passkeys } from './apps/passkeys.ts';
import { payments } from './apps/payments.ts';
import type { AppCalls, Caller } from './calls.ts';

/** What every app has, by identifier. Under this type, indexing with a generic identifier gives the generic calls. */
export type UniformApps = { readonly [Id in AppId]: AppCalls<Id> };

/** The calls of each app, with those that only some have. */
export type ServiceApps = UniformApps & { readonly 'one-time-passcode': OneTimePasscodeCalls; readonly passkeys: PasskeysCalls };

export const appsOf = (caller: Caller): ServiceApps =>
  ({
    passkeys: passkeys(caller),
    'one-time-passcode': oneTimePasscode(caller),
    'document-signature': documentSignature(caller),
    payments: payments(caller),
    'e-form': eForm(caller),
  }) satisfies ServiceApps;
