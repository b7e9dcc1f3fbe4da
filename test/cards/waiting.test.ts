import assert from 'node:assert/strict';
import { type Waiting, waiting } from '../../cards/index.ts';
import { makeTexts } from '../../dialogs/texts.ts';
import { elementsOf } from '../support/card-text.ts';
import { sampleInstant } from '../support/result-samples.ts';

const t = makeTexts('en', { timeZone: 'UTC' });
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

  it('shows the code large, and in the text', () => {
    const { card, text } = waiting({ app: 'passkeys', to: '+1•••0101', progress: {}, code: '07', actions: [] }, t);
    const run = elementsOf(card, 'TextRun').find((one) => one.text === '07');
    assert.ok(run && 'size' in run && run.size === 'ExtraLarge');
    assert.match(text, /the same number: 07$/m);
  });

  it('has neither buttons nor code once it is over', () => {
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
});
