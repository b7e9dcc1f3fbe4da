import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { demoForms } from '../../dialogs/index.ts';
import { namedIn } from '../../dialogs/language/recogniser.ts';
import { type ChatLanguage, chatLanguages, makeTexts } from '../../dialogs/language/texts.ts';
import { listedIn } from '../../dialogs/language/words.ts';
import { appIds } from '../../src/contract/index.ts';
import { makeFlows } from '../../src/flows/index.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const included = loadFlows(
  ['change-of-address', 'open-account', 'settle-bill'].map((name) => {
    const file = `dialogs/flows/${name}.yaml`;
    return { file, text: readFileSync(file, 'utf8') };
  }),
);

/** The flow that a sentence begins. */
const wishIn = (typed: string, language: ChatLanguage, loaded = included) => {
  const services = { clock: { now: () => 0 }, defaultRegion: 'US', apps: appIds };
  const flows = makeFlows({ current: () => loaded, versions: {} as never });
  return flows.wishIn({ t: makeTexts(language), memory: {}, services }, typed);
};

describe('a wish for a flow', () => {
  const said: Partial<Record<ChatLanguage, readonly (readonly [words: string, flow: string | undefined])[]>> = {
    en: [
      ['I want to change my address', 'change-of-address'],
      ['I want to change my adress', 'change-of-address'],
      ['chnage my address', 'change-of-address'],
      ['Chnage my adress please!', 'change-of-address'],
      ['change address', 'change-of-address'],
      ['my address has changed', 'change-of-address'],
      ['my adress has chnaged', 'change-of-address'],
      ['we have mooved', 'change-of-address'],
      ['open an acount', 'open-account'],
      ['I would like to oppen an account', 'open-account'],
      ['setle my bill', 'settle-bill'],
      ['settle my invioce', 'settle-bill'],
      ["I don't want to chnage my address", undefined],
      ['charge my card', undefined],
      ['what a lovely day', undefined],
      ['pay my bil', undefined],
    ],
    de: [
      ['Ich möchte meine Adresse ändern', 'change-of-address'],
      ['Adresse aendern', 'change-of-address'],
      ['meine Adrese ändern', 'change-of-address'],
      ['Ich bin umgezogen', 'change-of-address'],
      ['ich bin umgezgoen', 'change-of-address'],
      ['wir ziehen um', 'change-of-address'],
      ['Konto eröfnen', 'open-account'],
      ['meine Rechnnug begleichen', 'settle-bill'],
      ['ich möchte meine Adrese nicht ändern', undefined],
    ],
    es: [
      ['quiero cambiar mi domicilio', 'change-of-address'],
      ['cambiar mi direcion', 'change-of-address'],
      ['canbiar mi domicilio', 'change-of-address'],
      ['me he mudado', 'change-of-address'],
      ['abrir una cuneta', 'open-account'],
      ['saldar mi factrua', 'settle-bill'],
    ],
    fr: [
      ['changer mon adrese', 'change-of-address'],
      ['j’ai déménagé', 'change-of-address'],
      ['ouvrir un compt', 'open-account'],
    ],
  };
  for (const [language, table] of Object.entries(said))
    for (const [words, flow] of table)
      it(`${flow === undefined ? 'is not' : 'is'} read in “${words}” (${language})`, () =>
        assert.equal(wishIn(words, language as ChatLanguage)?.flow, flow));

  it('is read in everything that would else begin the form of an included flow, which verifies nobody', () => {
    const guarded = demoForms.slice(0, 2);
    for (const language of chatLanguages) {
      const t = makeTexts(language);
      const forms = guarded.map(({ id, title, names }) => ({ value: id, title: title[language] ?? '', names: names?.[language] ?? [] }));
      const phrases = listedIn(t, 'phrases.apps.e-form');
      const leading = phrases.filter((phrase) => namedIn(phrase, forms, t));
      assert.ok(leading.length >= 3, `${language}: ${leading}`);
      assert.deepEqual(
        leading.filter((phrase) => !wishIn(phrase, language)),
        [],
        language,
      );
    }
  });

  it('wins over an app where both are meant, mistyped or not', () => {
    const loaded = flowsOf({ trial: flowOf('- say: x', 'says: { en: [pay my bill, complete paperwork] }') });
    assert.equal(wishIn('pay my bill', 'en', loaded)?.flow, 'trial');
    assert.equal(wishIn('I would like to compleet paperwork', 'en', loaded)?.flow, 'trial');
    assert.equal(wishIn('complete paperwrok', 'en', loaded)?.flow, 'trial');
  });

  it('keeps the names in it as they were typed', () => {
    const head = 'says: { en: ["reserve a table for {name}"] }\nneeds: { name: text }';
    const loaded = flowsOf({ trial: flowOf('- say: x', head) });
    assert.deepEqual(wishIn('reserve a tabel for Mei', 'en', loaded)?.inputs, { name: 'Mei' });
    assert.equal(wishIn('reserve a tabel for Tabel', 'en', loaded), undefined);
  });
});
