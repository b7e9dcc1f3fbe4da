import assert from 'node:assert/strict';
import { type Channel, openChannel } from '../support/channel.ts';
import { type ChannelTalk, channelTalk } from '../support/channel-talk.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('asking for a person', () => {
  let whole: Whole;
  let channel: Channel;
  let talk: ChannelTalk;
  const begin = async (settings: Record<string, string>) => {
    whole = await startWhole({ settings, turnRate: { points: 1000, seconds: 1 } });
    channel = await openChannel();
    talk = channelTalk(whole, channel, { conversation: 'conversation-1', user: 'user-1', channelId: 'emulator' });
  };
  afterEach(async () => {
    await whole.close();
    await channel.close();
  });
  const events = () => talk.replies().filter(({ type }) => type === 'event');

  describe('with a hub (HANDOFF=event)', () => {
    beforeEach(() => begin({ HANDOFF: 'event' }));

    it('sends the hub the Bot Framework’s event, and tells the customer that someone will come', async () => {
      await talk.say('agent');
      await talk.sees(/I have asked for a member of our team/);
      const [event, ...rest] = events();
      assert.deepEqual(rest, []);
      assert.equal(event.name, 'handoff.initiate');
      assert.deepEqual([event.value.cs_reason, event.attachments[0].name], ['asked', 'Transcript']);
      assert.equal(event.conversation.id, 'conversation-1');
    });

    const ways: [string, (of: ChannelTalk) => Promise<unknown>, object][] = [
      ['from the menu’s button', async (of) => of.submit(of.button('Talk to a person')), { cs_reason: 'asked' }],
      [
        'in the middle of an app',
        async (of) => {
          await of.say('payments');
          await of.say('agent');
        },
        { cs_app: 'payments', cs_reason: 'asked' },
      ],
      [
        'when nobody has the number',
        async (of) => {
          await of.say('payments');
          await of.say('+12025550199');
          await of.submit(of.button('Talk to a person'));
        },
        { cs_app: 'payments', cs_reason: 'nobody_found' },
      ],
      [
        'when the service fails',
        async (of) => {
          whole.proxy.refuse(/bootstrap/, 503);
          await of.say('e-form');
          await of.say('+12025550110');
          await of.submit(of.button('Talk to a person'));
        },
        { cs_app: 'e-form', cs_reason: 'trouble' },
      ],
      [
        'while waiting',
        async (of) => {
          for (const words of ['payments', '+12025550113', '1', 'agent']) await of.say(words);
        },
        { cs_app: 'payments', cs_reason: 'asked' },
      ],
    ];
    const verify = async () => {
      await talk.say('hello');
      for (const words of ['passkeys', '+12025550110', 'yes']) await talk.say(words);
      await until(() => talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
    };

    const endings: [string, () => Promise<unknown>][] = [
      ['the chat is handed back', () => talk.post({ type: 'event', name: 'handoff.status', value: { state: 'completed' } })],
      ['somebody joins', () => talk.post({ type: 'conversationUpdate', membersAdded: [{ id: 'user-2' }] })],
      ['the customer says that that is all', () => talk.say("That's all!")],
      ['the customer logs out', () => talk.say('log out')],
      [
        'another customer is chosen',
        async () => {
          for (const words of ['payments', 'another number', '+12025550102']) await talk.say(words);
        },
      ],
    ];
    for (const [what, end] of endings) {
      it(`no longer says so if ${what}`, async () => {
        await verify();
        await end();
        await talk.say('agent');
        await until(() => events().length === 1, 'the event');
        assert.equal(events()[0].value.cs_verified, false);
      });
    }

    it('still says so after the bot itself was added, and after the same customer was chosen again', async () => {
      await verify();
      await talk.post({ type: 'conversationUpdate', membersAdded: [{ id: 'bot' }], recipient: { id: 'bot' } });
      for (const words of ['payments', 'yes']) await talk.say(words);
      await talk.say('agent');
      await until(() => events().length === 1, 'the event');
      assert.equal(events()[0].value.cs_verified, true);
    });

    it('still waits for a request sent before the customer signed out, which then verifies nobody', async () => {
      await talk.say('hello');
      for (const words of ['passkeys', '+12025550110', 'yes']) await talk.say(words);
      await talk.say('log out');
      await talk.sees(/Goodbye!/);
      await until(() => talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
      await talk.say('agent');
      await until(() => events().length === 1, 'the event');
      assert.equal(events()[0].value.cs_verified, false);
    });

    it('never reports a failed customer as verified', async () => {
      await talk.say('hello');
      for (const words of ['passkeys', '+12025550111', 'yes']) await talk.say(words);
      await until(() => talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'failure'), 'the outcome');
      await talk.say('agent');
      await until(() => events().length === 1, 'the event');
      assert.equal(events()[0].value.cs_verified, false);
    });

    for (const [what, go, value] of ways) {
      it(`says why, and in which app: ${what}`, async () => {
        await talk.say('hello');
        await go(talk);
        await talk.sees(/I have asked for a member of our team/);
        assert.deepEqual(
          events().map(({ value: { cs_app, cs_reason } }) => ({ ...(cs_app && { cs_app }), cs_reason })),
          [value],
        );
        // The hub learns the rest from the chat; the event itself says nothing about the customer.
        assert.doesNotMatch(JSON.stringify(events().map((event) => event.value)), /2025550|Oliver|Samira|cust-/);
        assert.doesNotMatch(JSON.stringify(events()), /Oliver|Samira|cust-/);
      });
    }

    it('continues with the bot for a customer who does not want to wait', async () => {
      await talk.say('payments');
      await talk.say('agent');
      await talk.say('+12025550113');
      await talk.sees(/O••• \S\./);
    });
  });

  describe('without a hub', () => {
    it('says so', async () => {
      await begin({ AGENT_CONTACT: '' });
      await talk.say('agent');
      await talk.sees(/Nobody can join this chat right now\. Everything else/);
      assert.deepEqual(events(), []);
    });

    it('offers no agent, by button or in a sentence, and still answers', async () => {
      await begin({ AGENT_CONTACT: '' });
      await talk.say('hello');
      await talk.say('help');
      await talk.sees(/Say “cancel” to stop or “start over” to begin again\.$/);
      for (const words of ['payments', '+12025550199']) await talk.say(words);
      await talk.sees(/could not find anyone/);
      for (const words of ['+12025550111', '1']) await talk.say(words);
      await until(() => talk.replies().some(({ text }) => /What would you like to do now/.test(text)), 'the ways on');
      await talk.say('I want to talk to a person');
      await talk.sees(/Nobody can join this chat right now/);
      await talk.say('menu');
      for (const words of ['blue', 'green']) await talk.say(words);
      await talk.sees(/did not understand that either, sorry\. Say “menu” to see what I can do\.$/);
      assert.doesNotMatch(JSON.stringify(talk.replies()), /Talk to a person|talk to a person|“agent”/);
    });

    it('says how to reach someone instead (AGENT_CONTACT), in every language and in the web chat', async () => {
      await begin({ AGENT_CONTACT: '0800 555 0147 (8-18 h)' });
      await talk.say('agent');
      await talk.sees(/You can reach us here: 0800 555 0147 \(8-18 h\)/);
      await talk.post({ text: 'agente', locale: 'es-ES' });
      await talk.sees(/0800 555 0147 \(8-18 h\)/);
      const web: Talk = await talkTo(whole);
      await web.say('agent');
      await web.sees(/You can reach us here: 0800 555 0147/);
      web.chatter.socket.terminate();
    });
  });
});
