import assert from 'node:assert/strict';
import { talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('a value that the service refuses', () => {
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  it('is shown at its field, with all other answers kept, and can be corrected', async () => {
    const talk = await talkTo(whole);
    for (const said of ['document-signature', '+12025550102']) await talk.say(said);
    await talk.press(/^Solar panel consent/);
    // Nothing is wrong with it for the chat; the service cannot print it.
    const entered = { 'variable:ownerName': 'Mei 🌞', 'variable:visitDate': '2026-12-05', 'variable:panels': '4' };
    await talk.press('Continue', entered);
    await talk.asks();
    const { attachments } = await talk.sees(/Owner of the house: The service did not accept this\./);
    assert.ok(!talk.messages().some(({ text }) => /could not be sent|Try again/.test(text)));
    const inputs = JSON.stringify(attachments);
    for (const value of Object.values(entered)) assert.ok(inputs.includes(`"value":"${value}"`), value);
    assert.equal(inputs.match(/did not accept this/g)?.length, 1);
    await talk.press('Continue', { ...entered, 'variable:ownerName': 'Mei' });
    await talk.sees(/Sign this document on your phone[\s\S]*Owner of the house: Mei\n/);
    await talk.asks();
    await talk.sees(/Waiting for your signature/);
    await talk.say('cancel');
    await talk.sees(/What would you like to do\?/);
    assert.ok(!talk.messages().some(({ text }) => /could not be sent/.test(text)));
  });
});
