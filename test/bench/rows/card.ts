// Cards as functions: what one costs, with its plain text, over all apps.
import { confirmCard, outcomeCard, waiting } from '../../../cards/index.ts';
import { makeTexts } from '../../../dialogs/texts.ts';
import { type AppId, appIds } from '../../../src/contract/index.ts';
import { resultSamples, sampleInstant } from '../../../src/gallery/sample-data.ts';
import { alternate, type Measure } from '../alternate.ts';
import { type Paid, plainReceipt } from '../floors/plain-card.ts';
import type { Bench } from '../line.ts';

const times = 4000;
const actions = ['Send', 'Change', 'Cancel'].map((title) => ({ title, id: `act-${title}` }));
const addressee = { customer: 'J••• D.', phone: '+1•••0101' };
const variable = { name: 'full_name', type: 'text', required: true };
const product = { title: 'Annual plan', description: 'Twelve months', price: 1249.5, currency: 'EUR' };
const requests = {
  passkeys: { customer: addressee.customer, email: 'j•••@•••.com' },
  'one-time-passcode': addressee,
  'document-signature': { ...addressee, document: 'Rental agreement', variables: [variable], values: { full_name: 'Jane Doe' } },
  payments: { ...addressee, product },
  'e-form': { ...addressee, form: 'Change of address' },
};

/** CPU time (µs) of one call. */
const timed =
  (work: (app: AppId) => object): Measure =>
  async () => {
    const before = process.cpuUsage();
    let made = 0;
    for (let time = 0; time < times; time += 1) for (const app of appIds) made += 'card' in work(app) ? 1 : 0;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / made;
  };

const t = makeTexts('en', { timeZone: 'UTC' });
const records = Object.fromEntries(appIds.map((app) => [app, resultSamples[app]('success')])) as Record<
  AppId,
  ReturnType<typeof resultSamples.payments>
>;
const cards: Readonly<Record<string, (app: AppId) => object>> = {
  'a card that confirms a request': (app) => confirmCard(app, requests[app] as never, actions, t),
  'a card that waits': (app) => waiting({ app, to: addressee.phone, progress: { sent: sampleInstant }, code: '47', actions }, t),
  'a card of a success': (app) => outcomeCard(app, { status: 'success', at: sampleInstant, result: records[app], actions }, t),
};

export const card: Bench = async ({ rounds }) => {
  const lines = [];
  const floor = timed(() => plainReceipt(records.payments as Paid));
  for (const [what, make] of Object.entries(cards)) {
    const medians = await alternate(rounds, { floor, ours: timed(make) });
    lines.push({ what: `${what}, against a plain function`, unit: 'µs CPU', ...medians, reach: { most: 5 } });
  }
  return lines;
};
