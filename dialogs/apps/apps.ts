// The five apps as dialogs.
import type { AppId } from '../../src/contract/index.ts';
import type { AppDialog } from '../asking/app-dialog.ts';
import { documentSignature } from './document-signature.ts';
import { eForm } from './e-form.ts';
import { oneTimePasscode } from './one-time-passcode.ts';
import { passkeys } from './passkeys.ts';
import { payments } from './payments.ts';

export const appDialogs = {
  passkeys,
  'one-time-passcode': oneTimePasscode,
  'document-signature': documentSignature,
  payments,
  'e-form': eForm,
} satisfies { [Id in AppId]: AppDialog<Id> };
