import assert from 'node:assert/strict';
import { openLink, submit } from '../../cards/message.ts';
import { humanise, safeLink } from '../../cards/plain.ts';

describe('a link on a card', () => {
  for (const [address, link] of [
    ['https://pay.example.com/r/1?a=b#c', 'https://pay.example.com/r/1?a=b#c'],
    ['HTTPS://PAY.example.com', 'https://pay.example.com/'],
    ['http://localhost:4010/documents/1', 'http://localhost:4010/documents/1'],
    ['http://127.0.0.1:4010/documents/1', 'http://127.0.0.1:4010/documents/1'],
    ['http://[::1]:4010/', 'http://[::1]:4010/'],
    ['http://pay.example.com', undefined],
    ['http://localhost.example.com', undefined],
    ['http://127.0.0.1.example.com', undefined],
    ['http://localhost@evil.example/', undefined],
    ['http://user@localhost/', undefined],
    ['ftp://localhost/', undefined],
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
      assert.equal(safeLink(address), link);
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

describe('an identifier as a label', () => {
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
