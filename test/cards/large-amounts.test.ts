import assert from 'node:assert/strict';
import { documentSignature } from '../../cards/document-signature.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';

describe('an amount in a document, as it is shown before it is sent', () => {
  for (const [type, value, shown] of [
    ['currency', '999999999999.99', '$999,999,999,999.99'],
    ['currency', '999999999999999', '$999,999,999,999,999.00'],
    ['currency', '999999999999999.99', '999999999999999.99 USD'],
    ['number', '123456789012345', '123456789012345'],
    ['number', '12345678901234.56', '12345678901234.56'],
  ] as const)
    it(`“${value}” is “${shown}”`, () => {
      const variables = [{ name: 'amount', label: 'Amount', type, required: true, currency: 'USD' }];
      const facts = documentSignature.summary({ document: 'Loan', variables, values: { amount: value } } as never, makeTexts('en'));
      assert.equal(facts.find(({ label }) => label === 'Amount')?.value, shown);
    });
});
