// passkeys: who is enrolled, and a passkey request.
import type { z } from 'zod';
import { type Apps, apps } from '../../contract/index.ts';
import { type AppCalls, type Caller, type CallOptions, callOf } from '../calls.ts';
import { configurationEncoding, enrolmentEncoding, post } from '../request-encoding.ts';

const { bootstrap, configuration, send } = apps.passkeys.operations;
type Configuration = Apps['passkeys']['operations']['configuration'];

export interface PasskeysCalls extends AppCalls<'passkeys'> {
  /** The configuration, the GET of the bootstrap's path. It may be asked for with nothing at all. */
  configuration(request: z.input<Configuration['request']>, options?: CallOptions): Promise<z.output<Configuration['reading']>>;
}

export const passkeys = (caller: Caller): PasskeysCalls => ({
  bootstrap: callOf(caller.perform, 'passkeys.bootstrap', bootstrap, { travel: enrolmentEncoding[caller.bootstrap], repeat: 'safe' }),
  configuration: callOf(caller.perform, 'passkeys.configuration', configuration, {
    travel: configurationEncoding[caller.bootstrap],
    repeat: 'safe',
  }),
  send: callOf(caller.perform, 'passkeys.send', send, { travel: post, repeat: 'keyed' }),
});
