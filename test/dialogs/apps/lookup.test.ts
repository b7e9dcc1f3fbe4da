import assert from 'node:assert/strict';
import { mayLookUp } from '../../../dialogs/apps/lookup.ts';
import { isSignedIn, originOf } from '../../../dialogs/asking/caller.ts';
import type { Memory } from '../../../dialogs/turn/memory.ts';
import type { Plan } from '../../../src/interactions/index.ts';
import { ownServiceUrl } from '../../../src/platform/channels.ts';
import { type ConversationUnderTest, startConversation } from '../../support/conversation-under-test.ts';

describe('finding a caller where typed numbers are answered alike', () => {
  let test: ConversationUnderTest;
  beforeEach(() => {
    test = startConversation();
    test.asksInitials = true;
    test.starts = { blindLookup: true };
  });

  it('asks for initials after a typed number, and looks nobody up', async () => {
    assert.match(await test.say('pay', '+12025550102'), /initials of your name/);
    assert.match(await test.say('Mei'), /just the initials/);
    assert.match(await test.say('M. T.'), /What would you like to pay for/);
    const confirm = await test.say('my router');
    assert.match(confirm, /For: M\. T\.\nPhone: \+1•••0102/);
    assert.deepEqual(test.lookups, ['+12025550100']);
    assert.match(await test.press(/^(Text|E-mail) me/), /sent to \+1•••0102 \(if the number and the initials match\)/);
    const [sent] = test.sent;
    assert.deepEqual([sent?.customerRef, (sent as unknown as { initials: string }).initials], ['', 'MT']);
  });

  it('asks so after a number in a wish', async () => {
    assert.match(await test.say('pay my bill, my number is 202 555 0102'), /initials of your name/);
  });

  it('offers the customers of a number that is vouched for, even if it is typed', async () => {
    test.callerNumber = '+12025550102';
    assert.match(await test.say('pay'), /M••• T\./);
    test = Object.assign(startConversation(), { asksInitials: true, callerNumber: '+12025550102' });
    assert.match(await test.say('pay, my number is 202 555 0102'), /M••• T\./);
    assert.match(await test.say('+12025550110'), /initials of your name/);
  });

  it('accepts another number in place of initials, and asks for nobody’s initials twice', async () => {
    await test.say('form', '+12025550102', '+12025550110', 'S H');
    assert.match(await test.say('some feedback'), /For: S\. H\.\nPhone: \+1•••0110/);
    await test.say('cancel');
    assert.match(await test.say('pay'), /What would you like to pay for/);
  });

  it('asks for both again if nothing was found', async () => {
    await test.say('form', '+12025550102', 'X Y', '1');
    const interaction = { ...(test.sent[0] as NonNullable<(typeof test.sent)[0]>), state: 'decided' as const };
    const ended = await test.hears({
      kind: 'outcome',
      interaction: { ...interaction, outcome: { status: 'timeout', by: 'deadline', at: test.now } },
    });
    assert.match(ended, /I cannot say whether the number and the initials matched/);
    assert.match(await test.press('Try again'), /What is your phone number/);
    assert.match(await test.say('+12025550102'), /initials/);
  });

  describe('once the chat is verified for the customer of a number', () => {
    const phoneNumber = '+12025550102';
    const verify = (more: object = {}) => {
      const binding = JSON.stringify(['directline', null, 'c-1', 'customer', null]);
      const proof = { method: 'one-time-passcode', customerRef: 'cust-0102-mei', requestId: 'r1', binding, at: test.now } as const;
      test.state = { memory: { verified: [{ ...proof, phoneNumber, until: test.now + 1, ...more }] } };
    };

    it('offers their items, asks for no initials, and sends to them', async () => {
      verify();
      assert.match(await test.say('pay', phoneNumber), /What would you like to pay for/);
      assert.match(await test.say('my router'), /For: M••• T\.\nPhone: \+1•••0102/);
      assert.deepEqual(test.lookups, [phoneNumber]);
      test.starts = {};
      await test.press(/^(Text|E-mail) me/);
      const [sent] = test.sent;
      assert.deepEqual([sent?.customerRef, sent && 'initials' in sent], ['cust-0102-mei', false]);
    });

    for (const [why, set, number] of [
      ['of another number', () => verify(), '+12025550110'],
      ['when the verification has run out', () => verify({ until: test.now }), phoneNumber],
      ['when it was kept without its number', () => verify({ phoneNumber: undefined }), phoneNumber],
      ['when it was another user’s', () => verify({ binding: '[]' }), phoneNumber],
      ['when the number is that of another customer now', () => verify({ customerRef: 'cust-0001' }), phoneNumber],
      [
        'when others share the number',
        () => {
          verify();
          test.found = { ...test.found, customers: [...test.found.customers, { ...test.found.customers[0], id: 'other' } as never] };
        },
        phoneNumber,
      ],
    ] as const)
      it(`asks for initials all the same ${why}`, async () => {
        set();
        assert.match(await test.say('pay', number), /initials of your name/);
      });
  });

  it('says when a number over the limit may be tried again', async () => {
    test.starts = { state: 'refused', refusal: 'crowded', deadline: test.now + 6.5 * 60_000 };
    await test.say('form', '+12025550102', 'M T');
    assert.match(await test.say('1'), /too many requests for this phone number\. Please try again in 7 minutes/);
  });

  it('is asked for on behalf of the network, or of the channel’s user', async () => {
    await test.say('form', '+12025550102', 'M T', '1');
    assert.equal((test.sent[0] as Partial<Plan>).origin, 'directline customer');
    assert.equal(originOf({ serviceUrl: ownServiceUrl, channelData: { verified: { network: '192.0.2.0' } } }), '192.0.2.0');
    const forged = {
      serviceUrl: 'https://smba.trafficmanager.net',
      channelId: 'msteams',
      channelData: { verified: { network: '192.0.2.0' } },
    };
    assert.equal(originOf({ ...forged, from: { id: '29:1', name: '' } }), 'msteams 29:1');
  });

  it('says that a request of this chat has to end before another can start', async () => {
    test.starts = { state: 'refused', refusal: 'open' };
    await test.say('form', '+12025550102', 'M T');
    assert.match(await test.say('1'), /Several requests in this chat are still open/);
  });

  it('forgets the initials with the number', async () => {
    await test.say('form', '+12025550102', 'M T', 'menu', 'form');
    assert.match(await test.say('+12025550102'), /initials/);
  });

  describe('and somebody has been verified', () => {
    const mei = 'cust-0102-mei';
    const address = JSON.stringify({ channelId: 'directline', conversation: { id: 'c-1' }, user: { id: 'customer' } });
    beforeEach(async () => {
      test.starts = { blindLookup: true, address };
      await test.say('code', '+12025550102', 'M T');
      await test.press(/^(Text|E-mail) me/);
      const [sent] = test.sent;
      assert.ok(sent);
      const outcome = { status: 'success', by: 'check', at: test.now } as const;
      const interaction = { ...sent, customerRef: mei, request: { ...sent.request, customerRef: mei }, outcome, state: 'decided' as const };
      await test.hears({ kind: 'outcome', interaction: interaction as never });
      assert.match(await test.say('am I verified?'), /^Yes, you are verified/);
      test.now += 1;
    });

    for (const [what, said] of [
      ['starts over', ['pay', 'start over']],
      ['types another number', ['pay', 'start over', 'pay', '+12025550110', 'M T']],
      ['types other initials', ['pay', 'start over', 'pay', '+12025550102', 'S H']],
    ] as const)
      it(`is no longer verified once somebody ${what}`, async () => {
        await test.say(...said);
        assert.match(await test.say('am I verified?'), /^No, you are not verified/);
      });

    it('is no longer verified once a wish names another number', async () => {
      await test.say('pay, my number is +12025550110', 'M T');
      assert.match(await test.say('am I verified?'), /^No, you are not verified/);
    });

    it('is no longer verified once the chat continues in another tab, without a message', async () => {
      assert.equal(await test.happens({ type: 'event', name: 'chat.resumed' }), '');
      assert.match(await test.say('am I verified?'), /^No, you are not verified/);
    });

    it('stays verified with the same number', async () => {
      await test.say('pay, my number is +12025550102', 'cancel');
      assert.match(await test.say('am I verified?'), /^Yes, you are verified/);
    });

    it('stays verified with the same initials, if others share the number', async () => {
      test.found = { ...test.found, customers: [...test.found.customers, { ...test.found.customers[0], id: 'other' } as never] };
      await test.say('pay, my number is +12025550102', 'my router');
      assert.match(await test.press('Not now'), /nothing was sent/);
      assert.match(await test.say('am I verified?'), /^Yes, you are verified/);
    });
  });

  it('shows no progress, whatever events arrive', async () => {
    await test.say('form', '+12025550102', 'M T');
    assert.doesNotMatch(await test.say('1'), /Sending|Opened|Started|●|○/);
  });
});

