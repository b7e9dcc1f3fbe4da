// The cards that every app has, for every ending.
import { type CardMessage, confirmCard, type EndingStatus, endingStatuses, outcomeCard, type Texts, waiting } from '../../cards/index.ts';
import { type AppId, appIds, type ResultRecord } from '../contract/index.ts';
import { actionsIn, minutes, product, requestSamples, resultSamples, sentTo, subjects } from './sample-data.ts';

const declined = (app: AppId) => withFields(resultSamples[app]('failure'), { reason: 'declined' });

const withFields = (record: ResultRecord, fields: Record<string, unknown>) => ({ ...record, ...fields }) as ResultRecord;

/** Variants of an app's success card: other fields in the record. */
const variants: readonly { readonly app: AppId; readonly name: string; readonly result: ResultRecord; readonly verified?: false }[] = [
  { app: 'passkeys', name: 'enrolled', result: withFields(resultSamples.passkeys('success'), { action: 'enrollment' }), verified: false },
  { app: 'passkeys', name: 'enrolled, verified', result: withFields(resultSamples.passkeys('success'), { action: 'enrollment' }) },
  { app: 'passkeys', name: 'unknown action', result: withFields(resultSamples.passkeys('success'), { action: 'step_up' }) },
  {
    app: 'document-signature',
    name: 'without a link',
    result: withFields(resultSamples['document-signature']('success'), { url: undefined }),
  },
  { app: 'payments', name: 'unknown currency', result: withFields(resultSamples.payments('success'), { currency: 'POINTS', quantity: 3 }) },
  {
    app: 'e-form',
    name: 'zero-knowledge',
    result: withFields(resultSamples['e-form']('success'), {
      zeroKnowledge: true,
      data: [{ type: 'jwe', key: '$jwe', value: 'eyJhbGciOi' }],
    }),
  },
  {
    app: 'e-form',
    name: 'long',
    result: withFields(resultSamples['e-form']('success'), {
      data: Array.from({ length: 34 }, (_, index) => ({ type: 'text', key: `question_${index + 1}`, value: `Answer ${index + 1}` })),
    }),
  },
  {
    app: 'e-form',
    name: 'with an attachment',
    result: withFields(resultSamples['e-form']('success'), {
      data: [{ type: 'file', key: 'proof', value: 'data:image/png;base64,iVBORw0KGgo=' }],
    }),
  },
];

/** Each with its app and name: `payments/success`. */
export const appSamples = (t: Texts): [string, CardMessage][] => {
  const actions = actionsIn(t);
  const ending = (
    app: AppId,
    status: EndingStatus,
    result?: ResultRecord,
    { elsewhere = false, late = false, unmatched = false, verified = true } = {},
  ) =>
    outcomeCard(
      app,
      {
        status,
        elsewhere,
        late,
        unmatched,
        verified,
        at: minutes(4),
        ...(result && { result }),
        ...(subjects[app] && { subject: subjects[app] }),
        actions: status === 'success' ? actions('menu') : actions('again', 'menu', 'person'),
      },
      t,
    );
  const [asking = { id: '', title: '' }, ...otherwise] = actions('next', 'notNow', 'change');
  const waitingActions = actions('resend', 'cancel');
  return appIds.flatMap((app): [string, CardMessage][] => [
    [`${app}/confirm`, confirmCard(app, requestSamples[app], [{ ...asking, title: t(`cards.${app}.confirm.send`) }, ...otherwise], t)],
    [`${app}/waiting, nothing yet`, waiting({ app, to: sentTo(app), progress: {}, actions: waitingActions }, t)],
    [`${app}/waiting, sent`, waiting({ app, to: sentTo(app), progress: { sent: minutes(0) }, actions: waitingActions }, t)],
    [
      `${app}/waiting, opened`,
      waiting(
        {
          app,
          to: sentTo(app),
          progress: { sent: minutes(0), opened: minutes(1) },
          about: {
            sender: 'Brightwater Energy',
            subject: 'Annual plan',
            until: { at: minutes(30), dated: false },
            ...(app === 'payments' && { price: { amount: product.price, currency: product.currency } }),
          },
          ...(app === 'passkeys' && { code: '47' }),
          actions: waitingActions,
        },
        t,
      ),
    ],
    [`${app}/waiting, an event lost`, waiting({ app, to: sentTo(app), progress: { started: minutes(2) }, actions: waitingActions }, t)],
    ...endingStatuses.flatMap((status): [string, CardMessage][] => [
      [
        `${app}/waiting, ended in ${status}`,
        waiting(
          {
            app,
            to: sentTo(app),
            progress: { sent: minutes(0), opened: minutes(1) },
            code: '47',
            ended: { status, at: minutes(4) },
            actions: waitingActions,
          },
          t,
        ),
      ],
      ...(status === 'cancelled' ? [] : [[`${app}/${status}`, ending(app, status, resultSamples[app](status))] as [string, CardMessage]]),
      [`${app}/${status}, no result`, ending(app, status)],
    ]),
    [
      `${app}/waiting, its end unknown`,
      waiting(
        { app, to: sentTo(app), progress: { sent: minutes(0) }, ended: { status: 'unknown', at: minutes(4) }, actions: waitingActions },
        t,
      ),
    ] as [string, CardMessage],
    [`${app}/declined`, ending(app, 'failure', declined(app))] as [string, CardMessage],
    [
      `${app}/waiting, declined`,
      waiting(
        {
          app,
          to: sentTo(app),
          progress: { sent: minutes(0) },
          ended: { status: 'failure', at: minutes(4), result: declined(app) },
          actions: waitingActions,
        },
        t,
      ),
    ] as [string, CardMessage],
    [`${app}/late`, ending(app, 'timeout', undefined, { late: true })] as [string, CardMessage],
    [`${app}/unmatched`, ending(app, 'timeout', undefined, { unmatched: true })] as [string, CardMessage],
    [`${app}/cancelled elsewhere`, ending(app, 'cancelled', undefined, { elsewhere: true })] as [string, CardMessage],
    [`${app}/success, nobody verified`, ending(app, 'success', resultSamples[app]('success'), { verified: false })] as [
      string,
      CardMessage,
    ],
    ...variants
      .filter((variant) => variant.app === app)
      .map(({ name, result, verified }): [string, CardMessage] => [
        `${app}/${name}`,
        ending(app, 'success', result, verified === undefined ? {} : { verified }),
      ]),
  ]);
};
