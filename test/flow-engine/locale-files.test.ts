import assert from 'node:assert/strict';
import { faultLine, isBroken, programOf } from '../../src/flows/index.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { keptVersionOf } from '../../src/flows/versions/versions.ts';
import { startConversation } from '../support/conversation-under-test.ts';

const flow = `flow: trial
title: Trial run
says: { en: [trial] }
needs: { n: number?, title: text? }
do:
  - say: Good morning
  - ask: choice
    as: size
    text: { en: Which one? }
    repair: None of them
    choices: [{ value: s, title: Small }, { value: l, title: Large }]
  - passkeys:
    on: { success: next, else: say }
  - end: success
parts:
  say: [{ say: Not now }, { end: cancelled }]
`;
const spanish = `says: [probar]
texts:
  Trial run: Prueba
  Good morning: Buenos días
  Which one?: ¿Cuál?
  None of them: Ninguna
  Small: Pequeña
  Large: Grande
  Not now: Ahora no
`;

const load = (files: Readonly<Record<string, string>>) =>
  loadFlows(Object.entries(files).map(([name, text]) => ({ file: `${name}.yaml`, text })));
const told = (files: Readonly<Record<string, string>>) => load(files).faults.map(faultLine);

describe('the texts of a flow in a file of their own', () => {
  it('are used for customers of that language, in every part of the flow, and its phrases begin it', async () => {
    const loaded = load({ trial: flow, 'trial.es': spanish });
    assert.deepEqual(loaded.faults.map(faultLine), []);
    const chat = startConversation({ flows: loaded });
    chat.callerNumber = '+12025550102';
    chat.locale = 'es';
    assert.match(await chat.say('probar'), /Cuál\?[\s\S]*Pequeña[\s\S]*Grande/);
    assert.match(JSON.stringify(chat.said), /Buenos días/);
    assert.match(await chat.say('mediana'), /Ninguna/);
    chat.said.length = 0;
    await chat.say('Grande', 'cancelar');
    assert.match(JSON.stringify(chat.said), /Ahora no/);
  });

  it('belong to the version, which keeps them when the file is gone', () => {
    const one = load({ trial: flow, 'trial.es': spanish });
    const other = load({ trial: flow, 'trial.es': spanish.replace('Buenos días', 'Hola') });
    const [first, second, bare] = [one, other, load({ trial: flow })].map(({ flows }) => flows.get('trial') ?? assert.fail());
    assert.equal(new Set([first?.version, second?.version, bare?.version]).size, 3);
    assert.deepEqual(programOf(keptVersionOf(first as NonNullable<typeof first>, one.flows)).flows.get('trial'), first?.source);
  });

  const faults: [what: string, files: Readonly<Record<string, string>>, lines: string[]][] = [
    [
      'a text that is missing, at its line in the flow',
      { trial: flow, 'trial.es': spanish.replace('  Good morning: Buenos días\n', '') },
      ['trial.yaml:6:5: warning: there is no text in es'],
    ],
    [
      'a text that the flow does not say, which may have been changed there',
      { trial: flow.replace('Good morning', 'Good evening'), 'trial.es': spanish },
      [
        'trial.es.yaml:4:3: warning: the flow says nothing of the kind; did you mean Good evening?',
        'trial.yaml:6:5: warning: there is no text in es',
      ],
    ],
    [
      'an expression that is wrong there, at its column there',
      { trial: flow, 'trial.es': spanish.replace('Buenos días', "'Hola #{size}'").replace('#', '$') },
      ['trial.es.yaml:4:25: size is not known on every way here; ask for it, choose it or set it before'],
    ],
    [
      'a text that both have',
      { trial: flow.replace('{ en: Which one? }', '{ en: Which one?, es: ¿Cuál? }'), 'trial.es': spanish },
      ['trial.es.yaml:5:3: warning: the flow has this text in es itself'],
    ],
    ['texts of no flow', { trial: flow, 'trail.es': spanish }, ['trail.es.yaml:1:1: there is no flow trail that these texts are of']],
    [
      'a language that the bot does not speak',
      { trial: flow.replace('says: { en: [trial] }\n', ''), 'trial.es': spanish, 'trial.xx': 'texts: { Small: S }' },
      ['trial.xx.yaml:1:1: warning: xx is no language that the bot speaks'],
    ],
    ['what it cannot hold', { trial: flow, 'trial.es': 'texst: {}' }, ['trial.es.yaml:1:1: texst is not known here']],
    [
      'a slot of a phrase that is no input',
      { trial: flow, 'trial.es': spanish.replace('[probar]', '["probar {m}"]') },
      ['trial.es.yaml:1:8: {m} is no input of this flow'],
    ],
  ];
  for (const [what, files, lines] of faults)
    it(`have ${what} told`, () => {
      const found = told(files);
      for (const line of lines)
        assert.ok(
          found.some((one) => one.startsWith(line)),
          `${line} in\n${found.join('\n')}`,
        );
      assert.equal(
        isBroken(load(files).faults),
        lines.some((line) => !line.includes('warning')),
      );
    });
});
