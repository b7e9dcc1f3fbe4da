import assert from 'node:assert/strict';
import { appInput } from '../../src/programs/schemas.ts';
import { harmlessWords, hostileWords } from '../support/hostile-words.ts';

describe('the words of a message that a program sends', () => {
  const given = { phoneNumber: '+12025550102' };
  for (const field of ['subject', 'message']) {
    it(`hold no address and no phone number, which a stranger may have told it (${field})`, () => {
      for (const words of hostileWords) {
        const { error } = appInput('passkeys').safeParse({ ...given, [field]: words });
        assert.deepEqual(
          error?.issues.map(({ path }) => path.join('.')),
          [field],
          words,
        );
      }
    });

    it(`are taken otherwise (${field})`, () => {
      for (const words of [...harmlessWords, 'You are signing in. Your number is 47.'])
        assert.ok(appInput('passkeys').safeParse({ ...given, [field]: words }).success, words);
    });
  }
});
