import assert from 'node:assert/strict';
import { callPrefix } from '../../src/directline/activity.ts';
import { ConversationGone, makeDirectLineConnector } from '../../src/directline/connector.ts';
import { makeSignals } from '../../src/directline/signals.ts';
import { newUlid } from '../../src/platform/secrets/new-id.ts';
import type { Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';

describe('what the bot says in a call', () => {
  let storage: Storage;
  let now = 1_000_000;
  const call = `${callPrefix}c1`;
  beforeEach(async () => {
    storage = await (backends[0] as (typeof backends)[number]).open();
    await storage.chats.open(call, 'tel:+12025550102', now);
    await storage.chats.hear(call, now);
  });
  afterEach(() => storage.close());

  const say = async (conversation: string) => {
    const parties = { botId: 'bot', botName: 'Bot' };
    const connector = makeDirectLineConnector({
      chats: storage.chats,
      signals: makeSignals(),
      parties,
      clock: { now: () => now },
      newId: newUlid,
    });
    return connector.post(conversation, { type: 'message', text: 'Paid' });
  };

  it('reaches a gateway that called lately, and none that has been silent for too long', async () => {
    now += 150_000;
    await say(call);
    now += 1;
    await assert.rejects(say(call), ConversationGone);
    await storage.chats.hear(call, now);
    await say(call);
  });

  it('reaches nobody who has hung up', async () => {
    await storage.chats.end(call, 'tel:+12025550102');
    await assert.rejects(say(call), ConversationGone);
  });

  it('is not affected in a chat, to which its customer may return', async () => {
    await storage.chats.open('chat', 'dl_user', now);
    now += 10_000_000;
    await say('chat');
  });
});
