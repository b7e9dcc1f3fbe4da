import assert from 'node:assert/strict';
import { type ConversationReference, TurnContext } from 'botbuilder';
import { ConnectorError } from '../../src/bot/outgoing/connector.ts';
import { turnKey } from '../../src/bot/turns/addresses.ts';
import { ownServiceUrl } from '../../src/platform/channels.ts';
import { message } from '../support/activities.ts';
import { answering } from '../support/channel.ts';
import { type BotUnderTest, startBot } from '../support/running-bot.ts';
import { until } from '../support/until.ts';

describe('the adapter', () => {
  let bot: BotUnderTest;
  const references: Partial<ConversationReference>[] = [];
  before(async () => {
    bot = await startBot(
      async (context) => {
        references.push(TurnContext.getConversationReference(context.activity));
      },
      { rate: { points: 5, seconds: 10 } },
    );
  });
  beforeEach(() => {
    references.length = 0;
    bot.ownPosts.length = 0;
    bot.channel.received.length = 0;
    bot.channel.next.length = 0;
  });
  after(() => bot.close());

  const own = (fields: Record<string, unknown> = {}) =>
    message({ channelId: 'directline', serviceUrl: ownServiceUrl, from: { id: 'dl_1' }, ...fields });

  describe('for our own Direct Line', () => {
    it('runs a turn in this process and answers through its connector', async () => {
      await bot.adapter.receiveOwn(own(), async (context) => {
        await context.sendActivity('Hi');
        await context.updateActivity({ id: 'a9', type: 'message', text: 'Hi again' });
      });
      assert.equal(bot.ownPosts.length, 1);
      const [conversationId, activity, replyToId] = bot.ownPosts[0] ?? [];
      assert.deepEqual([conversationId, activity?.text, replyToId], ['conversation-1', 'Hi', 'activity-1']);
      assert.equal(bot.channel.received.length, 0);
    });

    it('takes no activity of another service URL', async () => {
      const never = async () => assert.fail('it ran');
      const refusal = { status: 400, code: 'invalid_activity' };
      await assert.rejects(bot.adapter.receiveOwn(own({ serviceUrl: bot.channel.serviceUrl }), never), refusal);
      await assert.rejects(bot.adapter.receiveOwn('nonsense', never), refusal);
    });

    it('counts none of its users: they were counted before anything was stored', async () => {
      for (let turn = 0; turn < 10; turn++) await bot.adapter.receiveOwn(own({ from: { id: 'dl_busy' } }), async () => {});
    });
  });

  describe('for a proactive turn', () => {
    const reference = async (): Promise<Partial<ConversationReference>> => {
      await bot.send({ from: { id: crypto.randomUUID() } });
      const [found = assert.fail()] = references;
      return JSON.parse(JSON.stringify(found));
    };

    it('posts into the conversation, as no reply to anything', async () => {
      await bot.adapter.continueConversation(await reference(), async (context) => {
        assert.equal(context.activity.locale, 'en-US');
        await context.sendActivity('It is done');
      });
      const [{ path, body } = assert.fail()] = bot.channel.received;
      assert.equal(path, '/v3/conversations/conversation-1/activities');
      assert.deepEqual([body?.text, body?.replyToId, body?.from], ['It is done', undefined, { id: 'bot-1' }]);
    });

    it('posts into our own Direct Line', async () => {
      const ours = { ...(await reference()), channelId: 'directline', serviceUrl: ownServiceUrl };
      await bot.adapter.continueConversation(ours, async (context) => void (await context.sendActivity('It is done')));
      assert.deepEqual(
        bot.ownPosts.map(([conversationId, , replyToId]) => [conversationId, replyToId]),
        [['conversation-1', undefined]],
      );
    });

    for (const [status, code] of [
      [429, 'busy'],
      [500, 'uncertain'],
      [404, 'gone'],
    ] as const) {
      it(`throws ${code} to its caller, after one post`, async () => {
        bot.channel.next.push(answering(status));
        await assert.rejects(
          bot.adapter.continueConversation(await reference(), async (context) => void (await context.sendActivity('It is done'))),
          (fault) => fault instanceof ConnectorError && fault.code === code,
        );
        assert.equal(bot.channel.received.length, 1);
      });
    }

    it('throws what its logic throws, and apologises to nobody', async () => {
      const fault = new Error('the logic failed');
      await assert.rejects(
        bot.adapter.continueConversation(await reference(), async () => {
          throw fault;
        }),
        fault,
      );
      assert.equal(bot.channel.received.length, 0);
    });

    it('never posts to a stored address with a service URL that is not allowed', async () => {
      const moved = { ...(await reference()), serviceUrl: 'https://evil.example/' };
      await assert.rejects(
        bot.adapter.continueConversation(moved, async (context) => void (await context.sendActivity('x'))),
        (fault) => fault instanceof ConnectorError && fault.code === 'refused_address',
      );
    });

    it("waits for the user's turn in the same conversation", async () => {
      const order: string[] = [];
      const stored = await reference();
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const activity = message({ serviceUrl: bot.channel.serviceUrl, from: { id: 'slow' } });
      let began = false;
      const users = bot.adapter.receive('', activity as never, async () => {
        began = true;
        await released;
        order.push('user');
      });
      await until(() => began);
      const proactive = bot.adapter.continueConversation(stored, async () => void order.push('proactive'));
      release();
      await Promise.all([users, proactive]);
      assert.deepEqual(order, ['user', 'proactive']);
    });
  });

  it('keeps the conversations of different channels apart', () => {
    const key = (channelId: string, serviceUrl: string, id: string) => turnKey({ channelId, serviceUrl, conversation: { id } as never });
    const keys = [
      key('msteams', 'https://smba.trafficmanager.net/amer/', 'a'),
      key('slack', 'https://slack.botframework.com/', 'a'),
      key('directline', 'https://directline.botframework.com/', 'a'),
      key('directline', ownServiceUrl, 'a'),
    ];
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(key('msteams', 'https://smba.trafficmanager.net/emea/', 'a'), keys[0]);
  });
});
