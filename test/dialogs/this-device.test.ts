import assert from 'node:assert/strict';
import { isOnThisDevice } from '../../dialogs/apps/sending.ts';
import type { AppId } from '../../src/contract/index.ts';
import { channelOf } from '../../src/platform/channels.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';

const link = 'https://verify.example.com/r/canary-link';
const number = '+12025550102';

describe('continue on this device', () => {
  let test: ConversationUnderTest;
  const on = (channelId: string, callerNumber?: string) => {
    test = Object.assign(startConversation(), { channelId, callerNumber, starts: { link } });
    return test;
  };
  const plan = () => test.sent.at(-1) as unknown as { returnLink?: true };
  /** Everything that the chat was shown, and what is kept of it. */
  const everywhere = () => JSON.stringify([test.said, test.updates, test.state]);

  for (const channelId of ['sms', 'twilio-sms', 'whatsapp'])
    for (const [app, choice] of [
      ['pay', '1'],
      ['sign a document', '1'],
      ['fill in a form', '1'],
    ] as const)
      it(`is offered with the link where ${channelId} vouches for the number that the message goes to (${app})`, async () => {
        on(channelId, number);
        const waiting = await test.say(app, choice);
        assert.equal(plan().returnLink, true);
        assert.ok(waiting.split('\n').includes(`Continue on this device: ${link}`), waiting);
      });

  it('is offered in the language of the chat', async () => {
    on('sms', number).locale = 'es-ES';
    assert.match(await test.say('pagar', '1'), /\nContinuar en este dispositivo: https:\/\/verify/);
  });

  const elsewhere: [string, () => void, string[]][] = [
    ['of another number that was typed, in a chat whose own number is vouched for', () => on('sms', '+12025550110'), [number]],
    ['of the number that a directory tells', () => on('msteams', number), []],
    ['of the number that a token tells', () => on('directline', number), []],
    ['of a voice call', () => on('telephony', number), []],
    ['of a chat of Azure Communication Services', () => on('acs', number), []],
    ['of a number that was typed, where nobody vouches for any', () => on('sms'), [number]],
    ['of a channel that is not known', () => on('some-other', number), []],
  ];
  for (const [what, begin, typed] of elsewhere)
    it(`is neither asked for nor offered to the customer ${what}`, async () => {
      begin();
      await test.say('pay');
      if (typed.length > 0 && test.callerNumber !== undefined) await test.say('another number');
      for (const one of typed) await test.say(one);
      if (test.channelId === 'msteams') await test.press('Yes');
      // The number that somebody calls from is to be confirmed.
      if (test.channelId === 'telephony') await test.say('yes');
      await test.say('1');
      assert.deepEqual([test.sent.length, plan().returnLink], [1, undefined]);
      assert.doesNotMatch(everywhere(), /canary-link|this device/);
    });

  for (const [app, answers] of [
    ['passkeys', ['send']],
    ['passcode', ['send']],
  ] as const)
    it(`is neither asked for nor offered with ${app}`, async () => {
      on('sms', number);
      await test.say(app, ...answers);
      assert.deepEqual([test.sent.length, plan().returnLink], [1, undefined]);
      assert.doesNotMatch(everywhere(), /canary-link|this device/);
    });

  it('is neither asked for nor offered once others can read the chat', async () => {
    on('whatsapp', number);
    await test.say('pay');
    const conversation = { id: 'c-1', isGroup: true } as never;
    await test.happens({ type: 'message', text: '1', conversation });
    assert.deepEqual(test.sent, []);
    assert.doesNotMatch(everywhere(), /canary-link|this device/);
  });

  it('is not asked for where another number writes in the chat when it is sent', async () => {
    on('whatsapp', number);
    await test.say('pay');
    test.callerNumber = '+12025550110';
    await test.say('1');
    assert.deepEqual([test.sent.length, plan().returnLink], [1, undefined]);
    assert.doesNotMatch(everywhere(), /canary-link|this device/);
  });

  it('is not offered where the service returns none', async () => {
    on('sms', number).starts = {};
    assert.doesNotMatch(await test.say('pay', '1'), /this device/);
    assert.equal(plan().returnLink, true);
  });

  it('is not offered once the page has been opened', async () => {
    on('sms', number).starts = { link, progress: { sent: test.now, opened: test.now } };
    await test.say('pay', '1');
    assert.doesNotMatch(everywhere(), /canary-link|this device/);
  });

  it('is shown once and stored nowhere', async () => {
    on('sms', number);
    await test.say('pay', '1');
    const stored = JSON.stringify(test.state);
    const said = test.said.length;
    await test.say('status', 'help', 'what?', 'resend', 'agent', 'start over', 'no');
    const [interaction] = test.sent;
    const { link: _, ...later } = interaction as typeof interaction & { link?: string };
    await test.hears({ kind: 'progress', interaction: { ...later, progress: { opened: test.now } } as never });
    await test.hears({
      kind: 'outcome',
      interaction: { ...later, state: 'decided', outcome: { status: 'timeout', by: 'result', at: test.now } } as never,
    });
    assert.doesNotMatch(stored, /canary-link/);
    assert.doesNotMatch(JSON.stringify([test.said.slice(said), test.updates, test.state]), /canary-link/);
  });
});

describe('whether a chat is on the device that a message goes to', () => {
  const ask = async (change: { turn?: object; gathered?: object; conversation?: object; app?: AppId }) => {
    const { turn, gathered, conversation, app = 'payments' } = change;
    const given = {
      channel: channelOf({ channelId: 'whatsapp' }),
      context: { activity: { conversation: { id: 'c-1', ...conversation } } },
      services: { saysLinks: true, callerNumber: async () => number },
      ...turn,
    };
    return isOnThisDevice(given as never, { id: app }, { phoneNumber: number, ...gathered });
  };
  const cases: [string, Parameters<typeof ask>[0], boolean][] = [
    ['its own number writes, in a chat of its own', {}, true],
    ['in a chat that is said to be personal', { conversation: { conversationType: 'personal', isGroup: false } }, true],
    ['in a group', { conversation: { isGroup: true } }, false],
    ['in a group chat by its type', { conversation: { conversationType: 'groupChat' } }, false],
    ['on a channel whose links open elsewhere', { turn: { channel: channelOf({ channelId: 'telephony' }) } }, false],
    ['for another number', { gathered: { phoneNumber: '+12025550110' } }, false],
    ['for a number that is told alike', { gathered: { initials: 'MT' } }, false],
    ['in a bot that is not ours', { turn: { services: { saysLinks: false, callerNumber: async () => number } } }, false],
    ['of a channel that does not know who writes', { turn: { services: { saysLinks: true, callerNumber: async () => undefined } } }, false],
    ['for a passcode', { app: 'one-time-passcode' }, false],
    ['for a mailbox', { app: 'passkeys' }, false],
  ];
  for (const [what, change, expected] of cases)
    it(`is ${expected ? 'so' : 'not so'}: ${what}`, async () => assert.equal(await ask(change), expected));
});
