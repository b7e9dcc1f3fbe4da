// The cards that are not the same in every app: shared ones, and those of a single app.
import {
  button,
  type CardMessage,
  choices,
  documentVariables,
  enterCode,
  menu,
  notice,
  notSent,
  type OwnKind,
  outcomeCard,
  pointer,
  record,
  type SharedKind,
  type Texts,
  unresolved,
} from '../../cards/index.ts';
import { type AppId, appIds } from '../contract/index.ts';
import { actionsIn, minutes, phone, values, variables } from './sample-data.ts';

/** The forms of a card, named after what is special about each. */
type Forms = Readonly<Record<string, CardMessage>>;

const choice = (title: string, subtitle?: string, aside?: string) => ({
  action: { title, id: `act-${title}-${subtitle}` },
  ...(subtitle && { subtitle }),
  ...(aside && { aside }),
});

/** A kind without a sample does not compile. */
export const sharedSamples = (t: Texts): Readonly<Record<SharedKind, Forms>> => {
  const actions = actionsIn(t);
  const appName = (app: AppId) => ({ title: t(`apps.${app}.name`), id: `act-${app}` });
  const apps = appIds.map((app) => ({ app, action: appName(app) }));
  const person = button('person', 'act-person', t);
  return {
    menu: {
      menu: menu({ apps, person }, t),
      'menu, brief': menu({ apps, person, brief: true }, t),
      'menu, brief, of many': menu(
        {
          apps,
          flows: [choice('Settle a bill'), choice('Open an account')],
          person,
          brief: true,
          all: { title: t('cards.menu.more'), id: 'act-all' },
        },
        t,
      ),
      'menu, greeting': menu({ apps: apps.filter(({ app }) => app === 'payments'), greeting: t('conversation.welcome') }, t),
    },
    choices: {
      'choices, customers': choices(
        {
          app: 'payments',
          question: t('customer.choose', { phone }),
          choices: [choice('J••• D.', 'j•••@•••.com'), choice('J••• D.', 'm•••@•••.org')],
          actions: actions('no', 'person'),
        },
        t,
      ),
      'choices, products': choices(
        {
          app: 'payments',
          question: t('payments.choose'),
          choices: [
            choice('Annual plan', 'Twelve months, all devices', t.money(1249.5, 'EUR')),
            choice('Replacement card with a rather long name that has to wrap', 'Delivered in three days', t.money(12, 'USD')),
            choice('Donation', undefined, t.money(5, 'JPY')),
          ],
          actions: actions('cancel'),
        },
        t,
      ),
    },
    notice: {
      notice: notice({ title: t('cards.buttons.help'), text: t('cards.menu.text'), actions: actions('menu') }, t),
      'notice, title only': notice({ title: t('payments.none') }, t),
      'notice, good': notice({ app: 'e-form', title: t('cards.e-form.success.title'), tone: 'good' }, t),
    },
    record: { record: record([t('payments.choose'), t('question.chosen', { choice: t('cards.buttons.notNow') })], t) },
    pointer: {
      pointer: pointer(t('conversation.shared'), { title: t('conversation.privately'), address: 'https://chat.example.com/' }, t),
    },
    'not-sent': {
      refused: notSent({ app: 'payments', because: t('trouble.rejected') }, t),
      unknown: notSent({ app: 'payments' }, t),
    },
    'end-unknown': {
      'end unknown': unresolved({ app: 'payments', subject: 'Electricity and gas, November' }, t),
      'end of a form unknown': unresolved({ app: 'e-form' }, t),
    },
    'verified-late': { 'verified late': outcomeCard('passkeys', { status: 'success', at: 0, late: true, actions: [] }, t) },
  };
};

/** The same for kinds of a single app. */
export const ownSamples = (t: Texts): Readonly<Record<OwnKind, Forms>> => {
  const actions = actionsIn(t);
  const entry = { document: 'Rental agreement', variables, next: button('next', 'act-next', t), actions: actions('cancel') };
  const code = { phone, check: button('check', 'act-check', t), actions: actions('resend', 'cancel') };
  const passcode = {
    'enter code': enterCode(code, t),
    'enter code, wrong': enterCode({ ...code, because: 'wrong', triesLeft: 3 }, t),
    'enter code, last try': enterCode(
      { ...code, about: { sender: 'Brightwater Energy', until: { at: minutes(10), dated: false } }, because: 'wrong', triesLeft: 1 },
      t,
    ),
    'enter code, resent': enterCode({ ...code, because: 'resent', triesLeft: 5, compare: '47' }, t),
  };
  const document = {
    variables: documentVariables(entry, t),
    'variables, refused': documentVariables(
      {
        ...entry,
        values,
        faults: { full_name: 'refused', contract_start: 'year', monthlyRent: 'amount', remarks: 'contacts' },
      },
      t,
    ),
    'variables, corrected': documentVariables(
      {
        ...entry,
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
      },
      t,
    ),
  };
  return { 'one-time-passcode.enter': passcode, 'document-signature.variables': document };
};
