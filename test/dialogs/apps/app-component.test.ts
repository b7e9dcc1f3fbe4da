import assert from 'node:assert/strict';
import { type ConversationUnderTest, found, startConversation } from '../../support/conversation-under-test.ts';

const [address, , feedback] = [
  '6f1c0000-0000-4000-8000-000000000001',
  '6f1c0000-0000-4000-8000-000000000002',
  '6f1c0000-0000-4000-8000-000000000003',
] as const;

describe('a choice', () => {
  let chat: ConversationUnderTest;
  beforeEach(() => {
    chat = startConversation();
  });
  const request = () => chat.sent.at(-1)?.request as Record<string, unknown> | undefined;

  it('is sent although its place in the list has changed since', async () => {
    assert.match(await chat.say('e-form', '+12025550102', 'some feedback'), /Form: Feedback/);
    chat.forms = chat.forms.toReversed();
    await chat.say('send');
    assert.equal(request()?.formId, feedback);
  });

  it('is meant by its button although its place has changed since', async () => {
    await chat.say('e-form', '+12025550102');
    chat.forms = chat.forms.toReversed();
    await chat.press('Change of address');
    assert.equal(request()?.formId, address);
  });

  it('is meant by its name in another language although its place has changed since', async () => {
    await chat.say('e-form', '+12025550102');
    chat.forms = chat.forms.toReversed();
    chat.locale = 'es';
    assert.match(await chat.say('Cambio de domicilio'), /Formulario: Cambio de domicilio/);
  });

  for (const [when, choose] of [
    ['before it is chosen', async () => {}],
    ['before it is sent', () => chat.say('some feedback')],
  ] as const) {
    it(`is asked for again if it no longer exists ${when}`, async () => {
      await chat.say('e-form', '+12025550102');
      await choose();
      chat.forms = chat.forms.filter(({ id }) => id !== feedback);
      const answer = await (chat.sent.length === 0 && when === 'before it is sent' ? chat.say('send') : chat.press('Feedback'));
      assert.match(answer, /list has changed[\s\S]*Which form would you like to fill in/);
      assert.doesNotMatch(answer, /Feedback/);
      assert.equal(chat.sent.length, 0);
      await chat.say('Change of address');
      assert.equal(request()?.formId, address);
    });
  }

  it('is kept by the id of the document, product or customer', async () => {
    const other = { ...found.customers[0], id: 'cust-other', name: 'Avery Collins' } as (typeof found.customers)[0];
    chat.found = { ...found, customers: [other, ...found.customers] };
    await chat.say('document-signature', '+12025550102', '2', 'Contract');
    assert.equal(request()?.documentId, found.documents[1]?.id);
    assert.equal(request()?.customerRef, 'cust-0102-mei');
    chat = startConversation();
    await chat.say('payments', '+12025550102', 'Router');
    assert.equal(request()?.productId, 'router');
  });
});

describe('a chat that an earlier version stored', () => {
  /** The values of the innermost waterfall. */
  const values = (chat: ConversationUnderTest) => chat.state.dialogs?.dialogStack[0]?.state.dialogs.dialogStack[0].state.values;

  for (const [app, name, question] of [
    ['e-form', 'Feedback', /Which form/],
    ['payments', 'Router', /What would you like to pay for/],
    ['document-signature', 'Contract', /Which document/],
  ] as const) {
    it(`asks again what to send, if it stored a position in a list (${app})`, async () => {
      const chat = startConversation();
      await chat.say(app, '+12025550102', `something like ${name}`);
      values(chat).chosen = 1;
      assert.match(await chat.say('send'), question);
      assert.equal(chat.sent.length, 0);
    });
  }

  it('asks again which customer, and which form, if a button means a position in a list', async () => {
    const chat = startConversation();
    const asked = () => chat.state.dialogs?.dialogStack[0]?.state.dialogs.dialogStack.at(-1).state;
    chat.found = { ...found, customers: found.customers.flatMap((one) => [one, { ...one, id: 'cust-other', name: 'Avery Collins' }]) };
    await chat.say('e-form', '+12025550102');
    asked().choices[0].value = 0;
    assert.match(await chat.say('1'), /M••• T\./);
    await chat.say('1');
    asked().choices[2].value = 2;
    assert.match(await chat.say('3'), /Which form/);
    assert.equal(chat.sent.length, 0);
  });

  it('still tells the outcome of what was sent', async () => {
    const chat = startConversation();
    await chat.say('e-form', '+12025550102', 'Feedback');
    values(chat).chosen = 2;
    const [sent] = chat.sent;
    assert.ok(sent);
    const interaction = { ...sent, state: 'decided', outcome: { status: 'success', by: 'event', at: chat.now } } as const;
    assert.match(await chat.hears({ kind: 'outcome', interaction }), /Form received/);
  });
});

