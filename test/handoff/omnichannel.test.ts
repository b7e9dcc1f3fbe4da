import assert from 'node:assert/strict';
import type { Seen } from '../support/direct-line.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

/** The shape of a command, as the page of Microsoft's sample has it. */
interface Command {
  readonly type: string;
  readonly context: Readonly<Record<string, unknown>>;
}

describe('a bot in Dynamics 365', () => {
  let world: World;
  before(async () => {
    world = await openWorld('omnichannel');
  });
  beforeEach(() => world.nextChat());
  after(() => world.close());
  const messages = (): Seen[] => world.talk.replies().filter(({ type }) => type === 'message');
  const commandIn = ({ channelData }: Seen): Command | undefined => channelData?.tags && JSON.parse(channelData.tags);
  const asked = () => messages().flatMap((message) => commandIn(message) ?? []);

  it('bridges every message to the customer, cards and outcomes too, and no command', async () => {
    for (const text of ['hello', 'passkeys', '+12025550110', 'yes', 'yes']) await world.talk.say(text);
    await until(() => messages().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
    await world.talk.say('agent');
    await until(() => asked().length === 1, 'the escalation');
    assert.ok(messages().some(({ attachments = [] }) => attachments.length > 0));
    for (const message of messages())
      assert.equal(message.channelData?.deliveryMode, commandIn(message) ? undefined : 'bridged', JSON.stringify(message));
  });

  it('escalates by a message whose text agents read, as the last one, without events', async () => {
    await world.talk.say('payments');
    await world.talk.say('agent');
    const last = messages().at(-1);
    assert.deepEqual(commandIn(last)?.type, 'Escalate');
    assert.equal(last.text, 'The customer asked for a person. App: payments. Not verified.');
    assert.equal(last.attachments, undefined);
    assert.deepEqual(messages().filter(({ text }) => /I have asked for a member of our team/.test(text)).length, 1);
    assert.deepEqual(
      world.talk.replies().filter(({ type }) => type === 'event'),
      [],
    );
  });

  it('gives context variables as strings and integers, and escalates once', async () => {
    await world.talk.say('agent');
    await world.talk.say('agent');
    const [command, ...more] = asked();
    assert.deepEqual(more, []);
    const { cs_handoff: _, cs_conversation: __, ...context } = command?.context ?? {};
    assert.deepEqual(context, {
      ...{ cs_reason: 'asked', cs_verified: 'false', cs_verification: 'none', va_Language: 'en' },
      va_AgentMessage: 'The customer asked for a person. Not verified.',
    });
  });

  it('leaves the chats of the bot’s own page and of root bots as they are, and ends conversations by a command', async () => {
    const { omnichannelHub } = await import('../../src/handoff/event/omnichannel-hub.ts');
    const sent = async (about: object, type: string) => {
      const activity: Seen = { type, text: 'bye' };
      const context = {
        activity: { serviceUrl: 'https://smba.example.com/', ...about },
        onSendActivities: (handler: (context: unknown, activities: Seen[], send: () => Promise<[]>) => unknown) =>
          handler(undefined, [activity], async () => []),
        onUpdateActivity: () => {},
      };
      await omnichannelHub.middleware?.onTurn(context as never, async () => {});
      return { type: activity.type, ...activity.channelData };
    };
    const end = { type: 'message', tags: '{"type":"EndConversation","context":{}}' };
    const root = { callerId: 'urn:botframework:aadappid:66666666-7777-4888-9999-000000000000' };
    assert.deepEqual(await sent({}, 'endOfConversation'), end);
    assert.deepEqual(await sent({}, 'message'), { type: 'message', deliveryMode: 'bridged' });
    assert.deepEqual(await sent({}, 'typing'), { type: 'typing' });
    for (const about of [root, { serviceUrl: 'urn:countersign:directline' }])
      for (const type of ['message', 'endOfConversation']) assert.deepEqual(await sent(about, type), { type });
  });
});
