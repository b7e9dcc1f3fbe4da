import assert from 'node:assert/strict';
import { checkChatwoot } from '../../../src/handoff/chatwoot/check-chatwoot.ts';
import { type Chatwoot, startChatwoot } from '../../support/chatwoot.ts';

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

  const settings: [keyof Chatwoot['inbox'], boolean, RegExp][] = [
    ['lock_to_single_conversation', true, /is on: all requests of a chat share one conversation/],
    ['enable_auto_assignment', true, /is on: assigning counts as joining/],
    ['allow_messages_after_resolved', false, /is off: a message on its way/],
  ];
  for (const [name, value, advice] of settings)
    it(`warns of an inbox where ${name} is ${value ? 'on' : 'off'}`, async () => {
      chatwoot.inbox[name] = value;
      const { status, words } = await check();
      chatwoot.inbox[name] = !value;
      assert.equal(status, 'warning', words);
      assert.match(words, advice);
    });

  it('warns of labels that the account has not defined', async () => {
    const gone = chatwoot.labels.splice(0, 1);
    const { status, words } = await check();
    chatwoot.labels.unshift(...gone);
    assert.equal(status, 'warning', words);
    assert.match(words, /labels that the account has not defined: cs-verified\b.*leave them out/);
  });

  const wrong: [string, () => Promise<{ status: string; words: string }>, string, RegExp][] = [
    ['a token that is not taken', () => check({ CHATWOOT_TOKEN: 'canary' }), 'wrong', /CHATWOOT_TOKEN.*underscores_in_headers/],
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
