import assert from 'node:assert/strict';
import { openWorld, type World } from '../support/hubs.ts';
import { talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole } from '../support/whole.ts';

describe('what a customer writes to an agent', () => {
  let world: World;
  before(async () => {
    world = await openWorld('webhook', { AGENT_CONTACT: '' });
  });
  beforeEach(() => world.nextChat());
  after(() => world.close());

  const says = async (text: string) => {
    const before = world.said().length;
    await world.talk.say(text);
    return world.said().slice(before);
  };
  const ask = async () => {
    await says('agent');
    await until(() => world.events('requested').length > 0, 'the request');
  };
  const heard = () => world.events('message').map(({ data }) => data.message.text);
  const noted = () =>
    world
      .events('waited')
      .flatMap(({ data }) => data.lines.flatMap(({ from, text }: { from: string; text: string }) => (from === 'customer' ? [text] : [])));
  const long = (length: number) =>
    'abcdefgh '
      .repeat(Math.ceil(length / 9))
      .slice(0, length)
      .trim();

  for (const length of [1_999, 2_001, 19_999])
    it(`reaches them whole, and the bot is silent: ${length} characters`, async () => {
      await ask();
      await world.accept();
      assert.deepEqual(await says(long(length)), []);
      await until(() => heard().length > 0, 'the words');
      assert.deepEqual(heard(), [long(length)]);
    });

  const tooLong: [string, string][] = [
    // In its plain form, this character is eighteen.
    ['1,200 characters that are 21,600 in their plain form', '\uFDFA'.repeat(1_200)],
    ['20,001 characters', 'x'.repeat(20_001)],
    ['as much as a message may have', 'x'.repeat(250_000)],
  ];
  for (const [what, text] of tooLong)
    it(`is refused with a way out if it is too long even for them: ${what}`, async () => {
      await ask();
      await world.accept();
      assert.match((await says(text)).join(), /too long to pass on: 20,000 characters at most\. Please send it in parts/);
      assert.deepEqual(heard(), []);
    });

  it('asks for them although a card number stands in the same sentence, which reaches them without it', async () => {
    const said = await says('I want to talk to a person, my bill of 4242 4242 4242 4242 was charged twice');
    assert.match(said.join(), /card number/);
    await until(() => world.events('requested').length > 0, 'the request');
    const [{ data } = { data: {} }] = world.events('requested');
    assert.match(JSON.stringify(data), /my bill of [^"]*was charged twice/);
    assert.doesNotMatch(JSON.stringify(data), /4242/);
  });

  it('reaches them without the card number in it, and the customer is told not to write any', async () => {
    await ask();
    await world.accept();
    const said = await says('please charge 4111 1111 1111 1111 only once, and cancel order 55');
    assert.match(said.join(), /card number\. I pass on your message without it.*Never write card numbers in a chat/);
    await until(() => heard().length > 0, 'the words');
    assert.deepEqual(heard(), ['please charge •••• •••• •••• •••• only once, and cancel order 55']);
  });

  it('before they join is a note for them, and begins no app; buttons and exact names do', async () => {
    await ask();
    const notes = [
      'my bill is wrong',
      'I was charged TWICE and I want to pay nothing!!',
      'sign me off for good, I want to talk to a person, did you get that?',
      long(2_500),
    ];
    for (const note of notes) assert.match((await says(note)).join(), /^I have passed that on\./);
    await until(() => noted().length === notes.length, 'the notes');
    assert.deepEqual(noted(), notes);
    assert.match((await says('pay')).join(), /your phone number/i);
    assert.match((await says('why do you want to know')).join(), /^I have passed that on\. .*phone number/);
    assert.match((await says('+12025550102')).join(), /M••• T\./);
    await until(() => noted().length === notes.length + 3, 'what was said');
  });

  it('while a request waits is a note too, if it is nothing about the request', async () => {
    for (const text of ['payments', '+12025550113', '1']) await says(text);
    await ask();
    assert.match((await says('my bill is wrong')).join(), /^I have passed that on\./);
    assert.match((await says('status')).join(), /on its way|waiting|sent/i);
    assert.doesNotMatch((await says('status')).join(), /passed that on/);
  });

  it('after they were declined is offered to be taken as a message', async () => {
    await ask();
    await world.decline();
    assert.match((await says('then write to me please')).join(), /I have passed on your message/);
  });

  it('that the hub refuses for good is reported to the customer, with what to do', async () => {
    await ask();
    await world.accept();
    world.platform.answer = 410;
    await says('my house is on fire');
    await until(() => world.said().some((said) => /what you wrote at .* did not reach our team\. Please write it again/.test(said)), 'it');
    world.platform.answer = 204;
    assert.deepEqual(await says('my house is on fire'), []);
    await until(() => heard().includes('my house is on fire'), 'the second time');
  });

  it('with a file of another site, shows that site’s host before any name', async () => {
    await ask();
    await world.accept();
    const names = ['Signed contract.pdf', 'https://bank.example/a\u202Efdp.exe', ''];
    for (const [index, name] of names.entries())
      await world.talk.post({ attachments: [{ contentType: 'application/pdf', contentUrl: `https://evil.example/login?${index}`, name }] });
    const files = () => world.events('message').flatMap(({ data }) => data.message.attachments ?? []);
    await until(() => files().length === 3, 'the files');
    assert.deepEqual(
      files().map(({ name }) => name),
      ['evil.example: Signed contract.pdf', 'evil.example: afdp.exe', 'evil.example'],
    );
  });
});

describe('a hub behind the channel, in a chat of our own Direct Line', () => {
  it('is not asked: the customer’s browser gets none of its events, and the customer is told that nobody comes', async () => {
    const whole = await startWhole({ settings: { HANDOFF: 'event', AGENT_CONTACT: '' } });
    const talk = await talkTo(whole);
    await talk.say('agent');
    await talk.sees(/Nobody can join this chat right now/);
    assert.deepEqual(await talk.transcript(/handoff\.initiate|cs_|leave a message/), []);
    assert.doesNotMatch(JSON.stringify(talk.messages()), /Talk to a person/);
    talk.chatter.socket.terminate();
    await whole.close();
  });

  it('leaves the chat to the next hub of the setting', async () => {
    const world = await openWorld('webhook', { HANDOFF: 'event,webhook' });
    const talk = await talkTo(world.whole);
    await talk.say('agent');
    await talk.sees(/I have asked for a member of our team/);
    await until(() => world.events('requested').length === 1, 'the request');
    assert.deepEqual(await talk.transcript(/handoff\.initiate/), []);
    talk.chatter.socket.terminate();
    await world.close();
  });
});
