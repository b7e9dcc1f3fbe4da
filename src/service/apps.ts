// The five apps of the service by identifier. A missing one does not compile.
import type { AppId } from '../contract/index.ts';
import type { ServiceApp } from './core/app.ts';
import { documentSignature } from './document-signature/app.ts';
import { eForm } from './e-form/app.ts';
import { oneTimePasscode } from './one-time-passcode/app.ts';
import { passkeys } from './passkeys/app.ts';
import { payments } from './payments/app.ts';

export const serviceApps = {
  passkeys,
  'one-time-passcode': oneTimePasscode,
  'document-signature': documentSignature,
  payments,
  'e-form': eForm,
} as const satisfies { [Id in AppId]: ServiceApp<Id> };
