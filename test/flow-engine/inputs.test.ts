import assert from 'node:assert/strict';
import { makeTexts } from '../../dialogs/index.ts';
import { describedFlows } from '../../src/flows/described.ts';
import { startConversation } from '../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const chatIn = (text: string) => startConversation({ flows: flowsOf({ trial: text }) });

const says = 'says: { en: ["change my tariff to {tariff}"], es: ["cambiar mi tarifa a {tariff}"] }\nneeds: { tariff: text? }';
const choices =
  'choices: [ { value: green, title: { en: Green, es: Verde } }, { value: green-night, title: { en: Green at night, es: Verde nocturna } } ]';
const tariff = `- ask: choice\n  as: tariff\n  text: Which tariff?\n  ${choices}\n- say: "It is [#{tariff}]"`;

describe('an input of a flow', () => {
  for (const [words, wanted] of [
    ['change my tariff to green', /It is \[Green\]/],
    ['change my tariff to GREEN-NIGHT', /It is \[Green at night\]/],
    ['change my tariff to Verde', /It is \[Green\]/],
    ['cambiar mi tarifa a verde', /It is \[(?:Green|Verde)\]/],
    ['change my tariff to Green at night please', /It is \[Green at night\]/],
    ['change my tariff to the night one', /It is \[Green at night\]/],
    ['change my tariff to Sunshine', /Which tariff\?[\s\S]*1\. Green/],
    ['change my tariff to 2', /Which tariff\?/],
  ] as const) {
    it(`must be one of the choices of its question: “${words}”`, async () =>
      assert.match(await chatIn(flowOf(tariff, says)).say(words), wanted));
  }

  it('is asked for again in the flow’s words if its check refuses it', async () => {
    const head = 'says: { en: ["pay in {months} parts"] }\nneeds: { months: number? }';
    const steps =
      '- ask: number\n  as: months\n  text: How many?\n  check: answer >= 2 && answer <= 12\n  repair: From two to twelve.\n- say: "#{months} it is"';
    const chat = chatIn(flowOf(steps, head));
    assert.match(await chat.say('pay in 99 parts'), /From two to twelve\.\nHow many\?/);
    // A channel that speaks listens after the question only.
    assert.deepEqual(
      chat.said.map(({ inputHint }) => inputHint),
      ['ignoringInput', 'expectingInput'],
    );
    assert.doesNotMatch(await chatIn(flowOf(steps, head)).say('trial'), /From two/);
    assert.match(await chatIn(flowOf(steps, head)).say('pay in 12 parts'), /12 it is/);
  });

  it('that is a choice is shown by its title in the customer’s language, and compared by its value', async () => {
    const steps = `${tariff}\n- when: tariff == 'green'\n  do: [ { set: { kept: "#{tariff}" } }, { say: "Kept as <#{kept}>" } ]`;
    for (const [locale, shown] of [
      ['en', 'Green'],
      ['es', 'Verde'],
    ] as const) {
      const chat = chatIn(flowOf(steps, says));
      chat.locale = locale;
      assert.match(await chat.say('change my tariff to green'), new RegExp(`\\[${shown}\\]\nKept as <green>`));
    }
  });

  it('can be tested with has()', async () => {
    const head = 'says: { en: ["wish for {wish}", a wish] }\nneeds: { wish: text? }';
    const steps = '- when: has(wish) && size(wish) > 1\n  do: [ { say: "For #{wish}" } ]\n  else: [ { say: For nothing } ]';
    assert.match(await chatIn(flowOf(steps, head)).say('wish for tea'), /For tea/);
    assert.match(await chatIn(flowOf(steps, head)).say('a wish'), /For nothing/);
  });

  it('is one of the values for programs, where only a choice takes it', () => {
    const inputs = (steps: string) => describedFlows(flowsOf({ trial: flowOf(steps, says) }), makeTexts('en'))[0]?.inputs;
    for (const [given, taken] of [
      ['green', true],
      ['green-night', true],
      ['Sunshine', false],
    ] as const)
      assert.equal(inputs(tariff)?.safeParse({ tariff: given }).success, taken, given);
    assert.equal(inputs(tariff)?.safeParse({}).success, true);
    assert.equal(inputs('- choose: tariff\n  from: products')?.safeParse({ tariff: 'Sunshine' }).success, true);
    assert.equal(inputs(`${tariff}\n- choose: tariff\n  from: products`)?.safeParse({ tariff: 'Sunshine' }).success, true);
  });
});
