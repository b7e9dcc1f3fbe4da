// one-time-passcode: a code goes to the phone, and comes back through the chat.
import { enterCode } from '../cards/index.ts';
import { apps } from '../src/contract/index.ts';
import { addresseeOf, defineAppDialog } from './app-dialog.ts';
import { passcodeIn } from './passcode.ts';

const { tries } = apps['one-time-passcode'].operations.check;

export const oneTimePasscode = defineAppDialog({
  id: 'one-time-passcode',
  about: (_turn, gathered) => addresseeOf(gathered),
  request: (_turn, { sessionRef, customer, phoneNumber }) => ({ sessionRef, customerRef: customer.id, phoneNumber }),
  waiting: ({ t }, { mistyped }, { to, ...shown }) =>
    enterCode({ phone: to, ...shown, triesLeft: tries - mistyped, ...(mistyped > 0 && { because: 'wrong' }) }, t),
  answered: async ({ t, services, input }, { id }, typed) => {
    const code = passcodeIn(typed, input.kind === 'action' ? 'card' : 'chat', t);
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
