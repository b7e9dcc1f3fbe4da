// The five apps of the service by identifier. A missing one does not compile.
import type { AppId } from '../../../contract/index.ts';
import type { ServiceApp } from './app.ts';
import { documentSignature } from './document-signature.ts';
import { eForm } from './e-form.ts';
import { oneTimePasscode } from './one-time-passcode.ts';
import { passkeys } from './passkeys.ts';
import { payments } from './payments.ts';

export const serviceApps = {
  passkeys,
  'one-time-passcode': oneTimePasscode,
  'document-signature': documentSignature,
  payments,
  'e-form': eForm,
} as const satisfies { [Id in AppId]: ServiceApp<Id> };
