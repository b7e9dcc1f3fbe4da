// passkeys: a request to sign in with a passkey, recognised by two digits that the chat shows too.
import { defineAppDialog } from '../asking/app-dialog.ts';
import type { CustomerHandle } from '../asking/caller.ts';
import type { Turn } from '../turn/turn.ts';
import { isVerifiedFor } from '../turn/verified.ts';

/** The destination of its message. The address is looked up at the send: no chat knows it. */
const addressOf = ({ t }: Turn, { email }: CustomerHandle) => email ?? t('passkeys.address');

export const passkeys = defineAppDialog({
  id: 'passkeys',
  comparesCode: true,
  instead: ({ unmailable }) => (unmailable ? { to: 'one-time-passcode', because: 'email' } : undefined),
  otherWay: 'one-time-passcode',
  // A service may end a request with setting up a passkey, which does not confirm who the customer is.
  leavesMore: (turn, { customerRef, outcome }) => {
    const { action } = (outcome?.result ?? {}) as { readonly action?: string };
    return action === 'enrollment' && !isVerifiedFor(turn, customerRef);
  },
  about: (turn, { customer }) => ({ customer: customer.name, email: addressOf(turn, customer) }),
  destination: (turn, { customer }) => addressOf(turn, customer),
  request: ({ t, services }, { sessionRef, phoneNumber, customer, code }) => ({
    sessionRef,
    phoneNumber,
    customerRef: customer.id,
    subject: t('passkeys.subject'),
    message: services.showsCode ? t('passkeys.asked') : t('passkeys.message', { code }),
  }),
});
