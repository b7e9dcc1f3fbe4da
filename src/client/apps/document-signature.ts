// document-signature: which documents and customers there are, and a document to sign.
import { apps } from '../../contract/index.ts';
import { type AppCalls, type Caller, callOf } from '../calls.ts';
import { bootstrapEncoding, post } from '../request-encoding.ts';

const { bootstrap, send } = apps['document-signature'].operations;

export const documentSignature = (caller: Caller): AppCalls<'document-signature'> => ({
  bootstrap: callOf(caller.perform, 'document-signature.bootstrap', bootstrap, {
    travel: bootstrapEncoding[caller.bootstrap],
    repeat: 'safe',
  }),
  send: callOf(caller.perform, 'document-signature.send', send, { travel: post, repeat: 'keyed' }),
});
