import assert from 'node:assert/strict';
import { makeMessages } from '../../../src/platform/text/messages.ts';

const messages: Readonly<Record<string, string>> = {
  plain: 'It is done.',
  named: 'Hello {name}, it’s {name}',
  quoted: "l'accord '{'x'}'",
  counted: '{count, plural, one {# message} other {# messages}} for {name}',
  tagged: 'a < b <i>{name}</i>',
};

describe('the messages of a language', () => {
  const say = makeMessages((key: string) => messages[key] ?? assert.fail(key), 'en', { name: 'nobody' });
  for (const [key, values, text] of [
    ['plain', {}, 'It is done.'],
    ['named', { name: 'Ana' }, 'Hello Ana, it’s Ana'],
    ['quoted', {}, "l'accord {x}"],
    ['counted', { count: 1, name: 'Ana' }, '1 message for Ana'],
    ['counted', { count: 2 }, '2 messages for nobody'],
    ['tagged', { name: '<b>' }, 'a < b <i><b></i>'],
    ['named', {}, 'Hello nobody, it’s nobody'],
  ] as const)
    it(`say ${text}`, () => assert.equal(say(key, values), text));

  it('show nothing for a placeholder without a value', () => assert.equal(makeMessages(() => 'Hello {name}!', 'en')('any'), 'Hello !'));

  it('are compiled once', () => {
    let asked = 0;
    const counted = makeMessages(() => `text ${asked++}`, 'en');
    assert.deepEqual([counted('a'), counted('a'), counted('b')], ['text 0', 'text 0', 'text 1']);
  });

  it('fail for a key without a message as the catalogue does', () => {
    assert.throws(() => makeMessages(() => assert.fail('no such text'), 'en')('missing'), /no such text/);
  });
});