describe('a user whom the channel signs in', () => {
  const ours = 'T-1';
  const colleague = {
    channelId: 'msteams',
    from: { id: 'u', name: '', aadObjectId: 'a-1' },
    conversation: { id: 'c', tenantId: 't-1' } as never,
    channelData: { tenant: { id: 't-1' } },
  };
  const table: [string, object, tenants: string[], boolean][] = [
    ['an account of ours', {}, [ours], true],
    ['an account of one of several organisations', {}, ['t-2', ours], true],
    ['no account', { from: { id: 'u', name: '' } }, [ours], false],
    ['another channel', { channelId: 'directline' }, [ours], false],
    [
      'an account of any other organisation',
      { conversation: { id: 'c', tenantId: 't-9' }, channelData: { tenant: { id: 't-9' } } },
      [ours],
      false,
    ],
    ['a conversation of ours, handed over by another organisation', { channelData: { tenant: { id: 't-9' } } }, [ours], false],
    ['a conversation of another organisation', { conversation: { id: 'c', tenantId: 't-9' } }, [ours], false],
    ['no organisation', { conversation: { id: 'c' }, channelData: {} }, [ours], false],
    ['an account, where no organisation is named as ours', {}, [], false],
  ];
  for (const [what, fields, tenants, signedIn] of table)
    it(`${signedIn ? 'is' : 'is not'} one with ${what}`, () => assert.equal(isSignedIn({ ...colleague, ...fields }, tenants), signedIn));
});

