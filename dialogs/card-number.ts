// Card numbers have no place in a chat: they are recognised before anything else reads them.

const candidates = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** The check digit of payment cards (ISO/IEC 7812-1, annex B). */
const hasCheckDigit = (digits: string) =>
  [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;

/** Whether words hold what looks like the number of a payment card: 13 to 19 digits that begin with 2 to 6 and have the right check digit. */
export const holdsCardNumber = (typed: string): boolean =>
  (typed.normalize('NFKC').match(candidates) ?? []).some((match) => {
    const digits = match.replace(/\D/g, '');
    return /^[2-6]/.test(digits) && hasCheckDigit(digits);
  });
