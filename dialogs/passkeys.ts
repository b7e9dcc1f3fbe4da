// passkeys: a request to sign in with a passkey, recognised by two digits that the chat shows too.
import { defineAppDialog } from './app.ts';
import { maskEmail, maskName } from './mask.ts';

export const passkeys = defineAppDialog({
  id: 'passkeys',
  comparesCode: true,
  instead: ({ isEnrolled }) => (isEnrolled === false ? 'one-time-passcode' : undefined),
  about: (_turn, { customer }) => ({ customer: maskName(customer.name), email: maskEmail(customer.email) }),
  destination: ({ customer }) => maskEmail(customer.email),
  request: ({ t }, { sessionRef, phoneNumber, customer, code }) => ({
    sessionRef,
    phoneNumber,
    customerRef: customer.id,
    recipients: [{ email: customer.email, name: customer.name }],
    subject: t('passkeys.subject'),
    message: t('passkeys.message', { code }),
  }),
});
