import assert from 'node:assert/strict';
import { ConnectorError } from '../../../src/bot/outgoing/connector.ts';
import type { TurnContext } from '../../../src/bot/sdk.ts';
import { TurnHealth } from '../../../src/bot/turns/turn-health.ts';
import { StateConflict } from '../../../src/storage/index.ts';

describe('the health of turns', () => {
  let now: number;
  let health: TurnHealth;
  let fault: Error | undefined;
  beforeEach(() => {
    now = 0;
    fault = new TypeError('of every turn');
    health = new TurnHealth({ now: () => now });
  });
  const turnIn = async (...chats: number[]) => {
    const run = health.watch(async () => {
      if (fault) throw fault;
    });
    for (const chat of chats)
      await run({ activity: { channelId: 'emulator', conversation: { id: `c-${chat}` } } } as TurnContext).catch(() => {});
  };
  const isReady = () =>
    health.check().then(
      () => true,
      () => false,
    );

  it('is bad once the turns of five chats in a row have failed', async () => {
    await turnIn(1, 2, 3, 4);
    assert.equal(await isReady(), true);
    await turnIn(5);
    assert.equal(await isReady(), false);
  });

  it('is good again after a minute without turns, and bad again only after five more', async () => {
    await turnIn(1, 2, 3, 4, 5);
    now += 59_999;
    assert.equal(await isReady(), false);
    now += 1;
    assert.equal(await isReady(), true);
    await turnIn(1, 2, 3, 4);
    assert.equal(await isReady(), true);
    await turnIn(5);
    assert.equal(await isReady(), false);
  });

  it('is good again as soon as a turn works', async () => {
    await turnIn(1, 2, 3, 4, 5);
    fault = undefined;
    await turnIn(6);
    assert.equal(await isReady(), true);
  });

  it('does not depend on a single chat, however often it fails', async () => {
    for (let times = 0; times < 50; times += 1) await turnIn(1, 2, 3, 4);
    assert.equal(await isReady(), true);
  });

  it('does not add up failures of different minutes', async () => {
    for (const chat of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await turnIn(chat);
      now += 20_000;
    }
    assert.equal(await isReady(), true);
  });

  it('does not depend on channels, databases or other replicas', async () => {
    for (const each of [
      new ConnectorError('busy', { status: 503 }),
      new StateConflict(),
      Object.assign(new Error('disk full'), { code: 'ERR_SQLITE_ERROR' }),
    ]) {
      fault = each;
      await turnIn(1, 2, 3, 4, 5, 6);
      assert.equal(await isReady(), true);
    }
  });
});
