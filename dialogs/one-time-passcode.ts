// one-time-passcode: a code goes to the phone, and comes back through the chat.
import { enterCode } from '../cards/index.ts';
import { passcodeTries } from '../src/interactions/passcode.ts';
import { addresseeOf, defineAppDialog } from './app.ts';
import { maskPhoneNumber } from './mask.ts';

/** A passcode as people type it: six digits, with spaces or hyphens between them, perhaps with a few words around. */
const passcodeIn = (typed: string): string | undefined => {
  const digits = /(?<!\d[ -]?)\d(?:[ -]?\d){5}(?![ -]?\d)/.exec(typed.normalize('NFKC'))?.[0];
  return digits?.replace(/[ -]/g, '');
};

export const oneTimePasscode = defineAppDialog({
  id: 'one-time-passcode',
  about: (_turn, gathered) => addresseeOf(gathered),
  request: (_turn, { sessionRef, customer, phoneNumber }) => ({ sessionRef, customerRef: customer.id, phoneNumber }),
  waiting: ({ t }, { phoneNumber, mistyped }, check, actions) =>
    enterCode(
      {
        phone: maskPhoneNumber(phoneNumber),
        check,
        actions,
        triesLeft: passcodeTries - mistyped,
        ...(mistyped > 0 && { because: 'wrong' }),
      },
      t,
    ),
  answered: async ({ t, services }, { id }, typed) => {
    const code = passcodeIn(typed);
    if (code === undefined) return /(?:\d\D*){3}/.test(typed) ? { say: t('passcode.notACode') } : undefined;
    const check = await services.interactions.check(id, code);
    switch (check.kind) {
      case 'mismatch':
        return { secret: true, say: t('passcode.mismatch', { left: check.triesLeft }) };
      case 'trouble':
        return { secret: true, say: t(`trouble.${check.trouble}`) };
      // The outcome is told by a turn of its own, like every other.
      case 'match':
      case 'dead':
      case 'over':
        return { secret: true };
      default:
        return check satisfies never;
    }
  },
});
