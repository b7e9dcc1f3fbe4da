// Every card in every form, filled with realistic data.

import {
  type ButtonName,
  button,
  type CardMessage,
  choices,
  confirmCard,
  documentVariables,
  type EndingStatus,
  enterCode,
  menu,
  notice,
  notSent,
  outcomeCard,
  type RequestData,
  type Texts,
  unresolved,
  waiting,
} from '../../cards/index.ts';
import { type AppId, appIds, type Product, type ResultRecord } from '../../src/contract/index.ts';
import { resultSamples, sampleInstant } from './result-samples.ts';

export interface CardSample {
  /** Grouped by the part before the slash. */
  readonly name: string;
  readonly message: CardMessage;
}

const minutes = (count: number) => sampleInstant + count * 60_000;

const phone = '+1•••0101';
const customer = 'J••• D.';
const addressee = { customer, phone };
const email = 'j•••@•••.com';
const sentTo = (app: AppId) => (app === 'passkeys' ? email : phone);
const product: Product = { id: 'annual', title: 'Annual plan', description: 'Twelve months, all devices', price: 1249.5, currency: 'EUR' };
const variables = [
  { name: 'full_name', type: 'text', required: true },
  { name: 'contract_start', type: 'date', required: true },
  { name: 'monthlyRent', type: 'currency', required: true },
  { name: 'number-of-tenants', type: 'number', required: false },
  { name: 'pets_allowed', type: 'boolean', required: false },
  { name: 'heating', type: 'choice', required: true, choices: ['gas', 'electric', 'none'] },
  { name: 'remarks', type: 'something-new', required: false },
];
const values = { full_name: 'Jane Doe', contract_start: '2026-12-01', monthlyRent: '950.5', pets_allowed: 'false', heating: 'gas' };

const requestSamples: RequestData = {
  passkeys: { customer, email },
  'one-time-passcode': addressee,
  'document-signature': { ...addressee, document: 'Rental agreement', variables, values },
  payments: { ...addressee, product },
  'e-form': { ...addressee, form: 'Change of address' },
};

const declined = (app: AppId) => withFields(resultSamples[app]('failure'), { reason: 'declined' });

const withFields = (record: ResultRecord, fields: Record<string, unknown>) => ({ ...record, ...fields }) as ResultRecord;

