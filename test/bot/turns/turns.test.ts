import assert from 'node:assert/strict';
import { ActivityHandler, type TurnContext } from 'botbuilder';
import { answering } from '../../support/channel.ts';
import { type BotUnderTest, type BotUnderTestOptions, startBot } from '../../support/running-bot.ts';
import { until } from '../../support/until.ts';

const echo = async (context: TurnContext) => {
  const { type, text } = context.activity;
  if (type === 'message') await context.sendActivity(`You said: ${text}`);
};

describe('a turn over HTTP', () => {
  const open: BotUnderTest[] = [];
  const start = async (logic: (context: TurnContext) => Promise<void> = echo, options: BotUnderTestOptions = {}) => {
    const bot = await startBot(logic, options);
    open.push(bot);
    return bot;
  };
  afterEach(async () => {
    for (const bot of open.splice(0)) await bot.close();
  });

  it('runs a turn and posts the reply to the channel, once', async () => {
    const bot = await start();
    const response = await bot.send({ text: 'Hello', conversation: { id: 'a/b' } });
    assert.deepEqual([response.status, response.body], [200, undefined]);
    assert.equal(bot.channel.received.length, 1);
    const [{ method, path, body } = assert.fail()] = bot.channel.received;
    assert.deepEqual([method, path], ['POST', '/v3/conversations/a%2Fb/activities/activity-1']);
    assert.deepEqual(
      [body?.text, body?.replyToId, body?.from, body?.recipient],
      ['You said: Hello', 'activity-1', { id: 'bot-1' }, { id: 'user-1', name: 'Jane' }],
    );
  });

  it('answers an invoke with its own status and body', async () => {
    const bot = await start(async (context) => {
      await context.sendActivity({ type: 'invokeResponse', value: { status: 201, body: { ok: true } } });
    });
    const response = await bot.send({ type: 'invoke', name: 'x' });
    assert.deepEqual([response.status, response.body], [201, { ok: true }]);
    assert.match(String(response.headers['content-type']), /^application\/json/);
  });

  it('answers an invoke through the activity handler of the SDK', async () => {
    class Handler extends ActivityHandler {
      protected override onInvokeActivity = async () => ({ status: 200, body: 'text' });
    }
    const handler = new Handler();
    const response = await (await start((context) => handler.run(context))).send({ type: 'invoke', name: 'x' });
    assert.deepEqual([response.status, response.body], [200, 'text']);
  });

  it('answers an invoke that nobody takes with 501', async () => {
    assert.equal((await (await start()).send({ type: 'invoke', name: 'x' })).status, 501);
  });

  it('answers with the replies if they are expected there, and posts nothing', async () => {
    const bot = await start();
    const response = await bot.send({ deliveryMode: 'expectReplies' });
    assert.equal(response.status, 200);
    assert.equal((response.body as { activities: { text: string }[] }).activities[0]?.text, 'You said: Hello');
    assert.equal(bot.channel.received.length, 0);
  });

  describe('when a turn fails', () => {
    const failing = async () => {
      throw new Error('no luck for +12025550101');
    };

    it("apologises once in the customer's language, acknowledges the activity, logs no text, and keeps running", async () => {
      const bot = await start(failing);
      assert.equal((await bot.send({ locale: 'es-ES' })).status, 200);
      assert.deepEqual(
        bot.channel.received.map(({ body }) => body?.text),
        ['sorry in es-ES'],
      );
      assert.match(bot.logged.join(''), /"msg":"a turn failed"/);
      assert.doesNotMatch(bot.logged.join(''), /2025550101|Jane|Hello/);
      assert.equal((await bot.send({ id: 'activity-2' })).status, 200);
    });

    it('answers an invoke with 500 and says nothing else', async () => {
      const bot = await start(failing);
      assert.equal((await bot.send({ type: 'invoke', name: 'x' })).status, 500);
      assert.equal(bot.channel.received.length, 0);
    });

    it('posts nothing if the customer had not written', async () => {
      const bot = await start(failing);
      assert.equal((await bot.send({ type: 'conversationUpdate', membersAdded: [{ id: 'user-1' }] })).status, 200);
      assert.equal(bot.channel.received.length, 0);
    });

    it('does not apologise through a channel that refused the reply', async () => {
      const bot = await start();
      bot.channel.next.push(answering(403, {}, JSON.stringify({ error: { code: 'BotDisabledByAdmin' } })));
      assert.equal((await bot.send()).status, 200);
      assert.equal(bot.channel.received.length, 1);
      assert.match(bot.logged.join(''), /"errorCode":"gone".*"status":403.*"reason":"BotDisabledByAdmin"/);
    });

    it('survives an apology that is refused too', async () => {
      const bot = await start(failing);
      bot.channel.next.push(answering(500));
      assert.equal((await bot.send()).status, 200);
      assert.equal(bot.channel.received.length, 1);
      assert.match(bot.logged.join(''), /the apology for a failed turn was not posted/);
    });

    it('survives thrown values that are not errors', async () => {
      const bot = await start(() => Promise.reject('nonsense'));
      assert.equal((await bot.send()).status, 200);
      assert.equal(bot.channel.received.length, 1);
    });
  });

  describe('if the channel refuses a message', () => {
    const card = {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
      summary: 'Paid. Thank you.',
      speak: 'Paid. Thank you.\nAmount: $1',
      channelData: { interaction: { app: 'payments' } },
    };
    const inWords = 'Paid. Thank you.\nAmount: $1';
    const refused: [string, number, object, string | undefined][] = [
      ['a card is told once more in words', 413, card, inWords],
      ['a card is told once more in words', 400, card, inWords],
      ['a card with much to say is told in one line', 400, { ...card, speak: 'x'.repeat(1001) }, 'Paid. Thank you.'],
      ['a card with as much as is short is told in words', 400, { ...card, speak: 'x'.repeat(1000) }, 'x'.repeat(1000)],
      ['a long text is cut', 413, { type: 'message', text: 'x'.repeat(1001) }, `${'x'.repeat(999)}…`],
      ['a short text stays refused', 400, { type: 'message', text: 'x'.repeat(1000) }, undefined],
      ['nothing is told where the chat is gone', 403, card, undefined],
    ];
    for (const [what, status, said, words] of refused) {
      it(`with ${status}: ${what}`, async () => {
        const bot = await start(async (context) => {
          await context.sendActivity(said);
        });
        bot.channel.next.push(answering(status));
        await bot.send();
        const [first, second, ...more] = bot.channel.received.map(({ body }) => body);
        assert.deepEqual(first?.attachments, (said as Partial<typeof card>).attachments);
        assert.deepEqual([second?.text, more], [words, []]);
        if (words === undefined) return;
        assert.deepEqual([second?.textFormat, second?.attachments, second?.speak], ['plain', undefined, undefined]);
        assert.deepEqual(second?.channelData, (said as Partial<typeof card>).channelData);
        assert.match(bot.logged.join(''), new RegExp(`"level":"warn".*"status":${status}.*goes once more as short plain text`));
      });
    }

    it('and refuses it in words too, that is the end of it', async () => {
      const bot = await start(async (context) => {
        await context.sendActivity(card);
      });
      bot.channel.next.push(answering(400), answering(400));
      assert.equal((await bot.send()).status, 200);
      assert.equal(bot.channel.received.length, 2);
      assert.match(bot.logged.join(''), /"errorCode":"rejected".*"status":400/);
    });
  });

  it('posts again when the channel was busy', async () => {
    const bot = await start();
    bot.channel.next.push(answering(412));
    assert.equal((await bot.send()).status, 200);
    assert.deepEqual(
      bot.channel.received.map(({ body }) => body?.text),
      ['You said: Hello', 'You said: Hello'],
    );
  });

  it('takes 10 turns in 10 s from one user, without limiting others', async () => {
    const bot = await start(async () => {}, { rate: { points: 10, seconds: 10 } });
    const statuses = [];
    for (let turn = 0; turn < 10; turn++) statuses.push((await bot.send()).status);
    assert.deepEqual(statuses, Array(10).fill(200));
    const refused = await bot.send();
    assert.deepEqual([refused.status, (refused.body as { code: string }).code], [429, 'too_many_turns']);
    assert.ok(Number(refused.headers['retry-after']) >= 1 && Number(refused.headers['retry-after']) <= 10);
    assert.equal((await bot.send({ from: { id: 'user-2' } })).status, 200);
    assert.equal((await bot.send({ channelId: 'other' })).status, 200);
  });

  describe('with slow turns', () => {
    const gates: (() => void)[] = [];
    const waiting = () => new Promise<void>((resolve) => gates.push(resolve));
    const openAll = () => {
      for (const gate of gates.splice(0)) gate();
    };
    afterEach(openAll);

    it('runs the turns of a conversation one after the other, and of others beside it', async () => {
      const order: string[] = [];
      const bot = await start(async ({ activity: { conversation, text } }) => {
        order.push(`${text} begins`);
        if (conversation.id === 'slow') await waiting();
        order.push(`${text} ends`);
      });
      const first = bot.send({ text: 'one', conversation: { id: 'slow' } });
      await until(() => gates.length === 1);
      const second = bot.send({ text: 'two', conversation: { id: 'slow' } });
      await bot.send({ text: 'three', conversation: { id: 'quick' } });
      assert.deepEqual(order, ['one begins', 'three begins', 'three ends']);
      openAll();
      await until(() => gates.length === 1);
      openAll();
      await Promise.all([first, second]);
      assert.deepEqual(order.slice(3), ['one ends', 'two begins', 'two ends']);
    });

    it('refuses more when too many wait in a conversation', async () => {
      const bot = await start(waiting, { lock: { maxWaiting: 1 } });
      const first = bot.send();
      await until(() => gates.length === 1);
      const others = [bot.send(), bot.send()];
      const refused = await Promise.race(others);
      assert.deepEqual([refused.status, (refused.body as { code: string }).code], [429, 'conversation_busy']);
      openAll();
      await first;
      await until(() => gates.length === 1);
      openAll();
      assert.deepEqual((await Promise.all(others)).map(({ status }) => status).sort(), [200, 429]);
    });

    it('answers 202 when a turn takes too long, and the turn goes on', async () => {
      const bot = await start(
        async (context) => {
          await waiting();
          await echo(context);
        },
        { answerWithin: 20 },
      );
      assert.equal((await bot.send()).status, 202);
      openAll();
      await until(() => bot.channel.received.length === 1);
    });

    it('answers 504 when an invoke takes too long', async () => {
      const bot = await start(waiting, { answerWithin: 20 });
      const response = await bot.send({ type: 'invoke', name: 'x' });
      assert.deepEqual([response.status, (response.body as { code: string }).code], [504, 'turn_timeout']);
    });

    it('answers a card’s click in time with what the turn has answered so far, and lets the turn go on', async () => {
      const card = { statusCode: 200, type: 'application/vnd.microsoft.card.adaptive', value: {} };
      const empty = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '' };
      for (const body of [card, empty]) {
        const bot = await start(
          async (context) => {
            if (body === card) await context.sendActivity({ type: 'invokeResponse', value: { status: 200, body } });
            await waiting();
            await context.sendActivity('and more');
          },
          { clickWithin: 20 },
        );
        const response = await bot.send({ type: 'invoke', name: 'adaptiveCard/action' });
        assert.deepEqual([response.status, response.body], [200, body]);
        openAll();
        await until(() => bot.channel.received.length === 1);
      }
    });

    it('lets a turn finish that is running when the server closes', async () => {
      const bot = await start(
        async (context) => {
          await waiting();
          await echo(context);
        },
        { answerWithin: 20 },
      );
      await bot.send();
      const closed = bot.server.close(2000);
      openAll();
      await closed;
      assert.equal(bot.channel.received.length, 1);
    });
  });
});
