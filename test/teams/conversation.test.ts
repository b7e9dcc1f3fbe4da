import assert from 'node:assert/strict';
import { type Playground, startPlayground } from '../support/playground.ts';
import { readingOf, teamsTalk } from '../support/teams-talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('a conversation in Microsoft’s Teams emulator', () => {
  let whole: Whole;
  let playground: Playground;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());
  beforeEach(async () => {
    playground = await startPlayground(whole.bot().port);
  });
  afterEach(() => playground.close());

  it('greets, understands a mention, and takes a payment by buttons', async () => {
    const talk = teamsTalk(playground);
    const { bot, personalChat } = playground.config;
    await playground.send(await playground.template(personalChat.id, 'userAdded'));
    await talk.saw(/What would you like to do|Welcome|Hello/);
    const mention = `<at>${bot.name}</at>`;
    await talk.say(`${mention}&nbsp;payments`, { textFormat: 'xml', mentions: [{ mentioned: { id: bot.id }, text: mention }] });
    await talk.sees(/phone number/);
    await talk.say('+12025550110');
    await talk.sees(/\S••• \S\./);
    await talk.sees(/What would you like to pay for\?/);
    await talk.press(/^Charging pass/);
    await talk.saw(/Payment received/);
    const menus = await until(() => {
      const found = talk.messages().filter((message) => /What would you like to do/.test(readingOf(message)));
      return found.length > 0 && found;
    }, 'the menu');
    assert.equal(menus.length, 1);
  });
});
