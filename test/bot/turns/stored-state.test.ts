import assert from 'node:assert/strict';
import type { TurnHandler, Without } from '../../../src/bot/turns/stored-state.ts';
import { makeRunTurn } from '../../../src/bot/turns/turns.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { type BotUnderTest, startBot } from '../../support/running-bot.ts';

for (const backend of backends) {
  describe(`a turn on state that it cannot use, on ${backend.kind}`, () => {
    let storage: Storage;
    let bot: BotUnderTest;
    let dropped: Without[];
    beforeEach(async () => {
      storage = await backend.open();
      dropped = [];
    });
    afterEach(async () => {
      await bot.close();
      await storage.close();
    });
    const start = async (handler: TurnHandler) => {
      const run = makeRunTurn(storage.botState, handler, (_fault, without) => dropped.push(without));
      bot = await startBot((context) => run(context));
    };
    const said = () => bot.channel.received.map(({ body }) => (body as { text?: string }).text);

    /** The first message leaves state; later turns fail on it, except without these parts of it. */
    const failing =
      (fault: Error, except: readonly (Without | undefined)[]): TurnHandler =>
      async ({ context, state, without }) => {
        const { count = 0 } = state as { count?: number };
        if (count > 0 && !except.includes(without)) throw fault;
        Object.assign(state, { count: count + 1 });
        await context.sendActivity(`without ${without}, ${count + 1}`);
      };

    const rungs = ['questions', 'dialogs', 'memory'] as const;
    for (const works of rungs)
      it(`runs again without its ${works}, at once, and stores what is left`, async () => {
        await start(failing(new TypeError('of an earlier version'), [works]));
        await bot.send({ id: 'one', text: 'one' });
        await bot.send({ id: 'two', text: 'two' });
        assert.deepEqual([said(), dropped], [['without undefined, 1', `without ${works}, 2`], [works]]);
      });

    for (const [what, fault] of [
      ['works without nothing', new TypeError('a mistake of ours')],
      ['fails for reasons outside', Object.assign(new Error('the service is away'), { code: 'unavailable' })],
      ['could not call', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })],
    ] as const)
      it(`leaves the chat as it was if the turn ${what}`, async () => {
        let broken = true;
        await start(async (turn) => {
          const known = turn.state as { count?: number };
          if (known.count !== undefined && broken && (what === 'works without nothing' || turn.without === undefined)) throw fault;
          known.count = (known.count ?? 0) + 1;
          await turn.context.sendActivity(`count ${known.count}`);
        });
        await bot.send({ id: 'one', text: 'one' });
        await bot.send({ id: 'two', text: 'two' });
        broken = false;
        await bot.send({ id: 'three', text: 'three' });
        assert.deepEqual(dropped, []);
        assert.deepEqual([said().at(0), said().at(-1)], ['count 1', 'count 2']);
      });

    for (const json of ['{"count"', '', 'null', '3', '[]', '"text"'])
      it(`begins anew on state that is no object (${json})`, async () => {
        await start(async ({ context, state }) => {
          Object.assign(state.constructor === Object ? state : JSON.parse('-'), { count: 1 });
          await context.sendActivity('begun');
        });
        const key = JSON.stringify(['test', 'conversation-1']);
        await storage.botState.write({ [key]: { json, etag: undefined } });
        await bot.send({ id: 'one', text: 'one' });
        assert.deepEqual([said(), dropped], [['begun'], ['memory']]);
        const { serviceUrl: _, ...kept } = JSON.parse((await storage.botState.read([key]))[key]?.json ?? '');
        assert.deepEqual(kept, { count: 1 });
      });

    it('posts a message with a key of its own once, although the turn ran twice', async () => {
      await start(async ({ context, state, without }) => {
        await context.sendActivity({ type: 'message', text: 'Paid.', channelData: { deliveryKey: 'i-1:ending' } });
        if ('count' in state && without === undefined) throw new TypeError('after the post');
        Object.assign(state, { count: 1 });
      });
      await bot.send({ id: 'one', text: 'one' });
      await bot.send({ id: 'two', text: 'two' });
      assert.deepEqual([said(), dropped], [['Paid.', 'Paid.'], ['questions']]);
    });
  });
}
