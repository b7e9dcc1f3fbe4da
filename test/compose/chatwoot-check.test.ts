import assert from 'node:assert/strict';
import { checkChatwoot } from '../../src/compose/checks/chatwoot.ts';
import { type Chatwoot, startChatwoot } from '../support/chatwoot.ts';

describe('the doctor, asked about Chatwoot,', () => {
  let chatwoot: Chatwoot;
  before(async () => {
    chatwoot = await startChatwoot(() => '');
  });
  after(() => chatwoot.close());
  const check = (more: object = {}) => {
    const { CHATWOOT_TOKEN, CHATWOOT_URL } = chatwoot.settings;
    return checkChatwoot({ CHATWOOT_ACCOUNT: 3, CHATWOOT_INBOX: 5, CHATWOOT_TOKEN, CHATWOOT_URL, ...more }, 2_000);
  };

  it('finds that the bot is let in', async () => {
    const { status, words } = await check();
    assert.equal(status, 'ok', words);
  });

  const wrong: [string, () => Promise<{ status: string; words: string }>, string, RegExp][] = [
    ['a token that is not taken', () => check({ CHATWOOT_TOKEN: 'canary' }), 'wrong', /CHATWOOT_TOKEN/],
    ['an address where nobody is', () => check({ CHATWOOT_URL: 'http://127.0.0.1:9' }), 'wrong', /CHATWOOT_URL/],
    ...(
      [
        [403, 'wrong', /administrator/],
        [404, 'wrong', /CHATWOOT_ACCOUNT and CHATWOOT_INBOX/],
        [503, 'unknown', /503/],
      ] as const
    ).map(([answer, status, words]): [string, () => Promise<{ status: string; words: string }>, string, RegExp] => [
      `an answer of ${answer}`,
      async () => {
        chatwoot.answer = answer;
        const found = await check();
        chatwoot.answer = 'properly';
        return found;
      },
      status,
      words,
    ]),
    [
      'an inbox of another kind',
      async () => {
        chatwoot.answer = (res) => void res.end(JSON.stringify({ channel_type: 'Channel::Email' }));
        const found = await check();
        chatwoot.answer = 'properly';
        return found;
      },
      'wrong',
      /Channel::Email.*CHATWOOT_INBOX/,
    ],
  ];
  for (const [what, found, expected, advice] of wrong)
    it(`explains ${what}`, async () => {
      const { status, words } = await found();
      assert.equal(status, expected, words);
      assert.match(words, advice);
      assert.doesNotMatch(words, /canary/);
    });
});
