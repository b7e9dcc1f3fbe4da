import assert from 'node:assert/strict';
import { makeAuthenticator } from '../support/authenticator.ts';
import { describeApp } from '../support/conformance.ts';
import { openPasskeyPage } from '../support/passkey-page.ts';
import { callsTo } from '../support/running-service.ts';
import { talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describeApp({
  app: 'passkeys',
  wish: 'log in with passkey',
  prepare: async () => {},
  asks: 'E-mail me the link',
  presses: [['E-mail me the link', /For: M••• T\./]],
  confirms: /Confirm with your passkey/,
  sentTo: /the address we have for you/,
  fields: {},
  accept: async ({ service }, link) => {
    const page = openPasskeyPage(
      callsTo(() => service),
      link,
    );
    const device = makeAuthenticator(`http://localhost:${service.port}`);
    assert.equal((await page.enrol(device)).status, 200);
    assert.equal((await page.authenticate(device)).status, 200);
  },
  says: {
    success: /You are verified/,
    failure: /You could not be verified/,
    timeout: /No answer in time/,
    cancelled: /Passkey request cancelled/,
  },
});

describe('passkeys, for a customer without one', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  it('says nothing of that in the chat, whatever the customer: the device shows how to set one up', async () => {
    const talk = await talkTo(whole);
    await talk.say('passkeys');
    await talk.say('+12025550101');
    await talk.sees(/Several customers share \+1•••0101[\s\S]*1\. A••• C\.\n2\. J••• C\./);
    for (const who of ['1', '2']) {
      await talk.say(who);
      await talk.sees(/Confirm with your passkey[\s\S]*E-mail: the address we have for you/);
      await talk.say('cancel');
      await talk.say('passkeys');
    }
    assert.equal(whole.proxy.count(/send/), 0);
  });
});