/** Differences of an app's card from its plain success: other fields in the record. */
const variants: readonly { readonly app: AppId; readonly name: string; readonly result: ResultRecord }[] = [
  { app: 'passkeys', name: 'enrolled', result: withFields(resultSamples.passkeys('success'), { action: 'enrollment' }) },
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

const subjects: Partial<Record<AppId, string>> = {
  'document-signature': 'Rental agreement',
  payments: 'Annual plan',
  'e-form': 'Change of address',
};
const statuses: readonly EndingStatus[] = ['success', 'failure', 'timeout', 'cancelled'];

/** All cards in one language. */
export const cardSamples = (t: Texts): CardSample[] => {
  const actions = (...names: ButtonName[]) => names.map((name) => button(name, `act-${name}`, t));
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
        actions: status === 'success' ? actions('menu') : actions('again', 'another', 'person'),
      },
      t,
    );
  const appName = (app: AppId) => ({ title: t(`apps.${app}.name`), id: `act-${app}` });
  const choice = (title: string, subtitle?: string, aside?: string) => ({
    action: { title, id: `act-${title}-${subtitle}` },
    ...(subtitle && { subtitle }),
    ...(aside && { aside }),
  });
  const variableEntry = { document: 'Rental agreement', variables };
  const waitingActions = actions('status', 'resend', 'cancel');

  const shared: Record<string, CardMessage> = {
    menu: menu({ apps: appIds.map((app) => ({ app, action: appName(app) })), person: button('person', 'act-person', t) }, t),
    'menu, brief': menu(
      { apps: appIds.map((app) => ({ app, action: appName(app) })), person: button('person', 'act-person', t), brief: true },
      t,
    ),
    'menu, brief, of many': menu(
      {
        apps: appIds.map((app) => ({ app, action: appName(app) })),
        flows: [choice('Settle a bill'), choice('Open an account')],
        person: button('person', 'act-person', t),
        brief: true,
        all: { title: t('cards.menu.more'), id: 'act-all' },
      },
      t,
    ),
    'menu, greeting': menu({ apps: [{ app: 'payments', action: appName('payments') }], greeting: 'Welcome back.' }, t),
    'choices, customers': choices(
      {
        app: 'payments',
        question: t('cards.menu.title'),
        choices: [choice('J••• D.', 'j•••@•••.com'), choice('J••• D.', 'm•••@•••.org')],
        actions: actions('no', 'person'),
      },
      t,
    ),
    'choices, products': choices(
      {
        app: 'payments',
        question: t('cards.facts.product'),
        text: '–',
        choices: [
          choice('Annual plan', 'Twelve months, all devices', t.money(1249.5, 'EUR')),
          choice('Replacement card with a rather long name that has to wrap', 'Delivered in three days', t.money(12, 'USD')),
          choice('Donation', undefined, t.money(5, 'JPY')),
        ],
        actions: actions('cancel'),
      },
      t,
    ),
    notice: notice({ title: t('cards.buttons.help'), text: t('cards.menu.text'), actions: actions('menu') }, t),
    'notice, title only': notice({ title: t('cards.waiting.over') }, t),
    'notice, good': notice({ app: 'e-form', title: t('cards.e-form.success.title'), tone: 'good' }, t),
    refused: notSent({ app: 'payments', because: t('trouble.rejected') }, t),
    'end unknown': unresolved({ app: 'payments', subject: 'Electricity and gas, November' }, t),
    'end of a form unknown': unresolved({ app: 'e-form' }, t),
    'verified late': outcomeCard('passkeys', { status: 'success', at: 0, late: true, actions: [] }, t),
    unknown: notSent({ app: 'payments' }, t),
  };

  const code = { phone, check: button('check', 'act-check', t), actions: actions('resend', 'cancel') };
  const passcode: Record<string, CardMessage> = {
    'enter code': enterCode(code, t),
    'enter code, wrong': enterCode({ ...code, because: 'wrong', triesLeft: 3 }, t),
    'enter code, last try': enterCode(
      { ...code, about: { sender: 'Brightwater Energy', until: { at: minutes(10), dated: false } }, because: 'wrong', triesLeft: 1 },
      t,
    ),
    'enter code, resent': enterCode({ ...code, because: 'resent', triesLeft: 5 }, t),
  };
  const document: Record<string, CardMessage> = {
    variables: documentVariables({ ...variableEntry, next: button('next', 'act-next', t), actions: actions('cancel') }, t),
    'variables, refused': documentVariables(
      {
        ...variableEntry,
        values,
        faults: { full_name: 'refused', contract_start: 'year', monthlyRent: 'amount' },
        next: button('next', 'act-next', t),
        actions: actions('cancel'),
      },
      t,
    ),
    'variables, corrected': documentVariables(
      {
        ...variableEntry,
        values: { ...values, full_name: '', contract_start: 'soon', monthlyRent: 'a lot', heating: 'coal' },
        faults: {
          full_name: 'required',
          contract_start: 'date',
          monthlyRent: 'amount',
          'number-of-tenants': 'number',
          pets_allowed: 'boolean',
          heating: 'choice',
          remarks: 'length',
        },
        next: button('next', 'act-next', t),
        actions: actions('cancel'),
      },
      t,
    ),
  };

  const perApp = appIds.flatMap((app): [string, CardMessage][] => [
    [`${app}/confirm`, confirmCard(app, requestSamples[app], actions('send', 'change', 'cancel'), t)],
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
    ...statuses.flatMap((status): [string, CardMessage][] => [
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
      .map(({ name, result }): [string, CardMessage] => [`${app}/${name}`, ending(app, 'success', result)]),
  ]);

  return [
    ...Object.entries(shared).map(([name, message]) => ({ name: `shared/${name}`, message })),
    ...Object.entries(passcode).map(([name, message]) => ({ name: `one-time-passcode/${name}`, message })),
    ...Object.entries(document).map(([name, message]) => ({ name: `document-signature/${name}`, message })),
    ...perApp.map(([name, message]) => ({ name, message })),
  ];
};
