import assert from 'node:assert/strict';
import { outcomeTimeoutsOf } from '../../../src/compose/bot/limits.ts';
import { readSettings } from '../../../src/compose/start/settings.ts';

const minutes = (wait: string | undefined) => {
  const { WAIT_MINUTES } = readSettings(wait === undefined ? {} : { WAIT_MINUTES: wait });
  return Object.fromEntries(Object.entries(outcomeTimeoutsOf(WAIT_MINUTES)).map(([app, ms]) => [app, ms / 60_000]));
};
const usual = { passkeys: 11, 'one-time-passcode': 11, 'document-signature': 61, payments: 31, 'e-form': 31 };

describe('how long interactions are waited for', () => {
  it('is a minute longer than requests are usually valid', () => assert.deepEqual(minutes(undefined), usual));

  it('is set for each app, and stays as it is for the others', () =>
    assert.deepEqual(minutes('payments=45, e-form=1'), { ...usual, payments: 46, 'e-form': 2 }));
});
