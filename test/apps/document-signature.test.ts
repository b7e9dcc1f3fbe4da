import { describeApp } from '../support/conformance.ts';

const filled = {
  'variable:accountHolder': 'Mei Tanaka',
  'variable:accountEnding': '0042',
  'variable:monthlyLimit': '250',
  'variable:firstCollection': '2026-12-05',
};

describeApp({
  app: 'document-signature',
  wish: 'sign a document',
  prepare: async (talk) => {
    await talk.sees(/Which document would you like to sign\?/);
    await talk.press(/^Direct debit mandate/);
    await talk.sees(/Fill in the document/);
    await talk.press('Continue', filled);
  },
  asks: 'Text me the link',
  presses: [
    [/^Direct debit mandate/, /The link for M••• T\. will go to \+1•••0102\./],
    ['Continue', /Fill in the document/, filled],
    ['Text me the link', /For: M••• T\./],
  ],
  refusals: async (talk) => {
    await talk.say('the big one');
    await talk.sees(/did not understand/);
    await talk.say('Direct debit mandate');
    await talk.press('Continue', { ...filled, 'variable:monthlyLimit': 'a lot', 'variable:accountHolder': '  ' });
    await talk.sees(/Account holder: Please fill this in[\s\S]*Monthly limit[^:]*: Please enter an amount, for example \$50\.00/);
    // The rest is typed, one blank after the other; the button's title, typed, finds what is still to fill in.
    await talk.press('Continue', {});
    await talk.say('continue');
    await talk.sees(/Account holder: Please fill this in/);
    await talk.say('Mei Tanaka');
    await talk.sees(/Next: Last four digits of the account/);
    await talk.say('0042');
    await talk.sees(/Next: Monthly limit/);
    await talk.say('two hundred and fifty');
    await talk.sees(/Monthly limit: Please enter an amount/);
    await talk.say('250,00');
    await talk.say('soon');
    await talk.sees(/First collection: Please enter a date/);
    await talk.say('5 Dec 2026');
  },
  confirms:
    /Sign this document on your phone[\s\S]*Document: Direct debit mandate[\s\S]*Account holder: Mei Tanaka[\s\S]*Last four digits of the account: 0042[\s\S]*Monthly limit: \$250\.00[\s\S]*First collection: Dec 5, 2026/,
  fields: { consent: 'on', name: 'Mei Tanaka' },
  says: {
    success: /Document signed[\s\S]*Document: Direct debit mandate/,
    failure: /Document not signed/,
    timeout: /No signature in time/,
    cancelled: /Signature request cancelled/,
  },
});
