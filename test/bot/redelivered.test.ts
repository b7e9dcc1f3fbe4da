import assert from 'node:assert/strict';
import type { TurnHandler } from '../../src/bot/turns/stored-state.ts';
import { makeRunTurn } from '../../src/bot/turns/turns.ts';
import type { Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';
import { type BotUnderTest, startBot } from '../support/running-bot.ts';

for (const backend of backends) {
  describe(`an activity that is delivered again, on ${backend.kind}`, () => {
    let storage: Storage;
    const open: BotUnderTest[] = [];
    let turns = 0;
    beforeEach(async () => {
      storage = await backend.open();
      turns = 0;
    });
    afterEach(async () => {
      for (const bot of open.splice(0)) await bot.close();
      await storage.close();
    });

    /** Counts its turns, in the chat's memory too. */
    const counting: TurnHandler = async ({ context, state }) => {
      turns += 1;
      const counted = state as { count?: number };
      counted.count = (counted.count ?? 0) + 1;
      const { type, text } = context.activity;
      if (text === 'fail') throw new Error('no luck');
      if (type === 'invoke') await context.sendActivity({ type: 'invokeResponse', value: { status: 201, body: { count: counted.count } } });
      else await context.sendActivity(`turn ${counted.count}`);
    };
    const start = async () => {
      const run = makeRunTurn(storage.botState, counting);
      const bot = await startBot((context) => run(context));
      open.push(bot);
      return bot;
    };

    const kinds: [string, Record<string, unknown>, number][] = [
      ['a message', {}, 1],
      ['an invoke', { type: 'invoke', name: 'x' }, 0],
      ['a message whose replies are expected in the answer', { deliveryMode: 'expectReplies' }, 0],
      ['a message whose turn fails', { text: 'fail' }, 1],
      ['an invoke whose turn fails', { type: 'invoke', name: 'x', text: 'fail' }, 0],
    ];
    for (const [what, fields, posts] of kinds) {
      it(`has one effect and the same answer: ${what}`, async () => {
        const bot = await start();
        const first = await bot.send(fields);
        const second = await bot.send(fields);
        assert.deepEqual([second.status, second.body], [first.status, first.body]);
        assert.deepEqual([turns, bot.channel.received.length], [1, posts]);
      });
    }

    it('has one effect if both arrive at the same time, also in different processes', async () => {
      const [one, other] = [await start(), await start()];
      await Promise.all([one.send(), one.send()]);
      assert.equal((await other.send()).status, 200);
      assert.equal(turns, 1);
    });

    it('counts as another one in another conversation, another channel, or under another id', async () => {
      const bot = await start();
      await bot.send();
      for (const fields of [{ conversation: { id: 'another' } }, { channelId: 'another' }, { id: 'another' }]) await bot.send(fields);
      assert.equal(turns, 4);
    });

    it('runs again if its turn never finished', async () => {
      const bot = await start();
      const { write } = storage.botState;
      Object.assign(storage.botState, { write: () => Promise.reject(new Error('the process died')) });
      await bot.send();
      Object.assign(storage.botState, { write });
      await bot.send();
      assert.equal(turns, 2);
    });
  });
}
