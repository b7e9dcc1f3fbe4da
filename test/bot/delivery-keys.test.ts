import assert from 'node:assert/strict';
import type { Activity, TurnContext } from 'botbuilder';
import { addDeliveryKeys } from '../../src/bot/turns/turns.ts';
import { ownServiceUrl } from '../../src/platform/channels.ts';

describe('the delivery keys of a turn’s messages', () => {
  type Hook = (context: unknown, activities: Partial<Activity>[], next: () => Promise<unknown>) => Promise<unknown>;
  /** Says it all in one turn of that cause; answers the channel data that went out. */
  const say = async (cause: string | undefined, activities: Partial<Activity>[], serviceUrl = ownServiceUrl) => {
    const hooks: Hook[] = [];
    addDeliveryKeys({ activity: { serviceUrl }, onSendActivities: (hook: Hook) => hooks.push(hook) } as unknown as TurnContext, cause);
    for (const activity of activities) for (const hook of hooks) await hook(undefined, [activity], async () => {});
    return activities.map(({ channelData }) => channelData);
  };
  const texts = (...said: string[]): Partial<Activity>[] => said.map((text) => ({ type: 'message', text }));
  const keys = (data: { deliveryKey?: string }[]) => data.map(({ deliveryKey }) => deliveryKey);

  it('are the same when the turn runs again, and different for another cause or other words', async () => {
    const first = keys(await say('a', texts('one', 'two', 'one')));
    assert.equal(new Set(first).size, 3);
    assert.deepEqual(keys(await say('a', texts('one', 'two', 'one'))), first);
    const other = keys(await say('b', texts('one', 'two', 'one')));
    assert.equal(new Set([...first, ...other]).size, 6);
  });

  it('do not depend on the turn’s other messages', async () => {
    const [, second] = keys(await say('a', texts('one', 'two')));
    assert.deepEqual(keys(await say('a', texts('two'))), [second]);
  });

  it('are on messages only, not on typing', async () => {
    const ending = { type: 'message', text: 'Paid', channelData: { deliveryKey: 'i1:ending', interaction: { app: 'payments' } } };
    assert.deepEqual(await say('a', [ending, { type: 'typing' }]), [
      { deliveryKey: 'i1:ending', interaction: { app: 'payments' } },
      undefined,
    ]);
  });

  it('are not given to messages of a turn without a cause', async () => {
    assert.deepEqual(await say(undefined, texts('one')), [undefined]);
  });

  it('are removed from messages to other channels', async () => {
    const ending = { type: 'message', text: 'Paid', channelData: { deliveryKey: 'i1:ending', interaction: { app: 'payments' } } };
    const data = await say('a', [ending, ...texts('Menu')], 'https://smba.trafficmanager.net/emea/');
    assert.deepEqual(data, [{ interaction: { app: 'payments' } }, undefined]);
  });
});
