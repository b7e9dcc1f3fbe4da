import assert from 'node:assert/strict';
import { type Activity, type BotAdapter, TurnContext } from 'botbuilder';
import type { TurnHandler } from '../../src/bot/turns/stored-state.ts';
import { makeTurnLock, type TurnLock, TurnLockError } from '../../src/bot/turns/turn-lock.ts';
import { makeRunTurn } from '../../src/bot/turns/turns.ts';
import type { Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';
import { type BotUnderTest, startBot } from '../support/running-bot.ts';
import { accepted, intent, succeeded } from '../support/samples.ts';

/** A lock whose holds are lost as soon as they are asked about. */
const lostLock = (): TurnLock => {
  const lock = makeTurnLock();
  return {
    run: (key, work) => lock.run(key, () => work({ confirm: () => Promise.reject(new TurnLockError('lost')) })),
    idle: lock.idle,
    size: 0,
  };
};
const nobodyKnows: TurnLock = { ...lostLock(), run: () => Promise.reject(new TurnLockError('unavailable')) };

describe('a turn that lost its conversation to another', () => {
  const open: BotUnderTest[] = [];
  afterEach(async () => {
    for (const bot of open.splice(0)) await bot.close();
  });
  const start = async (logic: (context: TurnContext) => Promise<void>, turnLock: TurnLock) => {
    const bot = await startBot(logic, { turnLock });
    open.push(bot);
    return bot;
  };

  it('says nothing more, not even an apology', async () => {
    const bot = await start(async (context) => void (await context.sendActivity('late')), lostLock());
    assert.equal((await bot.send()).status, 200);
    assert.deepEqual(bot.channel.received, []);
    assert.match(bot.logged.join(''), /"errorCode":"lost"/);
  });

  it('posts nothing more in a proactive turn, and its caller learns that', async () => {
    const bot = await start(async () => {}, lostLock());
    const reference = {
      channelId: 'test',
      serviceUrl: bot.channel.serviceUrl,
      conversation: { id: 'c' },
      bot: { id: 'b' },
      user: { id: 'u' },
    };
    await assert.rejects(
      bot.adapter.continueConversation(reference as never, async (context) => void (await context.sendActivity('late'))),
      (fault) => fault instanceof TurnLockError && fault.code === 'lost',
    );
    assert.deepEqual(bot.channel.received, []);
  });

  it('apologises, and runs nothing, if the holder of the turn lock cannot be read', async () => {
    const bot = await start(async () => assert.fail('it ran'), nobodyKnows);
    assert.equal((await bot.send({ locale: 'en' })).status, 200);
    assert.deepEqual(
      bot.channel.received.map(({ body }) => body?.text),
      ['sorry in en'],
    );
  });
});

for (const backend of backends) {
  describe(`two turns that changed one chat on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());

    const activity = { channelId: 'test', conversation: { id: 'c' } } as Activity;
    const turn = (responded = false) => {
      const context = new TurnContext({} as BotAdapter, activity);
      if (responded) context.responded = true;
      return context;
    };
    /** Runs a turn of which the other one saves first. */
    const overtaken = async (responded: boolean) => {
      let runs = 0;
      const count: TurnHandler = async ({ state }) => {
        runs += 1;
        const counted = state as { count?: number };
        counted.count = (counted.count ?? 0) + 1;
        if (runs === 1) await makeRunTurn(storage.botState, count)(turn());
      };
      await makeRunTurn(storage.botState, count)(turn(responded));
      return runs;
    };
    const kept = async () => JSON.parse(Object.values(await storage.botState.read([JSON.stringify(['test', 'c'])]))[0]?.json ?? 'null');

    it('both take effect if the overtaken one had posted nothing: it runs again', async () => {
      assert.equal(await overtaken(false), 3);
      assert.deepEqual(await kept(), { count: 2 });
    });

    it('keep what the other one saved if the overtaken one had posted: it fails', async () => {
      await assert.rejects(overtaken(true), { code: 'state_conflict' });
      assert.deepEqual(await kept(), { count: 1 });
    });
  });

  describe(`a turn that delivered an outcome and then failed, on ${backend.kind}`, () => {
    it('throws, and the outcome counts as delivered', async () => {
      const storage = await backend.open();
      try {
        const claim = await storage.interactions.record(intent('i'));
        for (const step of [accepted, succeeded]) await storage.interactions.apply(claim, step);
        const interaction = (await storage.interactions.get('i')) ?? assert.fail();
        const context = new TurnContext({} as BotAdapter, { channelId: 'test', conversation: { id: 'c' } } as Activity);
        const tellAndFail: TurnHandler = async () => {
          await storage.interactions.markDelivered({ ...claim, conversation: JSON.stringify(['test', 'c']) }, 'delivered');
          throw new Error('no menu');
        };
        await assert.rejects(makeRunTurn(storage.botState, tellAndFail)(context, { kind: 'outcome', interaction }), /no menu/);
        assert.equal((await storage.interactions.get('i'))?.delivered, true);
      } finally {
        await storage.close();
      }
    });
  });
}
