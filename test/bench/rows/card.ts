// Cards as functions: what one costs, with its plain text, over all apps.
import { confirmCard, outcomeCard, waiting } from '../../../cards/index.ts';
import { makeTexts } from '../../../dialogs/language/texts.ts';
import { type AppId, appIds } from '../../../src/contract/index.ts';
import { resultSamples, sampleInstant } from '../../../src/gallery/sample-data.ts';
import { alternate, type Measure } from '../alternate.ts';
import { type Paid, plainReceipt } from '../floors/plain-card.ts';
import type { Bench } from '../line.ts';

const times = 4000;
const actions = ['Send', 'Change', 'Cancel'].map((title) => ({ title, id: `act-${title}` }));
const minute = 60_000;

/** What differs from customer to customer. */
const customers = Array.from({ length: 997 }, (_, index) => {
  const addressee = { customer: `J••• ${String.fromCharCode(65 + (index % 26))}.`, phone: `+1•••${1000 + index}` };
  const variable = { name: 'full_name', type: 'text', required: true };
  const product = { title: `Plan ${index}`, description: 'Twelve months', price: 49.5 + index, currency: 'EUR' };
  const records = Object.fromEntries(
    appIds.map((app) => [
      app,
      { ...resultSamples[app]('success'), timestamp: new Date(sampleInstant + (index % 60) * minute).toISOString() },
    ]),
  ) as Record<AppId, ReturnType<typeof resultSamples.payments>>;
  return {
    phone: addressee.phone,
    sent: sampleInstant + (index % 60) * minute,
    code: String(10 + (index % 90)),
    records,
    requests: {
      passkeys: { customer: addressee.customer, email: `j•••@•••${index}.com` },
      'one-time-passcode': addressee,
      'document-signature': {
        ...addressee,
        document: `Agreement ${index}`,
        variables: [variable],
        values: { full_name: `Jane Doe ${index}` },
      },
      payments: { ...addressee, product },
      'e-form': { ...addressee, form: `Change of address ${index}` },
    },
  };
});
type Customer = (typeof customers)[number];

/** CPU time (µs) of one call. */
const timed =
  (work: (app: AppId, customer: Customer) => object): Measure =>
  async () => {
    const before = process.cpuUsage();
    let made = 0;
    for (let time = 0; time < times; time += 1) {
      const customer = customers[time % customers.length] as Customer;
      for (const app of appIds) made += 'card' in work(app, customer) ? 1 : 0;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / made;
  };

const t = makeTexts('en', { timeZone: 'UTC' });
const cards: Readonly<Record<string, (app: AppId, customer: Customer) => object>> = {
  'a card that confirms a request': (app, { requests }) => confirmCard(app, requests[app] as never, actions, t),
  'a card that waits': (app, { phone, sent, code }) => waiting({ app, to: phone, progress: { sent }, code, actions }, t),
  'a card of a success': (app, { records, sent }) => outcomeCard(app, { status: 'success', at: sent, result: records[app], actions }, t),
};

export const card: Bench = async ({ rounds }) => {
  const lines = [];
  const floor = timed((_app, { records }) => plainReceipt(records.payments as Paid));
  for (const [what, make] of Object.entries(cards)) {
    // A bot in use has made each kind of card often enough for its code to be optimised.
    for (let time = 0; time < 5; time += 1) await timed(make)();
    const medians = await alternate(rounds, { floor, ours: timed(make) });
    lines.push({ what: `${what}, against a plain function`, unit: 'µs CPU', ...medians, reach: { most: 25 } });
  }
  return lines;
};
