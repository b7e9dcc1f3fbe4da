import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

/** Turns whose state was changed by somebody else in the meantime: what they said is stored, and their state is not. */
describe('a turn of the web chat that another has overtaken', () => {
  let whole: Whole;
  let talk: Talk;
  let db: DatabaseSync;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 1000, seconds: 1 } });
  });
  after(() => whole.close());
  beforeEach(async () => {
    talk = await talkTo(whole);
    db = new DatabaseSync(join(whole.dataDir, 'bot.db'));
  });
  afterEach(async () => {
    await freed('drop trigger if exists overtaken');
    talk.chatter.socket.terminate();
    db.close();
  });

  /** Once no transaction of the bot's is open. */
  const freed = (sql: string) =>
    until(async () => {
      try {
        db.exec(sql);
        return true;
      } catch (fault) {
        if (/locked/.test(String(fault))) return false;
        throw fault;
      }
    }, 'the database');
  /** From now on no chat's state can be replaced, as if somebody else always came first. */
  const overtake = () => freed('create trigger overtaken before update on bot_state begin select raise(ignore); end');
  const release = async (restarts: boolean) => {
    await freed('drop trigger overtaken');
    if (!restarts) return;
    await whole.stopBot();
    await whole.startBot();
    await talk.reconnect();
  };
  const say = async (...texts: string[]) => {
    for (const text of texts) await talk.say(text);
  };
  const posted = (text: string, clientActivityID: string) =>
    talk.chatter.post({ type: 'message', text, locale: 'en-US', channelData: { clientActivityID } });
  const conflicts = () => whole.lines.filter((line) => line.includes('state_conflict')).length;
  const only = async (words: RegExp) => {
    const found = await talk.transcript(words);
    assert.equal(found.filter(({ from }) => from.role === 'bot').length, 1, JSON.stringify(found.map(({ text }) => text)));
  };

  for (const restarts of [false, true]) {
    const when = restarts ? ', after a crash' : '';

    it(`delivers the outcome once, and the chat goes on${when}`, async () => {
      await say('payments', '+12025550113', '1');
      const { requestId } = db.prepare('select request_id requestId from interaction order by id desc').get() as { requestId: string };
      const before = conflicts();
      await overtake();
      await whole.service.end(requestId, 'success');
      await talk.outcome();
      await until(() => conflicts() > before, 'a conflict');
      await release(restarts);
      await say('menu');
      await talk.sees(/What would you like to do/);
      await only(/"status":"success"/);
    });

    it(`verifies by a typed passcode, once${when}`, async () => {
      await say('one-time-passcode', '+12025550110', 'yes');
      await talk.sees(/code/);
      await overtake();
      const before = conflicts();
      await posted('123456', 'code');
      await until(() => conflicts() > before, 'a conflict');
      await release(restarts);
      // Its page shows that it was not taken, and its customer presses "Retry".
      await posted('123456', 'code');
      await talk.outcome();
      await say('menu');
      await talk.sees(/What would you like to do/);
      await only(/You are verified/);
    });

    for (const [where, words, asked, send] of [
      ['a list', [], /What would you like to pay for\?/, '1'],
      ['the card that asks for it', ['my fibre router'], /Text me the link/, 'yes'],
    ] as const)
      it(`sends once from ${where}, although another turn came first${when}`, async () => {
        await say('payments', '+12025550113', ...words);
        await talk.sees(asked);
        const sends = whole.proxy.count(/POST .*\/send/);
        const before = conflicts();
        await overtake();
        await posted(send, 'send');
        await until(() => conflicts() > before, 'a conflict');
        await release(restarts);
        await posted(send, 'send');
        await talk.sees(/Waiting for your payment/);
        assert.equal(whole.proxy.count(/POST .*\/send/), sends + 1);
        await say('cancel');
        await talk.sees(/cancelled/);
      });
  }
});
