import assert from 'node:assert/strict';
import type { Activity, TurnContext } from 'botbuilder';
import { ownServiceUrl } from '../../src/bot/connector.ts';
import { makeTurns, type RunTurn } from '../../src/bot/turns.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';

describe('a turn and what is kept of it', () => {
  let storage: Storage;
  let run: RunTurn;
  /** What the conversation does in a turn. */
  let converse: (state: { count?: number }, context: TurnContext) => Promise<void>;
  const sent: Partial<Activity>[] = [];
  beforeEach(async () => {
    storage = await openStorage(undefined);
    run = makeTurns(storage.botState, ({ state, context }) => converse(state, context));
    sent.length = 0;
  });
  afterEach(() => storage.close());

  /** A turn's context as far as a turn needs one. */
  const contextOf = (fields: Partial<Activity>) => {
    const hooks: ((context: unknown, activities: Partial<Activity>[], next: () => Promise<unknown>) => Promise<unknown>)[] = [];
    return {
      activity: { type: 'message', serviceUrl: ownServiceUrl, channelId: 'directline', conversation: { id: 'c1' }, ...fields },
      onSendActivities: (hook: (typeof hooks)[number]) => hooks.push(hook),
      sendActivity: async (activity: Partial<Activity>) => {
        for (const hook of hooks) await hook(undefined, [activity], async () => {});
        sent.push(activity);
      },
    } as unknown as TurnContext;
  };
  const count = async (state: { count?: number }) => {
    state.count = (state.count ?? 0) + 1;
  };
  const counted = async () =>
    Object.values(await storage.botState.read([JSON.stringify([ownServiceUrl, 'c1'])])).map(
      ({ value }) => (value as { state: object }).state,
    );
  const names = () => sent.map(({ channelData }) => channelData?.deliveryKey);

  it('is taken once, however often its activity comes', async () => {
    converse = count;
    for (const id of ['a', 'a', 'b', 'a']) await run(contextOf({ id }));
    assert.deepEqual(await counted(), [{ count: 2 }]);
  });

  it('is taken again when it did not get as far as being kept', async () => {
    converse = async () => {
      throw new Error('died');
    };
    await assert.rejects(run(contextOf({ id: 'a' })));
    converse = count;
    await run(contextOf({ id: 'a' }));
    assert.deepEqual(await counted(), [{ count: 1 }]);
  });

  it('is taken every time for news, for typing, and for an invoke, which wants its answer again', async () => {
    converse = count;
    for (const type of ['typing', 'invoke']) for (let time = 0; time < 2; time += 1) await run(contextOf({ id: type, type }));
    for (let time = 0; time < 2; time += 1)
      await run(contextOf({ id: 'x' }), { kind: 'progress', interaction: { id: 'i1' } as Interaction });
    assert.deepEqual(await counted(), [{ count: 6 }]);
  });

  it('names what it says alike when it is taken again, and differently for another reason or other words', async () => {
    converse = async (_state, context) => {
      for (const text of ['one', 'two', 'one']) await context.sendActivity({ type: 'message', text });
      throw new Error('died');
    };
    for (const id of ['a', 'a', 'b']) await assert.rejects(run(contextOf({ id })));
    const [first, again, other] = [names().slice(0, 3), names().slice(3, 6), names().slice(6)];
    assert.equal(new Set(first).size, 3);
    assert.deepEqual(again, first);
    assert.equal(new Set([...first, ...other]).size, 6);
  });

  it('leaves a name that was given, and takes all names off where they mean nothing', async () => {
    converse = async (_state, context) => {
      await context.sendActivity({
        type: 'message',
        text: 'Paid',
        channelData: { deliveryKey: 'i1:ending', interaction: { app: 'payments' } },
      });
      await context.sendActivity({ type: 'message', text: 'Menu' });
      await context.sendActivity({ type: 'typing' });
    };
    await run(contextOf({ id: 'a' }));
    assert.equal(names()[0], 'i1:ending');
    assert.equal(names()[2], undefined);
    sent.length = 0;
    await run(contextOf({ id: 'a', serviceUrl: 'https://smba.trafficmanager.net/emea/', channelId: 'msteams' }));
    assert.deepEqual(
      sent.map(({ channelData }) => channelData),
      [{ interaction: { app: 'payments' } }, undefined, undefined],
    );
  });
});
