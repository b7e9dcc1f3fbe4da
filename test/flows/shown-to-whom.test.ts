import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const number = '+12025550110';

describe('what a chat is shown of an outcome', () => {
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  const panels = { 'variable:ownerName': 'Sam', 'variable:visitDate': '2026-12-05', 'variable:panels': '4' };
  const ways: Record<string, (talk: Talk) => Promise<void>> = {
    payments: async (talk) => talk.say('1'),
    'document-signature': async (talk) => {
      await talk.press(/^Solar panel consent/);
      await talk.press('Continue', panels);
    },
    'e-form': async (talk) => talk.say('1'),
    passkeys: async () => {},
  };
  /** Goes through an app, and answers what the chat was told and what the service recorded of it. */
  const through = async (talk: Talk, app: string, proved = false) => {
    const before = talk.outcomes().length;
    await talk.say(app);
    if (before === 0) await talk.say(number);
    // Who has just proved who they are is not asked.
    if (!proved) {
      await talk.sees(/Are you/);
      await talk.press('Yes');
    }
    await ways[app]?.(talk);
    await talk.press('Send');
    const outcome = await until(() => talk.outcomes()[before], 'the outcome', 40_000);
    assert.equal(outcome.channelData.interaction.status, 'success');
    const answer = await fetch(`${whole.service.baseUrl}/results/${outcome.channelData.interaction.requestId}`, {
      headers: { authorization: `Bearer ${whole.service.secretKey}` },
    });
    return { outcome, record: (await answer.json()) as Record<string, string> };
  };
  /** Every byte of the bot's own database. */
  const kept = () =>
    readdirSync(whole.dataDir)
      .filter((name) => name.startsWith('bot.db'))
      .map((name) => readFileSync(join(whole.dataDir, name), 'latin1'))
      .join('');

  it('is what it chose itself, and nothing of a document or a receipt reaches it or is kept, where nobody is verified', async () => {
    const talk = await talkTo(whole);
    const { outcome: paid, record: payment } = await through(talk, 'payments');
    assert.match(paid.text, /Payment received[\s\S]*Amount: \$128\.40[\s\S]*Electricity and gas, November[\s\S]*receipt is on your device/);
    const { outcome: signed, record: document } = await through(talk, 'document-signature');
    assert.match(signed.text, /Document signed[\s\S]*Solar panel consent[\s\S]*signed document is on your device/);
    const { outcome: filled, record: form } = await through(talk, 'e-form');
    assert.match(filled.text, /Form received[\s\S]*your answers are not shown/);
    const secrets = [
      payment.transactionId,
      new URL(document.url as string).pathname,
      ...(JSON.stringify(form.data).match(/[A-Z][a-z]+ [A-Z][a-z]+/g) ?? []),
    ];
    assert.ok(secrets.length > 2);
    const said = JSON.stringify(talk.messages());
    const bytes = kept();
    for (const secret of secrets) {
      assert.ok(secret && secret.length > 5);
      assert.ok(!said.includes(secret), `the chat holds ${secret}`);
      assert.ok(!bytes.includes(secret), `the database holds ${secret}`);
    }
  });

  it('is the document and the receipt where it is verified for their customer', async () => {
    const talk = await talkTo(whole);
    await through(talk, 'passkeys');
    const { outcome: paid, record: payment } = await through(talk, 'payments', true);
    assert.match(paid.text, new RegExp(`Transaction: ${payment.transactionId}`));
    const { outcome: signed } = await through(talk, 'document-signature', true);
    assert.match(signed.text, /Open the signed document: http/);
  });

  it('is no document any more once the customer has signed out', async () => {
    const talk = await talkTo(whole);
    await through(talk, 'passkeys');
    await talk.say('log out');
    await talk.say('pay');
    await talk.say(number);
    await talk.press('Yes');
    await talk.say('1');
    await talk.press('Send');
    const outcome = await until(() => talk.outcomes()[1], 'the outcome', 40_000);
    assert.doesNotMatch(outcome.text, /Transaction/);
  });
});
