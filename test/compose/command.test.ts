import assert from 'node:assert/strict';
import { readCommand } from '../../src/compose/command.ts';
import { SettingsError } from '../../src/platform/settings-error.ts';

describe('the command line', () => {
  for (const [words, command] of [
    [[], 'all'],
    [['all'], 'all'],
    [['bot'], 'bot'],
    [['service'], 'service'],
    [['doctor'], 'doctor'],
    [['service-key'], 'service-key'],
    [['erase', 'cust-0001'], 'erase'],
    [['decrypt', 'result.json', 'key.jwk'], 'decrypt'],
  ] as const) {
    it(`"${words.join(' ')}" means ${command}`, () => assert.equal(readCommand(words), command));
  }
  for (const words of [['bots'], ['BOT'], [''], ['--help'], ['bot', 'service'], ['doctor', 'bot'], ['__proto__']]) {
    it(`"${words.join(' ')}" is refused, saying what there is`, () =>
      assert.throws(
        () => readCommand(words),
        (fault) => fault instanceof SettingsError && /^command: .*bot, service, decrypt, doctor, erase, service-key\.$/.test(fault.message),
      ));
  }
});
