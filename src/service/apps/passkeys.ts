// passkeys: the customer approves a sign-in that was announced by e-mail.
import { z } from 'zod';
import { html } from '../../platform/html.ts';
import { defineServiceApp } from './app.ts';

const action = 'authentication';

export const passkeys = defineServiceApp({
  id: 'passkeys',
  channel: 'email',
  answeredBy: 'link',
  input: z.object({ subject: z.string(), message: z.string() }),
  offers: () => ({}),
  accept: ({ subject, message, recipients, customerRef }, { customer }) => {
    const errors = recipients.flatMap(({ email }, index) =>
      z.email().safeParse(email).success ? [] : [{ path: `recipients.${index}.email`, message: 'must be an e-mail address' }],
    );
    if (!customer.passkey) {
      errors.push({
        path: customerRef === undefined ? 'phoneNumber' : 'customerRef',
        message: 'names a customer who has not enrolled a passkey',
      });
    }
    return errors.length > 0 ? { errors } : { value: { subject, message } };
  },
  recipients: ({ recipients }) => recipients.map(({ email, name }) => ({ to: email, name })),
  answer: (sent) => sent,
  message: ({ subject, message }, { texts, link }) => ({ subject, text: texts.t('message.passkeys', { message, link }) }),
  page: ({ subject, message }, { texts: { t }, account, contentLanguage }) => ({
    title: t('passkeys.title'),
    lead: t('passkeys.lead', { account: account.name }),
    content: html`<blockquote class="quote" lang="${contentLanguage}"><strong>${subject}</strong><p>${message}</p></blockquote>
      <p>${t('passkeys.compare')}</p>`,
    accept: t('passkeys.accept'),
    note: t('passkeys.note'),
  }),
  complete: () => ({ value: { action } }),
  sample: () => ({ action }),
  known: () => ({ action }),
});
