import assert from 'node:assert/strict';
import type { Seen } from '../support/direct-line.ts';
import { type Exchanged, type Playground, startPlayground } from '../support/playground.ts';
import { readingOf, type TeamsTalk, teamsTalk } from '../support/teams-talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('what happens to a bot in Microsoft’s Teams emulator', () => {
  let whole: Whole;
  let playground: Playground;
  let talk: TeamsTalk;
  let count = 0;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 1000, seconds: 1 } });
  });
  after(() => whole.close());
  beforeEach(async () => {
    playground = await startPlayground(whole.bot().port);
    talk = teamsTalk(playground);
  });
  afterEach(async () => {
    await playground.close();
    assert.deepEqual(
      whole.lines.filter((line) => line.includes('"level":"error"')),
      [],
    );
  });

  const personal = () => playground.config.personalChat.id;
  /** Sends an activity of the given fields, and waits for the answer to it. */
  const happens = async (fields: object, like: Seen = {}): Promise<Exchanged> => {
    count += 1;
    const id = `happened-${count}`;
    const template = await playground.template(personal(), 'userAdded');
    await playground.send({ ...template, membersAdded: undefined, ...like, ...fields, id });
    return until(() => playground.exchanged.find(({ body }) => body?.id === id), `an answer to ${JSON.stringify(fields)}`);
  };

  it('being installed makes it greet once, although three events arrive', async () => {
    for (const type of ['install', 'botAdded', 'userAdded'] as const) {
      const { status } = await happens({}, await playground.template(personal(), type));
      assert.equal(status, 200, type);
    }
    await talk.saw(/Hello! How can I help you\?/);
    assert.equal(talk.messages().length, 1);
  });

  const silent: [string, object][] = [
    ['a message that was edited', { type: 'messageUpdate', text: 'payments', channelData: { eventType: 'editMessage' } }],
    ['a message that was deleted', { type: 'messageDelete', channelData: { eventType: 'softDeleteMessage' } }],
    ['a message that came back', { type: 'messageUpdate', text: 'pay', channelData: { eventType: 'undeleteMessage' } }],
    ['a reaction', { type: 'messageReaction', reactionsAdded: [{ type: 'like' }], replyToId: '1' }],
    ['a reaction that was taken back', { type: 'messageReaction', reactionsRemoved: [{ type: 'like' }], replyToId: '1' }],
    ['a read receipt', { type: 'event', name: 'application/vnd.microsoft.readReceipt', value: { lastReadMessageId: '1' } }],
    ['somebody typing', { type: 'typing' }],
  ];
  for (const [what, fields] of silent)
    it(`${what} is acknowledged without a message`, async () => {
      const { status } = await happens(fields);
      assert.equal(status, 200);
      assert.deepEqual(talk.messages(), []);
    });

  it('being removed ends the chat silently, and the next message works again', async () => {
    await talk.say('payments');
    await talk.sees(/phone number/);
    const said = talk.messages().length;
    for (const type of ['botRemoved', 'uninstall'] as const)
      assert.equal((await happens({}, await playground.template(personal(), type))).status, 200, type);
    assert.equal(talk.messages().length, said);
    await talk.say('+12025550110');
    await talk.sees(/\S••• \S\./);
  });

  const invokes = [
    ...['composeExtension/query', 'composeExtension/submitAction', 'composeExtension/fetchTask', 'composeExtension/queryLink'],
    ...['task/fetch', 'task/submit', 'config/fetch', 'config/submit', 'tab/fetch', 'application/search'],
    ...['fileConsent/invoke', 'signin/verifyState', 'signin/tokenExchange', 'message/submitAction', 'actionableMessage/executeAction'],
  ];
  it(`invokes that are not for it (${invokes.length} of them) get the SDK’s own 501, and no message`, async () => {
    for (const name of invokes) {
      const { status } = await happens({ type: 'invoke', name, value: {} });
      assert.equal(status, 501, name);
    }
    assert.deepEqual(talk.messages(), []);
    await talk.say('payments');
    await talk.sees(/phone number/);
  });

  describe('where others can read', () => {
    const groups: [string, () => string][] = [
      ['a group chat', () => playground.config.groupChats[0]?.id ?? assert.fail()],
      ['a channel of a team', () => playground.config.teams[0]?.channels[0]?.id ?? assert.fail()],
    ];
    for (const [what, idOf] of groups)
      it(`in ${what} a customer gets a link to the private chat, and no personal data is shown`, async () => {
        const { bot } = playground.config;
        const lookups = whole.proxy.count(/bootstrap/);
        const mention = `<at>${bot.name}</at>`;
        const words = { textFormat: 'xml', mentions: [{ mentioned: { id: bot.id }, text: mention }] };
        await playground.say(idOf(), `${mention} payments, my number is 202 555 0110`, words);
        const answered = await until(
          () => playground.exchanged.filter(({ by, body }) => by === 'bot' && body?.type === 'message').at(-1),
          'the refusal',
        );
        const [attachment] = answered.body.attachments ?? [];
        assert.match(answered.body.summary, /Others can read this chat/);
        const [action] = attachment.content.actions;
        assert.deepEqual(
          [action.type, action.url],
          ['Action.OpenUrl', `https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(bot.id)}`],
        );
        assert.doesNotMatch(JSON.stringify(attachment), /0110|555|Alex|Wilber|pay/i);
        assert.equal(whole.proxy.count(/bootstrap/), lookups);
        assert.equal(talk.messages().map(readingOf).join(''), '');
      });
  });
});
