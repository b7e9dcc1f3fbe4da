// Which customer: the matches of a number, masked, one button each. A single match is confirmed rather than chosen.
import type { Customer } from '../src/contract/index.ts';
import { isMailable } from '../src/interactions/recipients.ts';
import { personChoice } from './agent.ts';
import { parsePhoneNumber } from './caller.ts';
import { maskEmail, maskName, maskPhoneNumber } from './mask.ts';
import { offer } from './offer.ts';
import type { Choice, Question, Reading } from './question.ts';
import { phrasesOf } from './recogniser.ts';
import type { Turn } from './turn.ts';

/** More matches than this are not offered: a list would disclose too much (security: lookup). */
export const mostOffered = 5;

/** A customer as a chat may know them before anybody is verified (docs/decisions/0008): by handle, and by what they recognise themselves by. */
export interface CustomerHandle {
  /** The service's identifier. */
  readonly id: string;
  /** Masked. */
  readonly name: string;
  /** Masked; only of those whose masked names are the same. */
  readonly email?: string;
  /** Nothing can be sent to them by e-mail. */
  readonly unmailable?: true;
}

/** What is kept of the customers that a look-up found. */
export const handlesOf = (customers: readonly Customer[]): CustomerHandle[] => {
  const masked = customers.map(({ name }) => maskName(name));
  return customers.map(({ id, email }, index) => {
    const name = masked[index] as string;
    const alike = masked.filter((other) => other === name).length > 1;
    return { id, name, ...(alike && email !== undefined && { email: maskEmail(email) }), ...(!isMailable(email) && { unmailable: true }) };
  });
};

/** Whoever a number and initials name, as long as nobody may learn who that is. */
export const unknownCustomer = (initials: string): CustomerHandle => ({
  id: '',
  name: [...initials].map((letter) => `${letter}.`).join(' '),
});

export interface CustomerOptions {
  readonly phoneNumber: string;
  readonly customers: readonly CustomerHandle[];
}

/** The customer by the service's identifier, or another way on. */
export type CustomerAnswer = { readonly customerRef: string } | 'another' | 'agent' | { readonly phoneNumber: string };

/** Whoever sees that the number was wrong types the right one, whatever the question was. */
const readNumber = ({ t, services }: Turn, typed: string): Reading<CustomerAnswer, never> => {
  const phoneNumber = parsePhoneNumber(typed, services.defaultRegion);
  return phoneNumber ? { answer: { phoneNumber } } : { repair: t('question.notUnderstood') };
};

const offered = offer<CustomerOptions, CustomerAnswer>('customer', ({ t }, { phoneNumber, customers }) => {
  const masked = customers.map(({ id, name, email }) => ({
    title: name,
    ...(email !== undefined && { subtitle: email }),
    value: { customerRef: id },
  }));
  const [only] = masked;
  const another: Choice<CustomerAnswer> = { title: t('customer.another'), value: 'another' };
  return only && masked.length === 1
    ? {
        question: t('customer.confirm', { name: only.title }),
        others: [
          { title: t('cards.buttons.yes'), value: only.value, style: 'positive', phrases: phrasesOf(t, 'phrases.yes') },
          { ...another, phrases: phrasesOf(t, 'phrases.no') },
        ],
      }
    : { question: t('customer.choose', { phone: maskPhoneNumber(phoneNumber) }), offers: masked, others: [another] };
});

const customerQuestion: Question<CustomerOptions, CustomerAnswer> = { ...offered, read: readNumber };

const nobody = offer<{ readonly phoneNumber: string }, CustomerAnswer>('nobody', (turn, { phoneNumber }) => ({
  question: turn.t('nobody.text', { phone: maskPhoneNumber(phoneNumber) }),
  others: [{ title: turn.t('customer.another'), value: 'another', phrases: phrasesOf(turn.t, 'phrases.yes') }, ...personChoice(turn)],
}));

const refused = offer<{ readonly phoneNumber: string }, CustomerAnswer | 'menu'>('refused', ({ t }, { phoneNumber }) => ({
  question: t('nobody.refused', { phone: maskPhoneNumber(phoneNumber) }),
  others: [
    { title: t('customer.another'), value: 'another', style: 'positive', phrases: phrasesOf(t, 'phrases.yes') },
    { title: t('cards.buttons.person'), value: 'agent', phrases: phrasesOf(t, 'phrases.agent') },
    { title: t('cards.buttons.menu'), value: 'menu', phrases: phrasesOf(t, 'phrases.no') },
  ],
}));

/** The service does not take the number: another one, or a person. Trying the same again would not help. */
const refusedQuestion: Question<{ readonly phoneNumber: string }, CustomerAnswer | 'menu'> = { ...refused, read: readNumber };

/** Nobody has the number: another one, or a person. */
const nobodyQuestion: Question<{ readonly phoneNumber: string }, CustomerAnswer> = { ...nobody, read: readNumber };

/** What can be asked about a number that was looked up. */
export const customerQuestions = [customerQuestion, nobodyQuestion, refusedQuestion];
