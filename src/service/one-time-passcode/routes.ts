// The operations of one-time passcodes beyond those of every app: checking a code, and lifting the lock of a phone.
import { z } from 'zod';
import { apps, phoneNumber } from '../../contract/index.ts';
import type { AccessEntry } from '../../sign-in/session-store.ts';
import type { Core } from '../core/core.ts';
import { plainCode } from '../core/secrets/random.ts';
import { makeCheckPasscode } from './check.ts';
import { unlockedSubject, unlockPhone } from './unlock.ts';

/** @param record - writes an entry of the console's access log: it says who lifted a lock, too */
export const addPasscodeOperations = (core: Core, record: (entry: AccessEntry<'operator'>) => Promise<void>) => {
  const { accounts, add, random, clock } = core;
  const checkPasscode = makeCheckPasscode(core);
  const { path, summary, request: schema, response } = apps['one-time-passcode'].operations.check;
  add({
    id: 'one-time-passcode.check',
    group: 'one-time-passcode',
    summary,
    description: 'A code can be checked a few times while it is valid, and matches once. Spaces and hyphens in it do not matter.',
    method: 'POST',
    path,
    from: 'body',
    schema,
    response,
    // The length applies to the code, not to how it was typed. Any six characters are a code, even if a wrong one.
    repair: (input) => {
      const plain = 'code' in input && typeof input.code === 'string' ? plainCode(input.code) : '';
      return plain.length === 6 ? { ...input, code: plain } : input;
    },
    answer: async ({ account, by, input }) => ({
      codeMatch: await checkPasscode(account.id, input.requestId.toUpperCase(), input.code, by),
    }),
  });

  add({
    id: 'one-time-passcode.unlock',
    group: 'one-time-passcode',
    summary: 'Lift the lock of a phone',
    description:
      'Wrong passcodes lock a phone for a while: for the session in which they were tried, and if there were many, for others as well. This clears them. It may be repeated, and is recorded in the access log.',
    method: 'POST',
    path: '/one-time-passcode/unlock',
    from: 'body',
    schema: z.strictObject({ phoneNumber }),
    response: z.object({ phoneNumber, locked: z.literal(false).meta({ description: 'Codes can be sent to it and checked again.' }) }),
    answer: async ({ account, by, input, request }) => {
      const at = clock.now();
      const subject = unlockedSubject(accounts, account.id, input.phoneNumber);
      await record({
        id: random.id(at),
        person: by.actor,
        role: 'operator',
        action: 'unlock',
        subject,
        address: request.clientAddress,
        at,
      });
      await unlockPhone(core, account.id, input.phoneNumber);
      return { phoneNumber: input.phoneNumber, locked: false } as const;
    },
  });
};
