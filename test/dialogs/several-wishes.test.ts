import assert from 'node:assert/strict';
import type { Interaction } from '../../src/interactions/interaction.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

/** How what was sent last ended, as a proactive turn brings it. */
const ended = (chat: ConversationUnderTest, status: 'success' | 'failure' | 'cancelled') => {
  const interaction: Interaction = {
    ...(chat.sent.at(-1) as Interaction),
    state: 'decided',
    outcome: { status, by: status === 'cancelled' ? 'customer' : 'event', at: chat.now },
  };
  chat.sent[chat.sent.length - 1] = interaction;
  return chat.hears({ kind: 'outcome', interaction });
};

const documents = [
  { id: '5d0c0000-0000-4000-8000-000000004711', title: 'Order 4711', variables: [] },
  { id: '5d0c0000-0000-4000-8000-000000000002', title: 'Contract', variables: [] },
];
const products = [
  { id: 'p-1', title: 'Invoice 4711', description: 'November', price: 128.4, currency: 'USD' },
  { id: 'p-2', title: 'Router', description: 'Fibre', price: 89, currency: 'USD' },
];

describe('several requests in one sentence', () => {
  let chat: ConversationUnderTest;
  beforeEach(() => {
    chat = startConversation();
    chat.found = { ...chat.found, documents, products };
  });

  describe('with a number among them', () => {
    for (const words of [
      'pay invoice 4711 and sign something',
      'pay my bill, number 4711, and sign something',
      'I want to pay and sign something, invoice 4711',
      'number 4711, please pay it and sign something',
    ])
      it(`use it for the request beside it only: “${words}”`, async () => {
        assert.match(await chat.say(words), /first “Pay a bill”, then “Sign a document”/);
        assert.match(await chat.say('+12025550102'), /Product: Invoice 4711/);
        await chat.say('send');
        const next = await ended(chat, 'success');
        assert.match(next, /And now: “Sign a document”[\s\S]*Which document/);
        assert.doesNotMatch(next, /Sign this document/);
      });

    it('use it for the second request if it belongs to that', async () => {
      assert.match(await chat.say('pay something and sign order 4711', '+12025550102'), /What would you like to pay for\?/);
      await chat.say('router');
      assert.match(await ended(chat, 'success'), /Document: Order 4711/);
    });

    for (const words of [
      'pay my bill and sign a contract, my number is 202 555 0102',
      'my number is 202 555 0102. Pay my bill and sign a contract',
      'pay my bill with 202 555 0102 and sign a contract',
    ])
      it(`use it for all of them if it is a phone number: “${words}”`, async () => {
        assert.match(await chat.say(words), /M••• T\./);
        await chat.say('router');
        assert.match(await ended(chat, 'success'), /And now[\s\S]*M••• T\./);
        assert.deepEqual(new Set(chat.lookups), new Set(['+12025550102']));
      });
  });

  describe('with a flow among them', () => {
    const flow = (name: string, says: string) =>
      flowOf('- ask: text\n  as: it\n  text: Tell me.\n- say: Thank you.', `says: { en: [${says}] }`, name);
    beforeEach(() => {
      const flows = flowsOf({ move: flow('move', 'change my address'), both: flow('both', 'sign and pay') });
      chat = startConversation({ flows });
      chat.found = { ...chat.found, documents, products };
    });

    for (const words of ['I would like to sign the contract and then change my address', 'change my address and sign the contract'])
      it(`begin with the flow, and go on with the others: “${words}”`, async () => {
        assert.match(await chat.say(words), /One after the other: first “move”, then “Sign a document”\.[\s\S]*Tell me\./);
        assert.match(await chat.say('Main Street 1'), /Thank you\.[\s\S]*And now: “Sign a document”/);
        await chat.say('+12025550102');
        assert.match(await chat.say('yes'), /Document: Contract/);
      });

    it('are offered if the flow is left', async () => {
      await chat.say('change my address, and pay my bill');
      assert.match(await chat.say('cancel'), /Shall I go on with: Pay a bill\?/);
    });

    it('are none if the flow’s own phrase names them', async () => {
      assert.doesNotMatch(await chat.say('sign and pay'), /One after the other/);
      assert.doesNotMatch(await chat.say('Yes, all of it'), /And now/);
    });
  });

  describe('of which one is cancelled', () => {
    const goOn = /nothing was sent[\s\S]*Shall I go on with: Sign a document\?/;
    const begin = (words = 'pay my bill and sign a contract') => chat.say(words);

    it('still offer the others', async () => {
      await begin();
      assert.match(await chat.say('cancel'), goOn);
      assert.match(await chat.say('yes please'), /And now: “Sign a document”[\s\S]*phone number/);
    });

    it('still offer the others if choices have numbers', async () => {
      chat.channelId = 'sms';
      await begin();
      assert.match(await chat.say('cancel'), goOn);
      assert.match(await chat.say('1'), /And now: "Sign a document"/);
    });

    it('end if the others are not wanted either', async () => {
      await begin();
      await chat.say('cancel');
      assert.match(await chat.say('no thanks'), /What would you like to do\?/);
      assert.match(await chat.say('status'), /Nothing is open/);
      assert.equal(chat.state.memory?.wishes, undefined);
    });

    it('still offer the others once it was withdrawn or failed', async () => {
      for (const status of ['cancelled', 'failure'] as const) {
        await begin();
        for (const words of ['+12025550102', 'router'].slice(chat.sent.length > 0 ? 1 : 0)) await chat.say(words);
        let told = await ended(chat, status);
        if (status === 'failure') told = await chat.press('Menu');
        assert.match(told, /Shall I go on with: Sign a document\?/, status);
        await chat.say('no');
      }
    });

    it('still offer two others, by name', async () => {
      await begin('pay my bill, sign a contract and then fill in a form');
      assert.match(await chat.say('cancel'), /Shall I go on with: Sign a document, Fill in a form\?/);
      assert.match(await chat.say('yes'), /And now: “Sign a document”/);
      assert.match(await chat.say('cancel'), /Shall I go on with: Fill in a form\?/);
    });

    it('are forgotten for a new request', async () => {
      await begin();
      await chat.say('cancel');
      assert.match(await chat.say('I need a form'), /phone number/);
      assert.match(await chat.say('cancel'), /nothing was sent\. What would you like to do instead/);
    });

    it('are asked about again after words that mean nothing, and forgotten at the menu', async () => {
      await begin();
      await chat.say('cancel');
      assert.match(await chat.say('blue'), /did not understand/);
      assert.match(await chat.say('menu'), /What would you like to do\?/);
    });

    it('are forgotten when the customer starts over', async () => {
      await begin();
      assert.match(await chat.say('start over'), /Let us start over/);
      assert.equal(chat.state.memory?.wishes, undefined);
    });

    it('are explained in Spanish', async () => {
      chat.locale = 'es';
      await begin('pagar mi factura y firmar un contrato');
      assert.match(await chat.say('cancelar'), /no se ha enviado nada[\s\S]*¿Sigo con: Firmar un documento\?/);
      assert.match(await chat.say('sí'), /Y ahora: «Firmar un documento»/);
    });
  });

  describe('asked for their status', () => {
    it('say what was sent, and that this one was not', async () => {
      await chat.say('pay my bill and sign a contract', '+12025550102', 'router');
      await ended(chat, 'success');
      const said = await chat.say('status');
      assert.match(said, /Nothing has been sent for this yet/);
      assert.match(said, /“Payments” was completed/);
    });

    it('do not report an older outcome for one that was never sent', async () => {
      await chat.say('pay', '+12025550102', 'router');
      await ended(chat, 'success');
      chat.trouble = 'unavailable';
      await chat.say('sign a document');
      assert.match(await chat.say('status'), /Nothing has been sent for this yet\. Before that: “Payments” was completed/);
    });

    it('do not say that nothing was sent if one of them was', async () => {
      await chat.say('pay', '+12025550102', 'router');
      await ended(chat, 'failure');
      const said = await chat.say('cancel');
      assert.doesNotMatch(said, /nothing was sent/);
      assert.match(said, /What would you like to do\?/);
    });

    it('report a refused request by its own outcome', async () => {
      chat.starts = { state: 'refused', refusal: 'unavailable' };
      await chat.say('pay', '+12025550102', 'router');
      const said = await chat.say('status');
      assert.match(said, /“Payments” could not be sent/);
      assert.doesNotMatch(said, /Nothing has been sent for this/);
    });
  });
});
