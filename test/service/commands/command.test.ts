import assert from 'node:assert/strict';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { readCommand, readHelp } from '../../../src/service/commands/command.ts';

describe("the service's command line", () => {
  for (const [words, command] of [
    [[], 'start'],
    [['start'], 'start'],
    [['service-key'], 'service-key'],
    [['erase', 'cust-0001'], 'erase'],
    [['decrypt', 'result.json', 'key.jwk'], 'decrypt'],
  ] as const) {
    it(`"${words.join(' ')}" means ${command}`, () => assert.equal(readCommand(words), command));
  }
  for (const words of [['bot'], ['START'], [''], ['--helm'], ['__proto__']]) {
    it(`"${words.join(' ')}" is refused, saying what there is`, () =>
      assert.throws(
        () => readCommand(words),
        (fault) => fault instanceof SettingsError && /^command: .*decrypt, erase and service-key\.$/.test(fault.message),
      ));
  }
  for (const [command, ...rest] of [
    ['service-key', 'foo'],
    ['start', '--port=1'],
  ] as const) {
    it(`"${command} ${rest.join(' ')}" is refused for what follows the command`, () =>
      assert.throws(
        () => readCommand([command, ...rest]),
        (fault) => fault instanceof SettingsError && fault.message === `command: ${command} takes no arguments: ${rest.join(' ')}.`,
      ));
  }
});

describe("the help of the service's command line", () => {
  for (const [words, line] of [
    [['--help'], /^npm run service\b/],
    [['-h'], /^npm run service\b/],
    [['start', '--help'], /^npm run service\b/],
    [['service-key', '--help'], /^npm run service-key\b/],
    [['erase', 'cust-0102-mei', '--yes', '--help'], /^countersign-service erase <customerRef>/],
    [['decrypt', '--help'], /^npm run decrypt -- <file/],
  ] as const) {
    it(`"${words.join(' ')}" is answered in a few lines`, () => {
      const answer = readHelp(words) ?? '';
      assert.match(answer, line);
      assert.ok(answer.split('\n').length <= 15 && answer.split('\n').every((each) => each.length <= 140), answer);
    });
  }

  it('names every command if none is given', () => {
    for (const command of ['service', 'erase', 'decrypt', 'service-key'])
      assert.match(readHelp(['--help']) ?? '', new RegExp(`^(?:npm run|countersign-service) ${command}\\b`, 'm'));
  });

  for (const words of [[], ['start'], ['erase', 'cust-0102-mei', '--yes'], ['erase', '--', '--help'], ['bot', '--help']]) {
    it(`"${words.join(' ')}" does not ask`, () => assert.equal(readHelp(words), undefined));
  }
});
