// passkeys: a request to sign in with a passkey, recognised by two digits that the chat shows too.
import { addresseeOf, defineAppDialog } from './app.ts';

export const passkeys = defineAppDialog({
  id: 'passkeys',
  comparesCode: true,
  instead: ({ isEnrolled }) => (isEnrolled === false ? 'one-time-passcode' : undefined),
  about: (_turn, gathered) => addresseeOf(gathered),
  request: ({ t }, { sessionRef, phoneNumber, customer, code }) => ({
    sessionRef,
    phoneNumber,
    customerRef: customer.id,
    recipients: [{ email: customer.email, name: customer.name }],
    subject: t('passkeys.subject'),
    message: t('passkeys.message', { code }),
  }),
});
