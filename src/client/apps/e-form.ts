// e-form: which customers there are, and a form to fill in.
import { apps } from '../../contract/index.ts';
import { type AppCalls, type Caller, callOf } from '../calls.ts';
import { bootstrapEncoding, post } from '../request-encoding.ts';

const { bootstrap, send } = apps['e-form'].operations;

export const eForm = (caller: Caller): AppCalls<'e-form'> => ({
  bootstrap: callOf(caller.perform, 'e-form.bootstrap', bootstrap, { travel: bootstrapEncoding[caller.bootstrap], repeat: 'safe' }),
  send: callOf(caller.perform, 'e-form.send', send, { travel: post, repeat: 'keyed' }),
});
