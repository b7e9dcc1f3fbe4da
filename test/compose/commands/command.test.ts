import assert from 'node:assert/strict';
import { capabilities } from '../../../src/compose/capabilities.ts';
import { capabilityCommand, needsCapabilities, readCommand, readHelp } from '../../../src/compose/commands/command.ts';
import { called } from '../../../src/platform/process/run-process.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';

describe('the command line', () => {
  for (const [words, command] of [
    [[], 'all'],
    [['all'], 'all'],
    [['bot'], 'bot'],
    [['doctor'], 'doctor'],
    [['erase', 'cust-0001'], 'erase'],
    [['manifest', '--host=a.example'], 'manifest'],
  ] as const) {
    it(`"${words.join(' ')}" means ${command}`, () => assert.equal(readCommand(words, capabilities), command));
  }
  it('has the commands of capabilities too, which are loaded only if one of them may be meant', () => {
    assert.equal(capabilityCommand(['flows', 'check'], capabilities)?.name, 'flows');
    assert.equal(capabilityCommand(['bot'], capabilities), undefined);
    assert.deepEqual([[], ['bot'], ['erase', 'cust-0001'], ['flows', 'check'], ['bots'], ['--help']].map(needsCapabilities), [
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
  for (const words of [['bots'], ['bots', 'all'], ['service'], ['BOT'], [''], ['--helm'], ['__proto__']]) {
    it(`"${words.join(' ')}" is refused, saying what there is`, () =>
      assert.throws(
        () => readCommand(words, capabilities),
        (fault) =>
          fault instanceof SettingsError &&
          /^command: .*bot, doctor, erase, manifest and flows\. The service has its own commands\.$/.test(fault.message),
      ));
  }
  for (const [command, ...rest] of [
    ['all', 'bot'],
    ['bot', 'all'],
    ['doctor', 'bot', 'now'],
    ['bot', '--port=1'],
  ] as const) {
    it(`"${command} ${rest.join(' ')}" is refused for what follows the command`, () =>
      assert.throws(
        () => readCommand([command, ...rest]),
        (fault) => fault instanceof SettingsError && fault.message === `command: ${command} takes no arguments: ${rest.join(' ')}.`,
      ));
  }
});

describe('asking the command line how it is used', () => {
  for (const [words, line] of [
    [['--help'], /^npm start\b/],
    [['-h'], /^npm start\b/],
    [['all', '--help'], /^npm start\b/],
    [['bot', '--help'], /^npm run bot\b/],
    [['doctor', '-h'], /^npm run doctor\b/],
    [['erase', '--help'], /^npm run erase -- <customerRef>/],
    [['manifest', '--help'], /^npm run manifest -- --app-id <id>/],
    [['erase', 'cust-0102-mei', '--yes', '--help'], /^npm run erase -- <customerRef>/],
  ] as const) {
    it(`"${words.join(' ')}" is answered in a few lines`, () => {
      const answer = readHelp(words, capabilities) ?? '';
      assert.match(answer, line);
      assert.ok(answer.split('\n').length <= 15 && answer.split('\n').every((each) => each.length <= 140), answer);
    });
  }

  it('names every command if none is given', () => {
    for (const command of ['bot', 'doctor', 'erase', 'manifest', 'flows', 'service'])
      assert.match(readHelp(['--help'], capabilities) ?? '', new RegExp(`^npm run ${command}\\b`, 'm'));
  });

  it('mentions nothing that this install does not have', () => {
    assert.doesNotMatch(readHelp(['--help'], capabilities, false) ?? 'service', /reference service|npm run service/);
    assert.match(readHelp(['--help'], capabilities, false) ?? '', /^npm start\n.*SERVICE_BASE_URL names/);
  });

  it('uses the program’s name in an install', () => {
    assert.equal(called('npm run bot', 'countersign bot', false), 'countersign bot');
    assert.equal(called('npm run bot', 'countersign bot'), 'npm run bot');
  });

  for (const words of [[], ['bot'], ['erase', 'cust-0102-mei', '--yes'], ['erase', '--', '--help'], ['bots', '--help']]) {
    it(`"${words.join(' ')}" does not ask`, () => assert.equal(readHelp(words), undefined));
  }
});
