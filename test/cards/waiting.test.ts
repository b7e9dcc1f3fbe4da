import assert from 'node:assert/strict';
import { button, enterCode, waiting } from '../../cards/index.ts';
import type { WaitingRequest as Waiting } from '../../cards/waiting.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { sampleInstant } from '../../src/gallery/sample-data.ts';
import { elementsOf } from '../support/card-text.ts';

const t = makeTexts('en', { timeZone: 'UTC' });
const plainSpaces = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ');
const act = { title: 'Check', id: 'k' };
const sent = sampleInstant;
const opened = sampleInstant + 60_000;
const started = sampleInstant + 120_000;

const steps = (data: Partial<Waiting>) =>
  waiting({ app: 'payments', to: '+1•••0101', progress: {}, actions: [{ title: 'Cancel', id: 'c' }], ...data }, t)
    .text.replace(/[\u00A0\u202F]/g, ' ')
    .split('\n')
    .filter((line) => /^[✓✕●○!–] /u.test(line));

describe('the waiting card', () => {
  for (const [what, data, lines] of [
    ['nothing yet', {}, ['● Sending to your phone', '○ Opened', '○ Started', '○ Completed']],
    ['what was sent', { progress: { sent } }, ['✓ Sent to your phone, 2:32 PM', '● Waiting to be opened', '○ Started', '○ Completed']],
    [
      'what is under way',
      { progress: { sent, opened, started } },
      ['✓ Sent to your phone, 2:32 PM', '✓ Opened, 2:33 PM', '✓ Started, 2:34 PM', '● In progress'],
    ],
    [
      'a step whose event was lost',
      { progress: { opened } },
      ['✓ Sent to your phone', '✓ Opened, 2:33 PM', '● Waiting for you to start', '○ Completed'],
    ],
    [
      'a success, all done',
      { progress: { sent }, ended: { status: 'success', at: started } },
      ['✓ Sent to your phone, 2:32 PM', '✓ Opened', '✓ Started', '✓ Completed, 2:34 PM'],
    ],
    [
      'a failure, as far as it came',
      { progress: { sent }, ended: { status: 'failure', at: started } },
      ['✓ Sent to your phone, 2:32 PM', '✕ Not completed, 2:34 PM'],
    ],
    [
      'a passcode, which is not opened',
      { app: 'one-time-passcode', progress: { sent } },
      ['✓ Sent to your phone, 2:32 PM', '● In progress'],
    ],
  ] as const satisfies readonly (readonly [string, Partial<Waiting>, readonly string[]])[]) {
    it(`shows ${what}`, () => assert.deepEqual(steps(data), lines));
  }

  it('uses the symbols of its language in unchanging texts too', () => {
    const card = waiting({ app: 'payments', to: '+1•••0101', progress: { sent }, actions: [] }, makeTexts('ar'));
    assert.match(card.still, /\u200E\+1•••0101/);
  });

  it('shows the code large, and in the text', () => {
    const { card, text } = waiting({ app: 'passkeys', to: '+1•••0101', progress: {}, code: '07', actions: [] }, t);
    const run = elementsOf(card, 'TextRun').find((one) => one.text === '07');
    assert.ok(run && 'size' in run && run.size === 'ExtraLarge');
    assert.match(text, /the same number: 07$/m);
  });

  it('has neither buttons nor code once it has ended', () => {
    const { card, text } = waiting(
      {
        app: 'passkeys',
        to: '+1•••0101',
        progress: {},
        code: '47',
        ended: { status: 'timeout', at: sent },
        actions: [{ title: 'Cancel', id: 'c' }],
      },
      t,
    );
    assert.equal(card.actions, undefined);
    assert.doesNotMatch(text, /47|Cancel/);
  });

  for (const [app, status, result, title] of [
    ['payments', 'success', undefined, 'Paid 2:34 PM'],
    ['document-signature', 'success', undefined, 'Signed 2:34 PM'],
    ['e-form', 'success', undefined, 'Submitted 2:34 PM'],
    ['one-time-passcode', 'success', undefined, 'Confirmed 2:34 PM'],
    // What was done with a passkey, its outcome says: it may have been created only.
    ['passkeys', 'success', undefined, 'Completed 2:34 PM'],
    ['payments', 'failure', undefined, 'Not completed 2:34 PM'],
    ['payments', 'failure', { reason: 'declined' }, 'Declined 2:34 PM'],
    ['document-signature', 'timeout', undefined, 'Expired 2:34 PM'],
    ['e-form', 'cancelled', undefined, 'Cancelled 2:34 PM'],
    ['payments', 'unknown', undefined, 'Outcome not known 2:34 PM'],
  ] as const)
    it(`is called “${title}” once ${app} has ended (${status})`, () => {
      const ended = { status, at: started, ...(result && { result }) };
      const { text, card } = waiting({ app, to: '+1•••0101', progress: {}, ended, actions: [] }, t);
      assert.ok(plainSpaces(text).startsWith(`${title}. It was sent to +1•••0101.`), text);
      assert.ok(elementsOf(card, 'TextBlock').some((one) => plainSpaces(String(one.text)) === title));
    });

  it('has its actions in one small row after a question, and as words in its text', () => {
    const actions = [button('resend', 'r', t), button('cancel', 'c', t)];
    const { card, text } = waiting({ app: 'payments', to: '+1•••0101', progress: {}, actions }, t);
    assert.equal(card.actions, undefined);
    const row = card.body.at(-1);
    assert.ok(row?.type === 'ColumnSet');
    assert.deepEqual(
      row.columns.map(({ id, selectAction }) => [id, selectAction?.title, selectAction?.data.action]),
      [
        [undefined, undefined, undefined],
        ['resend', 'Send again', 'r'],
        [undefined, 'Cancel', 'c'],
      ],
    );
    assert.match(JSON.stringify(row.columns[0]), /Did not get it\?/);
    assert.match(text, /You can answer: Send again · Cancel$/);
  });

  describe('if the customer can continue at once', () => {
    const link = 'https://verify.example.com/r/canary';
    const shown = (data: Partial<Waiting>) => waiting({ app: 'payments', to: '+1•••0101', progress: {}, actions: [act], link, ...data }, t);

    it('has the link as its first button and as a line of the text, and says it to nobody aloud', () => {
      const { card, text, summary, speak } = shown({});
      assert.deepEqual(card.actions?.[0], { type: 'Action.OpenUrl', title: 'Continue on this device', url: link });
      assert.ok(text.split('\n').includes(`Continue on this device: ${link}`));
      assert.doesNotMatch(`${summary}${speak}${card.fallbackText}`, /canary/);
    });

    for (const [what, data] of [
      ['none was given', { link: undefined as never }],
      ['it is over', { ended: { status: 'timeout', at: sent } }],
      ['it leads where nobody may be sent to', { link: 'javascript:canary' }],
    ] as const satisfies readonly (readonly [string, Partial<Waiting>])[])
      it(`has none where ${what}`, () => assert.doesNotMatch(JSON.stringify(shown(data)), /canary|this device|OpenUrl/));
  });

  describe('says how to recognise the message', () => {
    const bill = { sender: 'Brightwater Energy', subject: 'Electricity and gas', price: { amount: 128.4, currency: 'USD' } };
    const until = (dated: boolean) => ({ until: { at: started, dated } });
    const secondLine = (app: Waiting['app'], about: Waiting['about'], texts = t) =>
      plainSpaces(waiting({ app, to: '+1•••0101', progress: {}, ...(about && { about }), actions: [] }, texts).text.split('\n')[1] ?? '');

    for (const [what, app, about, line] of [
      [
        'all of it',
        'payments',
        { ...bill, ...until(false) },
        'The message comes from Brightwater Energy. Product: Electricity and gas; Amount: $128.40; Valid until: 2:34 PM',
      ],
      ['another day', 'payments', until(true), 'Valid until: Nov 20, 2026, 2:34 PM'],
      ['a document', 'document-signature', { subject: 'Mandate' }, 'Document: Mandate'],
      ['a form', 'e-form', { subject: 'Change of address' }, 'Form: Change of address'],
      ['a sender alone', 'passkeys', { sender: 'Brightwater Energy' }, 'The message comes from Brightwater Energy.'],
      ['nothing that is not known', 'payments', {}, '● Sending to your phone'],
      ['nothing at all', 'payments', undefined, '● Sending to your phone'],
    ] as const satisfies readonly (readonly [string, Waiting['app'], Waiting['about'], string])[]) {
      it(`${what}, in one line of text`, () => assert.equal(secondLine(app, about), line));
    }

    it('in Spanish', () =>
      assert.equal(
        secondLine('payments', { ...bill, ...until(false) }, makeTexts('es', { timeZone: 'Europe/Madrid' })),
        'El mensaje es de Brightwater Energy. Producto: Electricidad; Importe: 128,40 US$; Válido hasta: 15:34'.replace(
          'Electricidad',
          'Electricity and gas',
        ),
      ));

    it('on the card, aloud, and in the card of a passcode', () => {
      const about = { ...bill, ...until(false) };
      const texts = (card: object) => elementsOf(card as never, 'TextRun').map((run) => plainSpaces('text' in run ? String(run.text) : ''));
      const { card, speak } = waiting({ app: 'payments', to: '+1•••0101', progress: {}, about, actions: [] }, t);
      for (const shown of ['The message comes from Brightwater Energy.', 'Electricity and gas', '$128.40', '2:34 PM'])
        assert.ok(texts(card).includes(shown), shown);
      assert.match(plainSpaces(speak), /comes from Brightwater Energy\..*Valid until: 2:34 PM/);
      const entry = enterCode({ phone: '+1•••0101', about: { sender: 'Brightwater Energy', ...until(false) }, check: act, actions: [] }, t);
      assert.ok(texts(entry.card).includes('The message comes from Brightwater Energy.'));
      assert.match(plainSpaces(entry.text), /\nThe message comes from Brightwater Energy\. Valid until: 2:34 PM\n/);
    });

    it('but not once it has ended', () => {
      const { text } = waiting(
        {
          app: 'payments',
          to: '+1•••0101',
          progress: {},
          about: { ...bill, ...until(false) },
          ended: { status: 'timeout', at: sent },
          actions: [],
        },
        t,
      );
      assert.doesNotMatch(text, /comes from|Valid until/);
    });
  });
});
