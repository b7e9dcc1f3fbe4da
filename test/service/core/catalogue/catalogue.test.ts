import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SettingsError } from '../../../../src/platform/settings/settings-error.ts';
import { languages } from '../../../../src/platform/text/languages.ts';
import { demoCatalogue, loadAccounts } from '../../../../src/service/core/catalogue/load.ts';
import { type CatalogueChange, ownCatalogue } from '../../../support/own-catalogue.ts';
import { startTestService } from '../../../support/running-service.ts';

describe('the catalogue', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-catalogue-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const write = (content: string) => {
    const file = join(folder, 'catalogue.yaml');
    writeFileSync(file, content);
    return file;
  };
  const changed = (change: CatalogueChange) => ownCatalogue(folder, change);
  const linesOf = (file: string) => {
    try {
      loadAccounts(file, {});
    } catch (fault) {
      assert.ok(fault instanceof SettingsError);
      return fault.lines;
    }
    return assert.fail('it was loaded');
  };

  it('of the demo account has the documented forms and phone numbers', () => {
    const [demo, ...others] = loadAccounts(demoCatalogue, {});
    const { forms, customers } = demo ?? assert.fail('there is no account');
    assert.deepEqual(others, []);
    assert.deepEqual(
      forms.map(({ id, zeroKnowledge }) => [id, zeroKnowledge]),
      [
        ['6f1c0000-0000-4000-8000-000000000001', false],
        ['6f1c0000-0000-4000-8000-000000000002', true],
        ['6f1c0000-0000-4000-8000-000000000003', false],
      ],
    );
    const having = (ending: string) => customers.filter(({ phoneNumber }) => phoneNumber === `+1202555${ending}`).length;
    assert.equal(having('0101'), 2);
    for (const ending of ['0102', '0110', '0111', '0112', '0113', '0114']) assert.equal(having(ending), 1);
    assert.equal(having('0199'), 0);
    for (const { email } of customers) assert.match(email, /@example\.com$/);
  });

  it('of the demo account is translated into every language, to the last label', () => {
    const { products, documents, forms } = parse(readFileSync(demoCatalogue, 'utf8'));
    for (const language of languages.filter((one) => one !== 'en')) {
      for (const { id, texts } of products) assert.deepEqual(Object.keys(texts[language]), ['title', 'description'], id);
      for (const { id, paragraphs, variables, texts } of documents) {
        const words = texts[language];
        assert.equal(words.paragraphs.length, paragraphs.length, id);
        assert.deepEqual(
          Object.keys(words.labels),
          variables.map(({ name }: { name: string }) => name),
          `${id} in ${language}`,
        );
      }
      for (const { id: form, body, texts } of forms)
        for (const { id, title, choices } of body) {
          const words = texts[language].inputs[id];
          const values = choices?.map(({ value }: { value: string }) => value);
          assert.ok(words.label, `${id} of ${form} in ${language}`);
          assert.equal(words.title !== undefined, title !== undefined, `${id} of ${form} in ${language}`);
          assert.deepEqual(words.choices && Object.keys(words.choices), values, `${id} of ${form} in ${language}`);
        }
    }
  });

  it('can be another file', async () => {
    const file = changed((catalogue) => {
      catalogue.account.name = 'Northern Telecom Shop';
      catalogue.customers[0].name = 'Somebody Else';
    });
    const service = await startTestService({ catalogueFile: file });
    try {
      const { json } = await service.call('POST', '/payments/bootstrap', { body: { phoneNumber: '+12025550101' } });
      assert.equal(json.customers[0].name, 'Somebody Else');
    } finally {
      await service.close();
    }
  });

  const mistakes: [string, CatalogueChange, RegExp][] = [
    ['an e-mail address that is none', (c) => (c.customers[0].email = 'nowhere'), /: customers\.0\.email: must be an e-mail address\.$/],
    [
      'a phone number that is not E.164',
      (c) => (c.customers[0].phoneNumber = '202'),
      /: customers\.0\.phoneNumber: must be a phone number/,
    ],
    ['a customer id used twice', (c) => (c.customers[1].id = c.customers[0].id), /: customers\.1\.id: is used twice\.$/],
    [
      'a price with too many decimals',
      (c) => (c.products[0].price = 1.999),
      /: products\.0\.price: must have 2 decimals at most in USD\.$/,
    ],
    ['a price that is none', (c) => (c.products[0].price = 'twelve'), /: products\.0\.price: must be a price such as/],
    ['a price of nothing', (c) => (c.products[0].price = '0.00'), /: products\.0\.price: must be a price such as/],
    ['a price below nothing', (c) => (c.products[0].price = -1), /: products\.0\.price: must be a price such as/],
    ['a quantity of nothing', (c) => (c.products[0].quantity = 0), /: products\.0\.quantity: must be 1 at least\.$/],
    [
      'a document that cannot be printed',
      (c) => (c.documents[0].title = 'Договор ไทย'),
      /: documents\.0\.title: has characters that cannot be printed/,
    ],
    ['a currency that is none', (c) => (c.products[0].currency = 'XXQ'), /: products\.0\.currency: must be a currency code/],
    [
      'a blank with no variable',
      (c) => (c.documents[0].paragraphs[0] = '{{nothing}}'),
      /: documents\.0\.paragraphs\.0: has a blank for nothing/,
    ],
    [
      'an optional passage without an end',
      (c) => (c.documents[0].paragraphs[0] = '[[from now on'),
      /: documents\.0\.paragraphs\.0: has \[\[ and \]\] that do not belong together/,
    ],
    [
      'an optional passage in another',
      (c) => (c.documents[0].paragraphs[0] = '[[a [[b]] c]]'),
      /: documents\.0\.paragraphs\.0: has \[\[ and \]\] that do not belong together/,
    ],
    ['a choice with no choices', (c) => delete c.documents[1].variables[2].choices, /: documents\.1\.variables\.2\.choices: must be given/],
    ['an unknown input type', (c) => (c.forms[0].body[0].type = 'Input.Magic'), /: forms\.0\.body\.0\.type: /],
    ['an input id used twice', (c) => (c.forms[0].body[1].id = 'street'), /: forms\.0\.body\.1\.id: is used twice in this form\.$/],
    [
      'a pattern that is none',
      (c) => (c.forms[0].body[0].regex = '('),
      /: forms\.0\.body\.0\.regex: must be a regular expression that RE2/,
    ],
    [
      'a pattern that looks ahead',
      (c) => (c.forms[0].body[0].regex = '(?=.*\\d).+'),
      /: forms\.0\.body\.0\.regex: .* without back-references/,
    ],
    ['a pattern that browsers do not know', (c) => (c.forms[0].body[0].regex = '(?i)a'), /: forms\.0\.body\.0\.regex: must be a regular/],
    ['a pattern that refers back', (c) => (c.forms[0].body[0].regex = '(a)\\1'), /: forms\.0\.body\.0\.regex: .* without back-references/],
    [
      'words in a language that is not spoken',
      (c) => (c.products[0].texts = { xx: { title: 'a', description: 'b' } }),
      /: products\.0\.texts\.xx: /,
    ],
    [
      'half of the words in another language',
      (c) => (c.products[0].texts = { es: { title: 'a' } }),
      /: products\.0\.texts\.es\.description: is required\.$/,
    ],
    [
      'a blank without a variable in another language',
      (c) => c.documents[0].texts.es.paragraphs.push('{{nadie}}'),
      /: documents\.0\.texts\.es\.paragraphs\.3: has a blank for nadie, which is no variable\.$/,
    ],
    [
      'a label for a variable that is not there',
      (c) => (c.documents[0].texts.es.labels.nobody = 'Nadie'),
      /: documents\.0\.texts\.es\.labels\.nobody: names no variable\.$/,
    ],
    [
      'words for an input that is not there',
      (c) => (c.forms[2].texts.es.inputs.nobody = { label: 'Nadie' }),
      /: forms\.2\.texts\.es\.inputs\.nobody: names no input of this form\.$/,
    ],
    [
      'words for a choice that is not there',
      (c) => (c.forms[2].texts.es.inputs.rating.choices.none = 'Nada'),
      /: forms\.2\.texts\.es\.inputs\.rating\.choices\.none: is no choice of this input\.$/,
    ],
    ['an unknown field', (c) => (c.products[0].colour = 'red'), /: products\.0\.colour: is not known here\.$/],
    [
      'the private half of a key',
      (c) => (c.account.encryptionKey = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43), kid: 'a', d: 'd'.repeat(43) }),
      /: account\.encryptionKey\.d: is not known here\.$/,
    ],
    ['a missing part', (c) => delete c.forms, /: forms: is required\.$/],
  ];
  for (const [what, change, expected] of mistakes) {
    it(`with ${what} is refused by file, place and reason`, () => {
      const file = changed(change);
      const lines = linesOf(file);
      assert.ok(
        lines.some((line) => line.startsWith(`SERVICE_CATALOGUE: ${file}`) && expected.test(line)),
        lines.join('\n'),
      );
    });
  }

  it('reports every mistake at once', () => {
    const file = changed((catalogue) => {
      catalogue.customers[0].email = 'nowhere';
      catalogue.products[0].currency = 'none';
    });
    assert.ok(linesOf(file).length >= 2);
  });

  it('with zero-knowledge forms and no key to encrypt them for is refused outside demo mode', async () => {
    const delivery = { deliver: async () => ({ accepted: true as const }) };
    const starting = startTestService({ demo: false, delivery, catalogueFile: demoCatalogue });
    await assert.rejects(
      starting,
      (fault) => fault instanceof SettingsError && /account\.encryptionKey: must be given/.test(fault.message),
    );
  });

  it('in JSON with a name twice is refused by line and column, as one in YAML is', () => {
    assert.match(linesOf(write('{"account": {},\n "account": {}}')).join('\n'), /line 2, column 2: not YAML \(DUPLICATE_KEY\)/);
  });

  it('that is not YAML is refused by line and column', () => {
    assert.match(linesOf(write('account: {\n  id: [')).join('\n'), /line \d+, column \d+: not YAML/);
  });

  for (const [what, content] of [
    ['an empty file', ''],
    ['a list', '- a\n- b\n'],
    ['brackets in brackets', '['.repeat(200_000)],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(10)}]`).join('\n')}\n`,
    ],
  ] as const) {
    it(`that is ${what} is refused`, () => {
      assert.match(linesOf(write(content))[0] ?? '', /^SERVICE_CATALOGUE: /);
    });
  }

  it('that does not exist is refused', () => {
    assert.match(linesOf(join(folder, 'missing.yaml'))[0] ?? '', /missing\.yaml: cannot be read\.$/);
  });
});