describe('a long list', () => {
  const products = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `p-${index}`,
      title: `Thing ${index}`,
      description: '',
      price: 1,
      currency: 'USD',
    }));

  for (const [count, more] of [
    [20, undefined],
    [21, 'There is 1 more: type the name'],
    [22, 'There are 2 more: type the name'],
  ] as const) {
    it(`of ${count} things ${more ? `says “${more}”` : 'is shown whole, and says nothing of more'}`, async () => {
      const chat = startConversation();
      chat.found = { ...found, products: products(count) };
      const asked = await chat.say('payments', '+12025550102');
      if (more) assert.ok(asked.includes(more), asked);
      else assert.doesNotMatch(asked, /more/);
      await chat.say(`Thing ${count - 1}`);
      assert.equal((chat.sent[0]?.request as { productId?: string } | undefined)?.productId, `p-${count - 1}`);
    });
  }
});

describe('a question that was left open', () => {
  const minute = 60_000;
  let chat: ConversationUnderTest;
  beforeEach(() => {
    chat = startConversation();
  });
  const toConfirm = (wish: string, ...filled: string[]) => chat.say(wish, '+12025550102', ...filled);

  for (const [how, send] of [
    ['pressed', () => chat.press(/^(Text|E-mail) me/)],
    ['typed', () => chat.say('yes')],
  ] as const) {
    it(`sends until a quarter of an hour has passed, and asks again from then on (“Send” ${how})`, async () => {
      await toConfirm('pay for the router');
      chat.now += 15 * minute;
      await send();
      assert.equal(chat.sent.length, 1);

      chat = startConversation();
      await toConfirm('pay for the router');
      chat.now += 15 * minute + 1;
      // What it costs now, not what it cost when it was asked.
      chat.found = { ...found, products: found.products.map((product) => ({ ...product, price: 99 })) };
      assert.match(await send(), /been a while[\s\S]*Pay \$99\.00 on your phone/);
      assert.equal(chat.sent.length, 0);
      await send();
      assert.equal(chat.sent.length, 1);
    });
  }

  it('counts from when it was last asked', async () => {
    await toConfirm('passkeys');
    chat.now += 14 * minute;
    await chat.say('help');
    chat.now += 14 * minute;
    await chat.press(/^(Text|E-mail) me/);
    assert.equal(chat.sent.length, 1);
  });

  it('is left by “Not now” however old it is', async () => {
    await toConfirm('passkeys');
    chat.now += 60 * 24 * minute;
    assert.match(await chat.press('Not now'), /nothing was sent/);
  });

  it('is asked again if an earlier version did not store when it asked', async () => {
    await toConfirm('passkeys');
    delete chat.state.dialogs?.dialogStack[0]?.state.dialogs.dialogStack.at(-1).state.askedAt;
    assert.match(await chat.say('send'), /been a while/);
    assert.equal(chat.sent.length, 0);
  });

  it('keeps what was filled in', async () => {
    const variables = [{ name: 'holder', type: 'text', required: true }];
    chat.found = { ...found, documents: [{ id: found.documents[0]?.id ?? '', title: 'Mandate', variables }] };
    await toConfirm('document-signature', 'Mei Tanaka');
    chat.now += 16 * minute;
    assert.match(await chat.say('send'), /been a while[\s\S]*Sign this document on your phone[\s\S]*Holder: Mei Tanaka/);
    await chat.say('send');
    assert.deepEqual((chat.sent[0]?.request as { variables?: object } | undefined)?.variables, { holder: 'Mei Tanaka' });
  });

  it('looks up again what an old choice means', async () => {
    await chat.say('payments', '+12025550102');
    chat.now += 15 * minute;
    await chat.say('Router');
    assert.deepEqual([chat.lookups.length, chat.sent.length], [1, 1]);

    chat = startConversation();
    await chat.say('payments', '+12025550102');
    chat.now += 15 * minute + 1;
    chat.found = { ...found, products: found.products.map((product) => ({ ...product, price: 99 })) };
    assert.match(await chat.say('Router'), /^Pay \$99\.00 on your phone/);
    assert.deepEqual([chat.lookups.length, chat.sent.length], [2, 0]);
  });
});
