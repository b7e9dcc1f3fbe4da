// one-time-passcode: a code goes to the phone, and comes back through the chat.
import { enterCode, type Texts } from '../../cards/index.ts';
import { apps } from '../../src/contract/index.ts';
import { isPartOfCode, plainDigits, possibleCodes } from '../../src/platform/text/possible-codes.ts';
import { defineAppDialog } from '../asking/app-dialog.ts';
import { addresseeOf } from '../asking/caller.ts';
import { comparable, isSpaceless, phrasesOf } from '../language/words.ts';

const { tries } = apps['one-time-passcode'].operations.check;

export const oneTimePasscode = defineAppDialog({
  id: 'one-time-passcode',
  about: (_turn, gathered) => addresseeOf(gathered),
  request: (_turn, { sessionRef, customer, phoneNumber }) => ({ sessionRef, customerRef: customer.id, phoneNumber }),
  waiting: ({ t }, { mistyped }, { to, ...shown }) =>
    enterCode({ phone: to, ...shown, triesLeft: tries - mistyped, ...(mistyped > 0 && { because: 'wrong' }) }, t),
  answered: async ({ t, services, input, channel }, { id }, typed) => {
    const code = passcodeIn(typed, input.kind === 'action' ? 'card' : 'chat', t);
    if (code === undefined && isPartOfCode(typed)) return { secret: true, say: t('passcode.notACode') };
    if (code === undefined) return /(?:\d\D*){3}/.test(typed) ? { say: t('passcode.notACode') } : undefined;
    const check = await services.interactions.check(id, code);
    switch (check.kind) {
      case 'mismatch':
        // The card says so at its field, where the customer is.
        return { secret: true, say: input.kind === 'action' && channel.webChat ? '' : t('passcode.mismatch', { left: check.triesLeft }) };
      case 'trouble':
        return { secret: true, say: t(`trouble.${check.trouble}`) };
      // The outcome is delivered in a separate turn, like every other.
      case 'match':
      case 'dead':
      case 'over':
        return { secret: true };
      default:
        return check satisfies never;
    }
  },
});

/** Six digits, whatever is between them and around, perhaps in words. */
const digitsIn = (typed: string): string | undefined => possibleCodes(typed)[0]?.code;

/**
 * A code from a field that asks only for a code. Six characters stay as they are, unless they are digits in words or
 * signs; otherwise spaces are removed.
 */
const entered = (typed: string): string | undefined => {
  const [{ code, start, end } = { start: -1 }] = possibleCodes(typed);
  if (start === 0 && end === typed.length) return code;
  return [typed, typed.replace(/\s/g, '')].find((text) => /^\S{6}$/.test(text)) ?? code;
};

/**
 * Text typed into the chat, where people also talk, and every wrong code uses up one of five tries. Six characters with
 * a digit among them are a code, alone or as the only such word of a sentence. Letters alone are a word ("please"),
 * unless they are capitals after a word for "code".
 */
const said = (typed: string, t: Texts): string | undefined => {
  if (/^(?=.*\d)\S{6}$/.test(typed) && !isSpaceless(typed)) return typed;
  const digits = digitsIn(typed);
  if (digits !== undefined) return digits;
  const words = typed.split(/\s+/).map((word) => word.replace(/(?<![.,;:!?])[.,;:!?]+$/, ''));
  const mixed = words.filter((word) => /^(?=.*\d)(?=.*[\p{L}_])[\p{L}\p{N}_-]{6}$/u.test(word));
  if (mixed.length === 1) return mixed[0];
  const [named = '', letters = ''] = words.slice(-2);
  const isNamed =
    phrasesOf(t, 'phrases.apps.one-time-passcode').includes(comparable(named)) &&
    (named !== named.toUpperCase() || named === named.toLowerCase());
  return isNamed && /^\p{Lu}{6}$/u.test(letters) ? letters : undefined;
};

/** The code in the text that came from `by`; `undefined` if there is none. */
export const passcodeIn = (typed: string, by: 'card' | 'chat', t: Texts): string | undefined => {
  const text = plainDigits(typed).trim();
  return by === 'card' ? entered(text) : said(text, t);
};
