import assert from 'node:assert/strict';
import { type ServiceClient, TransportError } from '../../src/client/index.ts';
import { withRecipients } from '../../src/interactions/starting/lookup.ts';
import { makeLog } from '../../src/platform/log.ts';

const customers = [
  { id: 'cust-0001', name: 'Ana', email: 'ana@example.com' },
  { id: 'cust-0002', name: 'Mei', email: 'mei@example.com' },
];
const request = { sessionRef: 'session-0001', customerRef: 'cust-0002', subject: 's', message: 'm' };
const interaction = {
  id: 'i1',
  app: 'passkeys',
  customerRef: 'cust-0002',
  phoneNumber: '+12025550102',
  sessionRef: 'session-0001',
  request,
};

describe('the recipient of a passkeys request', () => {
  const lines: string[] = [];
  const log = makeLog('debug', { write: (line) => void lines.push(line) });
  const by = (bootstrap: () => Promise<unknown>, more: object = {}) =>
    withRecipients({ log, client: { apps: { passkeys: { bootstrap } } } as unknown as ServiceClient }, {
      ...interaction,
      ...more,
    } as never);
  const nobodyAsked = () => assert.fail('the service was asked');

  it('is the customer that was chosen, as the service knows them now', async () =>
    assert.deepEqual(await by(async () => ({ customers })), { ...request, recipients: [{ email: 'mei@example.com', name: 'Mei' }] }));

  it('is nobody if they no longer exist', async () =>
    assert.deepEqual(await by(async () => ({ customers: customers.slice(0, 1) })), { refusal: 'rejected' }));

  for (const email of [undefined, null, '', 'n/a', 'mei'])
    it(`is nobody if their address is ${JSON.stringify(email)} now`, async () =>
      assert.deepEqual(await by(async () => ({ customers: [{ ...customers[1], email }] })), { refusal: 'rejected' }));

  it('is nobody if the look-up fails, and the log says so without personal data', async () => {
    const fail = () => Promise.reject(new TransportError('passkeys.bootstrap', 'timeout', { sent: true }));
    assert.deepEqual(await by(fail), { refusal: 'unavailable' });
    assert.match(lines.at(-1) ?? '', /could not be looked up/);
    assert.doesNotMatch(lines.join(''), /Mei|2025550102/);
  });

  it('stays as it was recorded by an earlier version', async () => {
    const whole = { ...request, recipients: [{ email: 'old@example.com', name: 'Old' }] };
    assert.deepEqual(await by(nobodyAsked, { request: whole }), whole);
  });

  it('is not set for other apps', async () => {
    const own = { sessionRef: 'session-0001', customerRef: 'cust-0002', phoneNumber: '+12025550102', productId: 'p-1' };
    assert.deepEqual(await by(nobodyAsked, { app: 'payments', request: own }), own);
  });
});