describe('a chat that is verified for a customer', () => {
  const phoneNumber = '+12025550102';
  let test: ConversationUnderTest;
  beforeEach(() => {
    test = startConversation();
    const binding = JSON.stringify(['directline', null, 'c-1', 'customer', null]);
    const proof = {
      method: 'passkeys',
      customerRef: 'cust-0102-mei',
      requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S',
      binding,
      at: test.now,
    } as const;
    test.state = { memory: { verified: [{ ...proof, phoneNumber, until: test.now + 60_000 }] } };
  });

  it('is not asked who they are if the number is theirs alone', async () => {
    const said = await test.say('pay', phoneNumber);
    assert.doesNotMatch(said, /Use another number/);
    assert.match(said, /What would you like to pay for\?/);
    await test.say('router');
    assert.equal(test.sent[0]?.customerRef, 'cust-0102-mei');
  });

  for (const [where, words] of [
    ['the list', []],
    ['the card that asks for it', ['my router']],
  ] as const)
    it(`declines by saying to be somebody else, as there is no other number to give: ${where}`, async () => {
      await test.say('pay', phoneNumber, ...words);
      assert.match(await test.say('No, that is not me'), /nothing was sent/);
      assert.deepEqual(test.sent, []);
    });

  it('is asked if others share the number', async () => {
    const customers = ['mei', 'avery'].map((name) => ({ ...test.found.customers[0], id: `cust-0102-${name}`, name }));
    test.found = { ...test.found, customers: customers as never };
    assert.match(await test.say('pay', phoneNumber), /Which one are you\?/);
  });

  it('is asked who they are with another number, and once the verification has expired', async () => {
    assert.match(await test.say('pay', '+12025550110'), /\S••• \S\./);
    await test.say('cancel');
    test.now += 60_000;
    assert.match(await test.say('my number is 202 555 0102, I want to pay'), /\S••• \S\./);
  });
});

describe('the limit on look-ups', () => {
  const rate = { perTenMinutes: 3, perDay: 20 };
  const start = Date.parse('2026-11-20T09:00:00Z');
  const numberOf = (index: number) => `+1202555${String(index).padStart(4, '0')}`;

  it('is three in ten minutes, and twenty a day', () => {
    const memory: Memory = {};
    let now = start;
    let asked = 0;
    let allowed = 0;
    const ask = () => {
      asked += 1;
      return mayLookUp(memory, numberOf(asked), rate, now);
    };
    for (let round = 0; round < 10; round += 1) {
      const answers = [ask(), ask(), ask(), ask()];
      allowed += answers.filter(Boolean).length;
      assert.equal(answers[3], false);
      now += 600_001;
    }
    assert.equal(allowed, 20);
    now = start + 86_400_001;
    assert.equal(ask(), true);
  });

  it('does not count the number that was asked for last', () => {
    const memory: Memory = {};
    for (let time = 0; time < 10; time += 1) assert.equal(mayLookUp(memory, numberOf(1), rate, start + time), true);
    assert.equal(memory.lookups?.length, 1);
  });

  it('counts alternating numbers', () => {
    const memory: Memory = {};
    const answers = [1, 2, 1, 2].map((index) => mayLookUp(memory, numberOf(index), rate, start));
    assert.deepEqual(answers, [true, true, true, false]);
  });
});
