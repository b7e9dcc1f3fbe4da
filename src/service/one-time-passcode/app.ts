// one-time-passcode: a code by SMS that the customer returns in the chat. There is no page: reading the code is all
// there is to do.
import { z } from 'zod';
import { defineServiceApp } from '../core/app.ts';

export const oneTimePasscode = defineServiceApp({
  id: 'one-time-passcode',
  channel: 'sms',
  answeredBy: 'code',
  describes: {
    send: 'The customer returns the code in the conversation; `POST /one-time-passcode/check` says whether it is the right one.',
  },
  input: z.object({}),
  offers: () => ({}),
  accept: () => ({ value: {} }),
  answer: ({ requestId }, { t }) => ({ success: true, message: t('answer.passcodeSent'), requestId }),
  // The last line binds the code to this host, so that a browser fills it in nowhere else
  // (wicg.github.io/sms-one-time-codes).
  message: (_, { texts, account, code, number, host, minutes }) => ({
    text: texts.t('message.one-time-passcode', { account: account.name, code, number, host, minutes }),
  }),
  complete: () => ({ value: {} }),
  sample: () => ({}),
  known: () => ({}),
  // The message holds the code and little else.
  shown: () => ({}),
});
