import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openLink, submit } from '../../cards/actions.ts';
import { answerFacts, readable } from '../../cards/answers.ts';
import { humanise } from '../../cards/humanise.ts';
import { httpsLink } from '../../cards/links.ts';
import { makeTexts } from '../../dialogs/texts.ts';

const t = makeTexts('en');

describe('a link on a card', () => {
  for (const [address, link] of [
    ['https://pay.example.com/r/1?a=b#c', 'https://pay.example.com/r/1?a=b#c'],
    ['HTTPS://PAY.example.com', 'https://pay.example.com/'],
    ['http://pay.example.com', undefined],
    ['javascript:alert(1)', undefined],
    ['java\nscript:alert(1)', undefined],
    ['data:text/html,<script>', undefined],
    ['//pay.example.com', undefined],
    ['https://bank.example@evil.example/', undefined],
    ['https://', undefined],
    ['', undefined],
    [undefined, undefined],
    [`https://pay.example.com/${'a'.repeat(2000)}`, undefined],
  ] as const) {
    it(`${link ? 'opens' : 'is left out for'} ${JSON.stringify(address?.slice(0, 40))}`, () => {
      assert.equal(httpsLink(address), link);
      assert.deepEqual(openLink('View', address), link ? [{ type: 'Action.OpenUrl', title: 'View', url: link }] : []);
    });
  }
});

describe('a button', () => {
  it('carries its opaque id and nothing else', () =>
    assert.deepEqual(submit({ title: 'Send', id: 'x1', style: 'positive' }), {
      type: 'Action.Submit',
      title: 'Send',
      data: { action: 'x1' },
      style: 'positive',
    }));
  it('can leave inputs unread', () => assert.equal(submit({ title: 'Cancel', id: 'x2' }, 'none').associatedInputs, 'none'));
});

describe('a name made for programs', () => {
  for (const [name, words] of [
    ['contract_start', 'Contract start'],
    ['contractStart', 'Contract start'],
    ['number-of-tenants', 'Number of tenants'],
    ['IBAN', 'IBAN'],
    ['customerID', 'Customer ID'],
    ['VAT_number', 'VAT number'],
    ['address.street', 'Address street'],
    ['línea1Dirección', 'Línea1 dirección'],
    ['__', '__'],
    ['', ''],
  ] as const) {
    it(`reads ${JSON.stringify(name)} as ${JSON.stringify(words)}`, () => assert.equal(humanise(name), words));
  }
});

describe('an answer of a form', () => {
  for (const [type, value, text] of [
    ['text', ' 12 Harbour Street ', '12 Harbour Street'],
    ['text', 'two\nlines', 'two lines'],
    ['toggle', true, 'Yes'],
    ['toggle', 'false', 'No'],
    ['text', 'true', 'true'],
    ['number', 1234.5, '1234.5'],
    ['date', '2026-12-01', 'Dec 1, 2026'],
    ['date', 'soon', 'soon'],
    ['choices', ['phone', 'e-mail'], 'phone, e-mail'],
    ['group', { firstName: 'Ana', address: { city: 'Vigo', floors: [1, 2] } }, 'First name: Ana, Address: City: Vigo, Floors: 1, 2'],
    ['group', { a: null, b: '' }, ''],
    ['file', 'data:image/png;base64,AAAA', 'Attachment'],
    ['text', null, ''],
    ['text', undefined, ''],
    ['number', Number.NaN, '–'],
    ['deep', [[[[['x']]]]], ''],
  ] as const) {
    it(`of type ${type} shows ${JSON.stringify(value)} as ${JSON.stringify(text)}`, () => assert.equal(readable(value, t, type), text));
  }

  it('is readable whatever it is', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 5 }), (value) => {
        const text = readable(value, t);
        assert.ok(text.length <= 300);
        assert.doesNotMatch(text, /\n/);
      }),
    );
  });

  it('says so when there is none', () =>
    assert.deepEqual(answerFacts([{ type: 'text', key: 'remarks', value: '' }], t).facts, [{ label: 'Remarks', value: 'Not answered' }]));

  it('has an end, which is counted', () => {
    const many = Array.from({ length: 35 }, (_, index) => ({ type: 'text', key: `k${index}`, value: 'x' }));
    const { facts, leftOut } = answerFacts(many, t);
    assert.equal(facts.length, 30);
    assert.equal(leftOut, 5);
  });
});
