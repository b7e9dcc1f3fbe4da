import assert from 'node:assert/strict';
import type { Refused } from '../../src/bot/outgoing/outgoing.ts';
import { answering } from '../support/channel.ts';
import { type BotUnderTest, startBot } from '../support/running-bot.ts';

describe('a message that a channel does not take', () => {
  let bot: BotUnderTest;
  let refused: Refused[];
  beforeEach(async () => {
    refused = [];
    bot = await startBot(async (context) => void (await context.sendActivity('Hello')), { onRefused: (each) => refused.push(each) });
  });
  afterEach(() => bot.close());

  const coded = (code: string) => JSON.stringify({ error: { code, message: 'of jane@example.com' } });
  const json = { 'content-type': 'application/json' };
  const cases: [string, number, string, Record<string, string>, Refused['reason'] | undefined][] = [
    ['of a customer who has blocked the bot', 403, coded('ConversationBlockedByUser'), json, 'blocked'],
    ['to a customer who has blocked what it writes', 403, coded('MessageWritesBlocked'), json, 'blocked'],
    ['in a chat that the bot was removed from', 403, coded('BotNotInConversationRoster'), json, 'gone'],
    ['in a chat that is not there', 404, coded('ConversationNotFound'), json, 'gone'],
    ['after too many others', 429, '', { 'retry-after': '60' }, 'throttled'],
    ['that is malformed', 400, '', {}, undefined],
    ['of a token that has run out', 401, '', {}, undefined],
  ];
  for (const [what, status, body, headers, reason] of cases)
    it(`${what} is ${reason ? `counted as ${reason}, and logged without whose chat it was` : 'not counted here'}`, async () => {
      bot.channel.next.push(answering(status, headers, body));
      await bot.send({ from: { id: 'jane-1', name: 'Jane' }, conversation: { id: 'chat-of-jane' } });
      assert.deepEqual(refused, reason ? [{ channel: 'test', reason }] : []);
      const lines = bot.logged.filter((line) => line.includes('did not take a message'));
      assert.equal(lines.length, reason ? 1 : 0);
      for (const line of lines) {
        assert.equal(JSON.parse(line).state, reason);
        assert.doesNotMatch(line, /jane/i);
      }
    });
});
