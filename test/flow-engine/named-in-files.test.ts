import assert from 'node:assert/strict';
import { type FlowEvent, faultLine } from '../../src/flows/index.ts';
import { found, startConversation } from '../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const titles: Readonly<Record<string, readonly string[]>> = { en: ['Mandate', 'Contract'], es: ['Mandato', 'Contrato'] };

const variables = [{ name: 'tariff', type: 'text', required: true, label: 'Tariff' }];

/** A Spanish customer's chat, of a service that answers in the language it is asked in. */
const chatIn = (text: string) => {
  const events: FlowEvent[] = [];
  const asked: string[] = [];
  const chat = startConversation({ flows: flowsOf({ trial: text }), observe: (event) => void events.push(event) });
  chat.callerNumber = '+12025550102';
  chat.locale = 'es-ES';
  chat.interactions.lookup = (async (_app: string, { phoneNumber }: { phoneNumber: string }, language = 'en') => {
    asked.push(`${phoneNumber} ${language}`);
    const documents = found.documents.map((one, index) => ({ ...one, title: (titles[language] ?? [])[index] ?? one.title, variables }));
    return { found: { ...found, documents } };
  }) as never;
  const warnings = () => events.flatMap(({ warning }) => (warning ? [faultLine(warning)] : []));
  return { chat, asked, warnings };
};

const sign = (document: string) =>
  flowOf(`- document-signature: { document: "${document}" }\n  else: end`, 'says: { en: [sign it], es: [firmar] }');

describe('what a file names', () => {
  it('is found by its title in the flow’s language too, whatever the customer’s', async () => {
    const { chat, asked, warnings } = chatIn(sign('Contract'));
    await chat.say('trial');
    assert.match(await chat.say('sí'), /Contrato/);
    assert.doesNotMatch(chat.said.map((one) => JSON.stringify(one)).join(), /Mandato/);
    assert.deepEqual(asked, ['+12025550102 es', '+12025550102 en']);
    assert.deepEqual(warnings(), []);
  });

  for (const named of ['Contrato', '5d0c0000-0000-4000-8000-000000000002'])
    it(`is not looked up in another language if it is found at once: ${named}`, async () => {
      const { chat, asked } = chatIn(sign(named));
      await chat.say('trial');
      assert.match(await chat.say('sí'), /Contrato/);
      assert.deepEqual(asked, ['+12025550102 es']);
    });

  it('has its blanks filled in, whether it is named by its title or its identifier', async () => {
    for (const document of ['Contract', 'Contrato', '5d0c0000-0000-4000-8000-000000000002']) {
      const steps = `- set: { t: green }\n- document-signature: { document: ${document}, variables: { tariff: "#{t}" } }\n  else: end`;
      const { chat } = chatIn(flowOf(steps, 'says: { en: [sign it], es: [firmar] }'));
      await chat.say('trial', 'sí', 'enviar');
      assert.deepEqual((chat.sent.at(-1)?.request as { variables?: object } | undefined)?.variables, { tariff: 'green' }, document);
    }
  });

  it('is reported to the operator if nothing has that name, and the customer chooses', async () => {
    const { chat, warnings } = chatIn(sign('Tarriff paper'));
    await chat.say('trial');
    assert.match(await chat.say('sí'), /Mandato[\s\S]*Contrato/);
    assert.deepEqual(warnings(), ['trial.yaml:5:37: warning: no document is named “Tarriff paper”; use its title or its identifier']);
  });

  it('is not reported if the name came from the customer', async () => {
    const { chat, warnings } = chatIn(flowOf('- set: { d: Tariff }\n- document-signature: { document: "#{d}" }\n  else: end'));
    await chat.say('trial');
    await chat.say('sí');
    assert.deepEqual(warnings(), []);
  });

  it('is looked up with the operator’s own number if replies must be alike', async () => {
    const { chat, asked } = chatIn(sign('Contract'));
    chat.callerNumber = undefined;
    chat.asksInitials = true;
    await chat.say('trial', '+1 202 555 0102', 'MT');
    assert.deepEqual(asked, ['+12025550100 es', '+12025550100 en']);
  });
});
