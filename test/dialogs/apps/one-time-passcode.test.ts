import assert from 'node:assert/strict';
import { passcodeIn } from '../../../dialogs/apps/one-time-passcode.ts';
import { makeTexts } from '../../../dialogs/language/texts.ts';
import { startConversation } from '../../support/conversation-under-test.ts';
import { spelledCodes } from '../../support/spelled-codes.ts';

const t = makeTexts('en-US');
const es = makeTexts('es-ES');

describe('a passcode', () => {
  /** What is handed over, and the code in it: in the card's field, and typed into the chat. */
  const table: [string, string | undefined, string | undefined][] = [
    ['123456', '123456', '123456'],
    ['AB12CD', 'AB12CD', 'AB12CD'],
    ['q7-_x9', 'q7-_x9', 'q7-_x9'],
    ['  ab12cd  ', 'ab12cd', 'ab12cd'],
    ['12-345', '12-345', '12-345'],
    ['a#1b$2', 'a#1b$2', 'a#1b$2'],
    ['123 456', '123456', '123456'],
    ['123-456', '123456', '123456'],
    ['1 2 3 4 5 6', '123456', '123456'],
    ['１２３４５６', '123456', '123456'],
    ['my code is 123456', '123456', '123456'],
    ['my code is AB12CD.', undefined, 'AB12CD'],
    ["it's q7-_x9", undefined, 'q7-_x9'],
    ['AB1 2CD', 'AB12CD', undefined],
    // Words, which only the field takes for a code.
    ['please', 'please', undefined],
    ['THANKS', 'THANKS', undefined],
    ['PayPal', 'PayPal', undefined],
    ['hello!', 'hello!', undefined],
    ['-_-_-_', '-_-_-_', undefined],
    ['XKCDQZ', 'XKCDQZ', undefined],
    ['code XKCDQZ', undefined, 'XKCDQZ'],
    ['my code: XKCDQZ', undefined, 'XKCDQZ'],
    ['my code failed', undefined, undefined],
    ['THE CODE FAILED', undefined, undefined],
    ['code please', undefined, undefined],
    // Neither one character less nor one more, and never a choice between two.
    ['12345', undefined, undefined],
    ['1234567', undefined, undefined],
    ['12 34 56 78', undefined, undefined],
    ['AB12C', undefined, undefined],
    ['AB12CDE', undefined, undefined],
    ['onetwo123', undefined, undefined],
    ['AB12CD or EF34GH', undefined, undefined],
    ['in 2 hrs', 'in2hrs', undefined],
    ['', undefined, undefined],
  ];
  for (const [typed, entered, said] of table) {
    it(`in "${typed}" is ${entered ?? 'none'} in the card's field and ${said ?? 'none'} in the chat`, () => {
      assert.equal(passcodeIn(typed, 'card', t), entered);
      assert.equal(passcodeIn(typed, 'chat', t), said);
    });
  }

  for (const [how, written] of spelledCodes('557672'))
    it(`is taken as it is written ${how}: ${JSON.stringify(written)}`, () => {
      for (const by of ['card', 'chat'] as const) {
        assert.equal(passcodeIn(written, by, t), '557672');
        assert.equal(passcodeIn(`The code is ${written}.`, by, t), '557672');
      }
    });

  it('of letters only needs the word for code, in the customer’s language', () => {
    assert.equal(passcodeIn('el código es XKCDQZ', 'chat', es), undefined);
    assert.equal(passcodeIn('código XKCDQZ', 'chat', es), 'XKCDQZ');
  });
});

describe('a code that is typed', () => {
  for (const [answer, said] of [
    [{ kind: 'mismatch', triesLeft: 1 }, 'That is not the right code. You have 1 try left.'],
    [{ kind: 'trouble', trouble: 'busy' }, 'There have been too many requests. Please wait a moment and try again.'],
    // The outcome follows.
    [{ kind: 'match' }, ''],
    [{ kind: 'dead' }, ''],
    [{ kind: 'over' }, ''],
  ] as const)
    it(`is answered by what its check finds (${answer.kind})`, async () => {
      const chat = startConversation();
      chat.interactions.check = async () => answer;
      await chat.say('one-time-passcode', '+12025550102', 'send');
      assert.equal((await chat.say('654321')).split('\n')[0], said);
    });
});

describe('a wrong passcode in the card', () => {
  for (const [channelId, said] of [
    // Its page marks the field.
    ['directline', /^(?!.*not the right code)/s],
    ['msteams', /^That is not the right code\. You have 4 tries left\./],
  ] as const)
    it(`is said where the customer can see it (${channelId})`, async () => {
      const chat = startConversation();
      chat.channelId = channelId;
      await chat.say('one-time-passcode', '+12025550102', 'send');
      assert.match(await chat.press('Check the code', { code: '654321' }), said);
    });
});
