// passkeys: the customer signs in with a passkey, or sets one up, after an announcement by e-mail. The page's steps
// are in flow.ts.
import { z } from 'zod';
import type { BootstrapResponse } from '../../contract/index.ts';
import { sha256 } from '../../platform/secrets/sealing.ts';
import { iso } from '../../platform/time/clock.ts';
import { defineServiceApp } from '../core/app.ts';
import type { CatalogueCustomer } from '../core/catalogue/catalogue.ts';
import type { Passkeys } from './store.ts';

/** The question, as it is stored with a request. */
export const passkeyQuestion = z.object({ subject: z.string(), message: z.string() });

/** @param demo - whether customers of the catalogue may count as enrolled */
export const definePasskeys = (passkeys: Passkeys, demo: boolean) =>
  defineServiceApp({
    id: 'passkeys',
    channel: 'email',
    answeredBy: 'link',
    describes: {
      send: 'The customer confirms with a passkey; without one, they prove their phone, set one up and confirm with it. Without a phone number, the recipients say who is meant.',
      bootstrap: 'Lists the customers with a phone number, and says of each whether they have a passkey.',
    },
    input: passkeyQuestion,
    lists: (accountId, customers) => enrolments(passkeys, demo, accountId, customers),
    offers: () => ({}),
    accept: ({ subject, message, recipients }) => {
      const errors = recipients.flatMap(({ email }, index) =>
        z.email().safeParse(email).success ? [] : [{ path: `recipients.${index}.email`, message: 'must be an e-mail address' }],
      );
      return errors.length > 0 ? { errors } : { value: { subject, message } };
    },
    recipients: ({ recipients }) => recipients.map(({ email, name }) => ({ to: email, name })),
    answer: (sent) => sent,
    message: ({ subject, message }, { texts, link, number }) => ({ subject, text: texts.t('message.passkeys', { message, link, number }) }),
    ends: (_, texts) => ({
      done: texts.t('passkeys.done'),
      declined: texts.t('passkeys.declined'),
      decline: texts.t('passkeys.decline'),
    }),
    // Only a ceremony can end it with success, not a form.
    complete: (_, __, { texts }) => ({ errors: [{ path: '', message: texts.t('passkeys.script') }] }),
    sample: () => ({ action: 'authentication' }),
    // Without a success the action is not known.
    known: () => ({}),
    shown: ({ subject, message }) => ({ subject, text: sha256(`${subject}\n${message}`).toString('hex') }),
  });

/**
 * Answers from the stored passkeys. In demo mode a customer of the catalogue may count as enrolled too, so that the
 * test numbers are as their table has them although no authenticator of theirs exists: a private key that ships with
 * the product would be no passkey. Behind the link such a customer sets one up.
 */
const enrolments = async (
  passkeys: Passkeys,
  demo: boolean,
  accountId: string,
  customers: readonly CatalogueCustomer[],
): Promise<BootstrapResponse<'passkeys'>> => {
  const refs = customers.map(({ id }) => id);
  const enrolled = new Set((await passkeys.ofCustomers(accountId, refs)).map(({ customer_ref }) => customer_ref));
  const listed = customers.map(({ id, name, email, passkey }) => {
    const isEnrolled = enrolled.has(id) || (demo && passkey !== undefined);
    return { id, name, email, isEnrolled };
  });
  const used = await passkeys.lastUse(accountId, refs);
  const demoed = demo ? customers.filter(({ passkey }) => passkey?.lastUsedAt !== undefined) : [];
  const uses = [
    ...(used ? [{ id: used.requestId, customerRef: used.customerRef, timestamp: iso(used.at) }] : []),
    ...demoed.map(({ id, passkey }) => ({ id: `passkey-${id}`, customerRef: id, timestamp: iso(Date.parse(passkey?.lastUsedAt ?? '')) })),
  ];
  const [last] = uses.sort((a, b) => b.timestamp.localeCompare(a.timestamp));
  const phoneNumber = customers.find(({ id }) => id === last?.customerRef)?.phoneNumber;
  return { customers: listed, authentication: last ? { ...last, ...(phoneNumber !== undefined && { phoneNumber }) } : null };
};
