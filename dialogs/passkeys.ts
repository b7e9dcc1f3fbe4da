// passkeys: a request to sign in with a passkey, recognised by two digits that the chat shows too.
import { defineAppDialog, type FoundCustomer } from './app.ts';
import { maskEmail, maskName } from './mask.ts';

/** The address that the request goes to. A service may know a customer without one, or with something else in its place. */
const emailOf = ({ email = '' }: FoundCustomer): string | undefined => (/^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined);

/** Who gets the message. Nobody is asked for instead of somebody without an address. */
const recipientsOf = (customer: FoundCustomer) => {
  const email = emailOf(customer);
  return email === undefined ? [] : [{ email, name: customer.name.trim() || email }];
};

export const passkeys = defineAppDialog({
  id: 'passkeys',
  comparesCode: true,
  instead: (customer) => {
    if (customer.isEnrolled === false) return { to: 'one-time-passcode', because: 'passkeys' };
    return emailOf(customer) === undefined ? { to: 'one-time-passcode', because: 'email' } : undefined;
  },
  about: (_turn, { customer }) => ({ customer: maskName(customer.name), email: maskEmail(emailOf(customer) ?? '') }),
  destination: ({ customer }) => maskEmail(emailOf(customer) ?? ''),
  request: ({ t, services }, { sessionRef, phoneNumber, customer, code }) => ({
    sessionRef,
    phoneNumber,
    customerRef: customer.id,
    recipients: recipientsOf(customer),
    subject: t('passkeys.subject'),
    message: services.showsCode ? t('passkeys.asked') : t('passkeys.message', { code }),
  }),
});
