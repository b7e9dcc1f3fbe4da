// passkeys: the customer signs in with a passkey, or sets one up, after an announcement by e-mail. The page's steps
// are in flow.ts.
import { z } from 'zod';
import { sha256 } from '../../platform/secrets/sealing.ts';
import { defineServiceApp } from '../core/app.ts';
import { enrolments } from './enrolments.ts';
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
