import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from 'undici';
import { readSettings } from '../../../src/compose/start/settings.ts';
import { type OpenTelemetry, openTelemetry } from '../../../src/compose/start/telemetry.ts';
import type { Interaction } from '../../../src/interactions/index.ts';
import { type Channel, openChannel } from '../../support/channel.ts';
import { startConversation } from '../../support/conversation-under-test.ts';
import { type Talk, talkTo } from '../../support/talk.ts';
import { until } from '../../support/until.ts';
import { startWhole, type Whole } from '../../support/whole.ts';

describe('a customer’s rating of an outcome', () => {
  let whole: Whole;
  let telemetry: OpenTelemetry;
  before(async () => {
    telemetry = await openTelemetry(readSettings({}), (fault) => assert.fail(String(fault)));
    whole = await startWhole({ telemetry: () => telemetry });
  });
  after(() => whole.close());

  const paid = async () => {
    const talk = await talkTo(whole);
    for (const words of ['pay', '+12025550110', '1']) await talk.say(words);
    const outcome = await talk.outcome();
    await talk.sees(/What would you like to do/);
    return { talk, outcome };
  };
  // biome-ignore lint/suspicious/noExplicitAny: what stands in an activity, checked by the test that asks
  const actionsOf = ({ entities }: any) => entities[0].potentialAction;
  const presses = (talk: Talk, ...entities: object[]) =>
    talk.chatter.post({ type: 'event', name: 'webchat:activity-status/feedback', entities });
  const counted = async (name = 'total') => {
    const { body = '' } = (await telemetry.expose()) ?? {};
    const line = new RegExp(`^countersign_feedback_${name}\\{app="([^"]*)",outcome="([^"]*)",value="([^"]*)"\\} (\\d+)$`, 'gm');
    return [...body.matchAll(line)].map(([, ...parts]) => parts.join(' ')).sort();
  };

  it('is counted once, however often it is given, and can be changed; it gets no reply', async () => {
    const { talk, outcome } = await paid();
    const [like, dislike] = actionsOf(outcome);
    const ids: string[] = [];
    for (const action of [like, like, dislike, dislike, like]) {
      const { status, body } = await presses(talk, action);
      assert.equal(status, 200);
      ids.push(body.id);
    }
    assert.deepEqual(await counted(), ['payments success dislike 1', 'payments success like 2']);
    assert.deepEqual(await counted('changed_total'), ['payments success dislike 1', 'payments success like 1']);
    await talk.say('status');
    await talk.sees(/pay/i);
    assert.deepEqual(
      talk.messages().filter(({ replyToId }) => ids.includes(replyToId)),
      [],
    );
  });

  for (const [status, asked] of [
    ['success', true],
    ['failure', false],
    ['timeout', false],
    ['cancelled', false],
  ] as const)
    for (const channelId of ['directline', 'msteams'])
      it(`is ${asked ? '' : 'not '}asked for after ${status} (${channelId})`, async () => {
        const chat = startConversation();
        chat.channelId = channelId;
        await chat.say('payments', '+12025550102', 'Router', 'send');
        const interaction = {
          ...(chat.sent[0] as Interaction),
          state: 'decided',
          outcome: { status, by: 'result', at: chat.now },
        } as const;
        chat.sent[0] = interaction;
        const before = chat.said.length;
        await chat.hears({ kind: 'outcome', interaction });
        assert.equal(/LikeAction|feedbackLoopEnabled/.test(JSON.stringify(chat.said.slice(before))), asked);
        assert.equal(chat.state.memory?.rateable?.length ?? 0, asked && channelId === 'msteams' ? 1 : 0);
      });

  it('is not accepted from another chat, nor for anything but an outcome', async () => {
    const { outcome } = await paid();
    const other = await talkTo(whole);
    const before = await counted();
    const [like] = actionsOf(outcome);
    const odd = [
      like,
      { ...like, '@id': 'urn:countersign:outcome:01KAH5Z0V8Q2J9XW3N4M5P6R7S:like' },
      { ...like, '@id': `${like['@id']}d` },
      { type: 'x' },
    ];
    for (const action of odd) assert.equal((await presses(other, action)).status, 200);
    await presses(other);
    assert.deepEqual(await counted(), before);
  });

  it('is offered below outcomes only', async () => {
    const { talk, outcome } = await paid();
    const rated = talk.messages().filter(({ entities }) => entities);
    assert.deepEqual(
      rated.map(({ id }) => id),
      [outcome.id],
    );
  });

  it('uses Teams’ thumbs, which are acknowledged; comments with them are stored nowhere', async () => {
    const channel: Channel = await openChannel();
    const sends = (activity: object) =>
      fetch(whole.bot().endpointUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          channelId: 'msteams',
          serviceUrl: channel.serviceUrl,
          conversation: { id: 'a:1', conversationType: 'personal' },
          from: { id: '29:1', aadObjectId: '66666666-7777-4888-9999-000000000001' },
          recipient: { id: '28:bot' },
          ...activity,
        }),
      });
    for (const [index, text] of ['pay', '+12025550110', '1'].entries())
      await sends({ type: 'message', id: `m${index}`, locale: 'en-US', text });
    const told = () => channel.received.findIndex(({ body }) => /interaction/.test(JSON.stringify(body?.channelData))) + 1;
    const index = await until(() => told() || undefined, 'the outcome');
    const { feedbackLoopEnabled, interaction } = (channel.received[index - 1]?.body?.channelData ?? {}) as Record<
      string,
      { status?: string }
    >;
    assert.deepEqual([feedbackLoopEnabled, interaction?.status], [true, 'success']);
    const others = channel.received.filter(({ body }) => /feedbackLoop/.test(JSON.stringify(body)));
    assert.equal(others.length, 1);

    const before = (await counted()).join();
    await until(() => channel.received.length > index, 'the menu');
    const posted = channel.received.length;
    const value = { actionName: 'feedback', actionValue: { reaction: 'dislike', feedback: '{"feedbackText":"Zebra"}' } };
    const answer = await sends({ type: 'invoke', id: 'f1', name: 'message/submitAction', replyToId: `a${index}`, value });
    assert.equal(answer.status, 200);
    assert.notEqual((await counted()).join(), before);
    const after = (await counted()).join();
    assert.equal((await sends({ type: 'invoke', id: 'f2', name: 'message/submitAction', replyToId: 'a999', value })).status, 200);
    assert.equal((await counted()).join(), after);
    assert.equal((await sends({ type: 'invoke', id: 'f3', name: 'message/submitAction', value: {} })).status, 501);
    assert.equal(channel.received.length, posted);
    assert.doesNotMatch(whole.lines.join(), /Zebra/);
    for (const file of globSync(join(whole.dataDir, '**/*.db*'))) assert.ok(!readFileSync(file).includes('Zebra'), file);
    await channel.close();
  });
});
