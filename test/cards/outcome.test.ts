import assert from 'node:assert/strict';
import { appCards, type EndingStatus, outcomeCard } from '../../cards/index.ts';
import { chatLanguages, makeTexts } from '../../dialogs/language/texts.ts';
import { appIds, apps, type ResultRecord, resultRecords } from '../../src/contract/index.ts';
import { resultSamples, sampleInstant } from '../../src/gallery/sample-data.ts';
import { elementsOf, stringsOf } from '../support/card-text.ts';

const t = makeTexts('en', { timeZone: 'UTC' });
const spaced = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ');
const statuses: readonly EndingStatus[] = ['success', 'failure', 'timeout', 'cancelled'];
const at = sampleInstant;

/** Where the fields of a result are shown, and which are left out on purpose. */
const shown: Record<string, string | undefined> = {
  'passkeys.action': 'Your passkey has confirmed that it is you.',
  'document-signature.title': 'Document: Rental agreement',
  'document-signature.url': 'Open the signed document: https://documents.example.com/signed/7f3a',
  'payments.product': 'Product: Annual plan',
  // One is what everybody expects: see below.
  'payments.quantity': undefined,
  'payments.amount': 'Amount: €1,249.50',
  'payments.currency': '€',
  'payments.gateway': 'Paid through: stripe',
  'payments.productId': undefined,
  'payments.transactionId': 'Transaction: pi_3OqX2eLkdIwHu7ix',
  'payments.gatewayUrl': 'View the payment: https://pay.example.com/receipt/3OqX2e',
  'e-form.data': undefined,
  'e-form.zeroKnowledge': 'your answers are not shown in this chat',
};

describe('the outcome of an interaction', () => {
  for (const [quantity, line] of [
    [1, undefined],
    [2, 'Quantity: 2'],
  ] as const)
    it(`of payments ${line ? 'names' : 'leaves out'} a quantity of ${quantity}`, () => {
      const result = { ...resultSamples.payments('success'), quantity } as ResultRecord<'payments'>;
      const { text } = outcomeCard('payments', { status: 'success', at, verified: true, result, actions: [] }, t);
      assert.equal(/^Quantity.*$/m.exec(text)?.[0], line);
    });

  for (const [what, ending, known] of [
    ['a failure that the service recorded', { status: 'failure', result: resultSamples.payments('failure') }, true],
    ['a customer who declined', { status: 'failure', result: { ...resultSamples.payments('failure'), reason: 'declined' } }, true],
    ['a failure without its record', { status: 'failure' }, false],
    ['a request that has expired', { status: 'timeout', result: resultSamples.payments('timeout') }, false],
    ['a cancelled request', { status: 'cancelled' }, false],
    ['a payment', { status: 'success', result: resultSamples.payments('success') }, false],
  ] as const)
    for (const language of chatLanguages)
      it(`of ${what} ${known ? 'says' : 'does not say'} that nobody was charged (${language})`, () => {
        const texts = makeTexts(language);
        const { text } = outcomeCard('payments', { at, actions: [], ...(ending as { status: 'failure' }) }, texts);
        assert.equal(text.includes(texts('cards.payments.notCharged')), known, text);
      });

  it('of another app says nothing of charges', () => {
    for (const app of appIds.filter((id) => id !== 'payments')) {
      const result = resultSamples[app]('failure') as ResultRecord;
      assert.doesNotMatch(outcomeCard(app, { status: 'failure', at, result, actions: [] }, t).text, /charged/);
    }
  });

  for (const app of appIds) {
    it(`of ${app} shows every field of its result to a verified chat, or leaves it out on purpose`, () => {
      const result = resultSamples[app]('success') as ResultRecord;
      assert.ok(resultRecords[app].safeParse(result).success, 'the sample is a record of the contract');
      const { text } = outcomeCard(app, { status: 'success', at, verified: true, result, actions: [] }, t);
      for (const field of Object.keys(apps[app].resultFields)) {
        const key = `${app}.${field}`;
        assert.ok(key in shown, `${key} has no place`);
        assert.ok(spaced(text).includes(shown[key] ?? ''), `${key} in ${text}`);
      }
    });

    it(`of ${app} shows an unverified chat nothing that it did not choose itself`, () => {
      const result = resultSamples[app]('success') as ResultRecord;
      const { card, text } = outcomeCard(app, { status: 'success', at, result, actions: [], subject: 'What was chosen' }, t);
      const said = [...stringsOf(card), text].join('\n');
      for (const field of [
        'title',
        'url',
        'product',
        'gateway',
        'transactionId',
        'gatewayUrl',
        'productId',
        'data',
        'customerRef',
      ] as const) {
        const value = (result as Record<string, unknown>)[field];
        for (const secret of [value].flat().flatMap((one) => (typeof one === 'object' && one ? Object.values(one) : [one])))
          if (typeof secret === 'string' && secret.length > 4) assert.ok(!said.includes(secret), `${field}: ${secret}`);
      }
      assert.deepEqual(elementsOf(card, 'Action.OpenUrl'), []);
    });

    for (const status of statuses) {
      it(`of ${app} says ${status}, when, and what can be done, without a result too`, () => {
        const { card, text } = outcomeCard(app, { status, at, actions: [{ title: 'Try again', id: 'x' }] }, t);
        const mark = { success: '✓', failure: '✕', timeout: '!', cancelled: '–' }[status];
        assert.ok(elementsOf(card, 'TextRun').some((run) => run.text === mark));
        assert.equal(elementsOf(card, 'TextBlock').length, 1, 'one heading');
        assert.match(spaced(text), /Nov 20, 2026, 2:32 PM/);
        assert.match(text, /Try again/);
        assert.deepEqual(
          elementsOf(card, 'Action.Submit').map(({ data }) => data.action),
          ['x'],
        );
      });
    }

    it(`of ${app} differs from every other ending in its heading`, () => {
      const headings = statuses.map((status) => elementsOf(outcomeCard(app, { status, at, actions: [] }, t).card, 'TextBlock')[0]?.text);
      assert.equal(new Set(headings).size, statuses.length);
    });

    it(`of ${app} leaves out what another app's record says`, () => {
      const other = app === 'payments' ? 'e-form' : 'payments';
      const { text } = outcomeCard(app, { status: 'success', at, result: resultSamples[other]('success') as ResultRecord, actions: [] }, t);
      assert.equal(text, outcomeCard(app, { status: 'success', at, actions: [] }, t).text);
    });
  }

  it('shows the time of the record if there is one', () => {
    const { text } = outcomeCard('payments', { status: 'success', at, result: resultSamples.payments('success'), actions: [] }, t);
    assert.match(spaced(text), /2:36 PM/);
  });

  it('says so when the details of a success could not be read', () => {
    for (const app of ['payments', 'document-signature'] as const) {
      assert.match(outcomeCard(app, { status: 'success', at, actions: [] }, t).text, /details are not available/);
      assert.doesNotMatch(outcomeCard(app, { status: 'failure', at, actions: [] }, t).text, /details/);
    }
  });
});

