import assert from 'node:assert/strict';
import { isAsked } from '../../src/interactions/interaction.ts';
import { intent } from '../support/samples.ts';

describe('an interaction whose id is used again', () => {
  const same = { customerRef: 'customer-0001', phoneNumber: '+12025550101', chosen: 'P1' };
  for (const [what, asked, is] of [
    ['nothing but its app', {}, true],
    ['its customer, number and product', same, true],
    ['another app', { app: 'passkeys' }, false],
    ['another customer', { ...same, customerRef: 'Customer-0001' }, false],
    ['another number', { ...same, phoneNumber: '+12025550102' }, false],
    ['another product', { ...same, chosen: 'p2' }, false],
  ] as const)
    it(`${is ? 'is' : 'is not'} what somebody asks for with ${what}`, () =>
      assert.equal(isAsked(intent('i'), { app: 'payments', ...asked }), is));
});
