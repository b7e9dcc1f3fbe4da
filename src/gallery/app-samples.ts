// The cards that every app has, for every ending.
import { type CardMessage, confirmCard, type EndingStatus, endingStatuses, outcomeCard, type Texts, waiting } from '../../cards/index.ts';
import { type AppId, appIds, type ResultRecord, type ResultStatus } from '../contract/index.ts';
import { actionsIn, minutes, product, requestSamples, resultSamples, sentTo, subjects } from './sample-data.ts';

/** A record of an app, with other fields than the sample has. */
const resultOf = (app: AppId, status: ResultStatus, fields: object) => ({ ...resultSamples[app](status), ...fields }) as ResultRecord;

const declined = (app: AppId) => resultOf(app, 'failure', { reason: 'declined' });

/** Variants of an app's success card, by name: other fields in the record. */
const variants: Partial<Record<AppId, Readonly<Record<string, { readonly fields: object; readonly verified?: false }>>>> = {
  passkeys: {
    enrolled: { fields: { action: 'enrollment' }, verified: false },
    'enrolled, verified': { fields: { action: 'enrollment' } },
    'unknown action': { fields: { action: 'step_up' } },
  },
  'document-signature': { 'without a link': { fields: { url: undefined } } },
  payments: { 'unknown currency': { fields: { currency: 'POINTS', quantity: 3 } } },
  'e-form': {
    'zero-knowledge': { fields: { zeroKnowledge: true, data: [{ type: 'jwe', key: '$jwe', value: 'eyJhbGciOi' }] } },
    long: {
      fields: {
        data: Array.from({ length: 34 }, (_, index) => ({ type: 'text', key: `question_${index + 1}`, value: `Answer ${index + 1}` })),
      },
    },
    'with an attachment': { fields: { data: [{ type: 'file', key: 'proof', value: 'data:image/png;base64,iVBORw0KGgo=' }] } },
  },
};

/** Each with its app and name: `payments/success`. */
export const appSamples = (t: Texts): [string, CardMessage][] =>
  appIds.flatMap((app) => [...samplesOf(app, t)].map(([name, card]): [string, CardMessage] => [`${app}/${name}`, card]));

const samplesOf = (app: AppId, t: Texts): ReadonlyMap<string, CardMessage> => {
  const actions = actionsIn(t);
  const ending = (
    status: EndingStatus,
    result?: ResultRecord,
    { elsewhere = false, late = false, unmatched = false, verified = true } = {},
  ) =>
    outcomeCard(
      app,
      {
        ...{ status, elsewhere, late, unmatched, verified, at: minutes(4) },
        ...(result && { result }),
        ...(subjects[app] && { subject: subjects[app] }),
        actions: status === 'success' ? actions('menu') : actions('again', 'menu', 'person'),
      },
      t,
    );
  type WaitingRequest = Parameters<typeof waiting>[0];
  const open = (progress: WaitingRequest['progress'], more: Partial<WaitingRequest> = {}) =>
    waiting({ app, to: sentTo(app), progress, actions: actions('resend', 'cancel'), ...more }, t);
  const sent = { sent: minutes(0) };
  const opened = { ...sent, opened: minutes(1) };
  const [asking = { id: '', title: '' }, ...otherwise] = actions('next', 'notNow', 'change');
  const about = {
    sender: 'Brightwater Energy',
    subject: 'Annual plan',
    until: { at: minutes(30), dated: false },
    ...(app === 'payments' && { price: { amount: product.price, currency: product.currency } }),
  };

  const samples = new Map([
    ['confirm', confirmCard(app, requestSamples[app], [{ ...asking, title: t(`cards.${app}.confirm.send`) }, ...otherwise], t)],
    ['waiting, nothing yet', open({})],
    ['waiting, sent', open(sent)],
    ['waiting, opened', open(opened, { about, ...(app === 'passkeys' && { code: '47' }) })],
    ['waiting, an event lost', open({ started: minutes(2) })],
  ]);
  for (const status of endingStatuses) {
    samples.set(`waiting, ended in ${status}`, open(opened, { code: '47', ended: { status, at: minutes(4) } }));
    if (status !== 'cancelled') samples.set(status, ending(status, resultSamples[app](status)));
    samples.set(`${status}, no result`, ending(status));
  }
  samples.set('waiting, its end unknown', open(sent, { ended: { status: 'unknown', at: minutes(4) } }));
  samples.set('declined', ending('failure', declined(app)));
  samples.set('waiting, declined', open(sent, { ended: { status: 'failure', at: minutes(4), result: declined(app) } }));
  samples.set('late', ending('timeout', undefined, { late: true }));
  samples.set('unmatched', ending('timeout', undefined, { unmatched: true }));
  samples.set('cancelled elsewhere', ending('cancelled', undefined, { elsewhere: true }));
  samples.set('success, nobody verified', ending('success', resultSamples[app]('success'), { verified: false }));
  for (const [name, { fields, verified = true }] of Object.entries(variants[app] ?? {}))
    samples.set(name, ending('success', resultOf(app, 'success', fields), { verified }));
  return samples;
};