describe('the outcome of passkeys', () => {
  const ending = (action: string, verified = false) =>
    appCards.passkeys.outcome(
      {
        status: 'success',
        at,
        verified,
        result: { ...resultSamples.passkeys('success'), action } as ResultRecord<'passkeys'>,
        actions: [],
      },
      t,
    ).text;
  it('says verified after an authentication alone', () => {
    assert.match(ending('authentication'), /You are verified/);
    for (const action of ['enrollment', 'step_up', '', 'toString']) assert.doesNotMatch(ending(action), /verified/);
    assert.doesNotMatch(appCards.passkeys.outcome({ status: 'success', at, actions: [] }, t).text, /verified/);
  });
  it('says after a set-up that the confirmation is still to come, and how to begin it', () =>
    assert.match(ending('enrollment'), /Use it to confirm that it is you/));
  it('asks a chat that is verified for nothing more after a set-up', () => {
    const text = ending('enrollment', true);
    assert.match(text, /Your passkey is set up\. You can use it from now on\./);
    assert.doesNotMatch(text, /confirm/);
  });
  it('names an action it does not know', () => assert.match(ending('step_up'), /Action: Step up/));
});

describe('the outcome of payments', () => {
  const ending = (status: EndingStatus, fields: Partial<ResultRecord<'payments'>>) =>
    appCards.payments.outcome(
      {
        status,
        at,
        verified: true,
        result: { ...resultSamples.payments(status === 'success' ? 'success' : 'failure'), ...fields } as ResultRecord<'payments'>,
        actions: [],
      },
      t,
    );
  for (const gatewayUrl of ['http://pay.example.com/r', 'javascript:alert(1)', 'https://bank@evil.example', 'nonsense']) {
    it(`does not link to ${gatewayUrl}`, () => {
      const { card, text } = ending('success', { gatewayUrl });
      assert.deepEqual(elementsOf(card, 'Action.OpenUrl'), []);
      assert.ok(![...stringsOf(card), text].some((said) => said.includes(gatewayUrl)));
    });
  }
  it('does not show an amount that was not paid as a receipt would', () => {
    const { card, text } = ending('failure', {});
    assert.match(text, /Amount: €1,249\.50/);
    assert.ok(!elementsOf(card, 'TextRun').some((run) => 'size' in run && run.size === 'ExtraLarge'));
    assert.deepEqual(elementsOf(card, 'Action.OpenUrl'), []);
  });
});

describe('the outcome of a record that could not be read to its end', () => {
  const text = (result: ResultRecord) => outcomeCard(result.app, { status: 'success', at: sampleInstant, result, actions: [] }, t).text;

  it('says of a payment without its amount that details are missing, and of a whole one nothing', () => {
    const whole = resultSamples.payments('success');
    assert.match(text({ ...whole, amount: undefined }), /Payment received[\s\S]*details are not available/);
    assert.doesNotMatch(text(whole), /details are not available/);
  });

  it('shows the time at which it arrived if the record has none', () => {
    assert.match(text({ ...resultSamples.passkeys('success'), timestamp: undefined }), /2:32/);
  });
});

describe('the outcome of e-form', () => {
  const textOf = (fields: object) =>
    appCards['e-form'].outcome(
      { status: 'success', at, result: { ...resultSamples['e-form']('success'), ...fields } as ResultRecord<'e-form'>, actions: [] },
      t,
    ).text;

  it('shows none of the answers, nor how many there are', () => {
    const text = textOf({ data: [{ type: 'text', key: 'street', value: '12 Harbour Street' }] });
    assert.doesNotMatch(text, /street|harbour|answers: /i);
  });

  it('explains that sealed answers can be read by the organisation alone', () => {
    const text = textOf({ zeroKnowledge: true, data: [{ type: 'jwe', key: '$jwe', value: 'eyJhbGciOi' }] });
    assert.match(text, /encrypted/);
    assert.doesNotMatch(text, /jwe|eyJ|Answers:/i);
  });
});
