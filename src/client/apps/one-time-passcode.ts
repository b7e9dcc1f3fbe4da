// one-time-passcode: which customers there are, a code to their phone, and whether the code they return is that one.
import type { z } from 'zod';
import { type Apps, apps } from '../../contract/index.ts';
import { type AppCalls, type Caller, type CallOptions, callOf } from '../calls.ts';
import { bootstrapEncoding, post } from '../request-encoding.ts';

const { bootstrap, send, check } = apps['one-time-passcode'].operations;
type Check = Apps['one-time-passcode']['operations']['check'];

export interface OneTimePasscodeCalls extends AppCalls<'one-time-passcode'> {
  /** Checks a code. Every check that arrives uses up a try, so one is repeated only while certainly nothing was sent. */
  check(request: z.input<Check['request']>, options?: CallOptions): Promise<z.output<Check['response']>>;
}

export const oneTimePasscode = (caller: Caller): OneTimePasscodeCalls => ({
  bootstrap: callOf(caller.perform, 'one-time-passcode.bootstrap', bootstrap, {
    travel: bootstrapEncoding[caller.bootstrap],
    repeat: 'safe',
  }),
  send: callOf(caller.perform, 'one-time-passcode.send', send, { travel: post, repeat: 'keyed' }),
  // Whether a code is right is not read into anything but a plain answer.
  check: callOf(caller.perform, 'one-time-passcode.check', { ...check, reading: check.response }, { travel: post, repeat: 'once' }),
});
