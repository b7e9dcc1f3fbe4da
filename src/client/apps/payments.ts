// payments: which products and customers there are, and a request to pay.
import { apps } from '../../contract/index.ts';
import { type AppCalls, type Caller, callOf } from '../calls.ts';
import { bootstrapEncoding, post } from '../request-encoding.ts';

const { bootstrap, send } = apps.payments.operations;

export const payments = (caller: Caller): AppCalls<'payments'> => ({
  bootstrap: callOf(caller.perform, 'payments.bootstrap', bootstrap, { travel: bootstrapEncoding[caller.bootstrap], repeat: 'safe' }),
  send: callOf(caller.perform, 'payments.send', send, { travel: post, repeat: 'keyed' }),
});
