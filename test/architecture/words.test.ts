import assert from 'node:assert/strict';
import { allSources } from './sources.ts';

/** Words that CONTRIBUTING.md replaces, as names in code would have them. */
const replaced: Readonly<Record<string, RegExp>> = {
  'blind look-up, not alike': /\b(?:alikeStart|isAlike|startAlike)\b/,
  'cancel, not withdraw, in what a part is called': /\b(?:Withdrawer|makeWithdraw)\b/,
  'ChatUnreachable, not OutOfPatience': /\bOutOfPatience\b/,
  'delivered, not told': /\b(?:Told|tellTold|\w+OrTold|isTold|teller)\b/,
  'deliver and DeliveryResult, not bring': /\bBrought\b/,
  'ChatEvent or transition, not happening': /\b(?:Happening|happeningOf)\b/,
  'handle, not heed': /\bheed[A-Z]\w*/,
  'hold messages, not holding': /\bmakeHolding\b/,
  'HubEvent and OutcomeDelivery, not letter': /\b(?:HubLetter|OutcomeLetter|Letter[A-Z]\w*)\b/,
  'HubPoller and poll, not looks': /\b(?:HubLooks|makeLooks|claimLooks)\b/,
  'logoutUrl and login state, not farewell and flight': /\b(?:farewell\w*|LoginFlight|makeFlights)\b/,
  'ServiceContext, not ground': /\bGround\b/,
};

describe('the words of the code', () => {
  const files = allSources('ts');

  for (const [rule, pattern] of Object.entries(replaced))
    it(`say ${rule}`, () => {
      assert.ok(files.length > 500);
      const found = files.filter(({ text }) => pattern.test(text));
      assert.deepEqual(
        found.map(({ file }) => file),
        [],
      );
    });

  it('have no other names for things, and a comment that uses one is found', () => {
    assert.match('const heedHub = 1;', replaced['handle, not heed'] as RegExp);
    assert.match('// The Ground of all parts', replaced['ServiceContext, not ground'] as RegExp);
  });
});
