import assert from 'node:assert/strict';
import { type AppId, appIds, apps } from '../../../../src/contract/index.ts';
import { assertProblem } from '../../../support/assert-problem.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';

onEachDatabase('sending', (startTestService) => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  for (const id of appIds) {
    const { path, response } = apps[id].operations.send;
    describe(`${id} send`, () => {
      it('answers what the contract says', async () => {
        const { status, json } = await service.call('POST', path, { body: sendBody(id) });
        assert.equal(status, 200, JSON.stringify(json));
        response.parse(json);
        assert.match(json.requestId, /^[0-9A-HJKMNP-TV-Z]{26}$/);
        if (id !== 'one-time-passcode') assert.ok(json.wsToken.length >= 22);
      });
      it('refuses a customer who has another number', async () => {
        const body = { ...sendBody(id), customerRef: 'cust-0110-samira' };
        assertProblem(await service.call('POST', path, { body }), 422, 'invalid_request', 'customerRef');
      });
      it('refuses a number that belongs to nobody', async () => {
        const body = { ...sendBody(id), phoneNumber: '+12025550199', ...(id !== 'one-time-passcode' && { customerRef: undefined }) };
        const at = id === 'one-time-passcode' ? 'customerRef' : 'phoneNumber';
        assertProblem(await service.call('POST', path, { body }), 422, 'invalid_request', at);
      });
      if (id === 'one-time-passcode') {
        it('needs the customer', async () => {
          const body = { ...sendBody(id), customerRef: undefined };
          assertProblem(await service.call('POST', path, { body }), 422, 'invalid_request', 'customerRef');
        });
      } else {
        it('finds the customer by a number that only one has', async () => {
          const { status, json } = await service.call('POST', path, { body: { ...sendBody(id), customerRef: undefined } });
          assert.equal(status, 200);
          assert.equal((await service.call('GET', `/requests/${json.requestId}`)).json.customerRef, 'cust-0102-mei');
        });
        it('asks which customer when several have the number', async () => {
          const body = { ...sendBody(id, '0101'), customerRef: undefined };
          assertProblem(await service.call('POST', path, { body }), 422, 'invalid_request', 'customerRef');
        });
      }
      it('refuses an unknown field and a missing session at once', async () => {
        const body: Record<string, unknown> = { ...sendBody(id), surprise: 1 };
        if (id === 'passkeys') body.subject = '';
        else delete body.sessionRef;
        const reply = await service.call('POST', path, { body });
        assertProblem(reply, 422, 'invalid_request', 'surprise');
        assertProblem(reply, 422, 'invalid_request', id === 'passkeys' ? 'subject' : 'sessionRef');
      });
    });
  }

  describe('sends in particular', () => {
    const particular: [AppId, string, object, string][] = [
      ['payments', 'an unknown product', { productId: 'nothing' }, 'productId'],
      ['e-form', 'an unknown form', { formId: '6f1c0000-0000-4000-8000-000000000099' }, 'formId'],
      ['e-form', 'a form that is no UUID', { formId: 'feedback' }, 'formId'],
      ['document-signature', 'an unknown document', { documentId: '5d0c0000-0000-4000-8000-000000000099' }, 'documentId'],
      ['document-signature', 'a missing variable', { variables: { accountHolder: 'Mei' } }, 'variables.accountEnding'],
      ['passkeys', 'no recipient', { recipients: [] }, 'recipients'],
      ['passkeys', 'a recipient with no address', { recipients: [{ email: 'nowhere', name: 'Mei' }] }, 'recipients.0.email'],
    ];
    for (const [id, what, change, at] of particular) {
      it(`refuses ${what} (${id})`, async () => {
        const body = { ...sendBody(id), ...change };
        assertProblem(await service.call('POST', apps[id].operations.send.path, { body }), 422, 'invalid_request', at);
      });
    }
    const variables = sendBody('document-signature') as unknown as { variables: Record<string, string> };
    const values: [string, Record<string, string>, string][] = [
      ['an unknown variable', { surprise: 'x' }, 'variables.surprise'],
      ['an empty required variable', { accountHolder: ' ' }, 'variables.accountHolder'],
      ['an amount with three decimals', { monthlyLimit: '1.234' }, 'variables.monthlyLimit'],
      ['a negative amount', { monthlyLimit: '-50' }, 'variables.monthlyLimit'],
      ['a day that does not exist', { firstCollection: '2026-02-30' }, 'variables.firstCollection'],
    ];
    for (const [what, change, at] of values) {
      it(`refuses ${what}`, async () => {
        const body = { ...sendBody('document-signature'), variables: { ...variables.variables, ...change } };
        assertProblem(await service.call('POST', '/document-signature/send', { body }), 422, 'invalid_request', at);
      });
    }
    const contract = {
      customerName: 'Mei Tanaka',
      installationAddress: '12 Orchard Lane',
      plan: 'Fibre 100',
      startDate: '2026-12-01',
      months: '24',
    };
    const typed: [string, Record<string, string>, string | undefined][] = [
      ['takes a choice however it is capitalised', { plan: 'FIBRE 500' }, undefined],
      ['refuses what is no choice', { plan: 'Copper' }, 'variables.plan'],
      ['takes true', { eveningVisit: 'true' }, undefined],
      ['refuses a number in words', { months: 'two' }, 'variables.months'],
      ['refuses a price of one’s own', { monthlyPrice: '0.01' }, 'variables.monthlyPrice'],
      ['refuses yes', { eveningVisit: 'yes' }, 'variables.eveningVisit'],
      ['takes an empty optional one', { eveningVisit: '' }, undefined],
      ['refuses an empty plan', { plan: '' }, 'variables.plan'],
    ];
    for (const [what, change, at] of typed) {
      it(`${what} as a variable`, async () => {
        const body = {
          ...sendBody('document-signature'),
          documentId: '5D0C0000-0000-4000-8000-000000000002',
          variables: { ...contract, ...change },
        };
        const reply = await service.call('POST', '/document-signature/send', { body });
        if (at === undefined) assert.equal(reply.status, 200, reply.text);
        else assertProblem(reply, 422, 'invalid_request', at);
      });
    }

    it('takes a passkeys send that names no caller, and finds the customer by e-mail', async () => {
      const { recipients, subject, message } = sendBody('passkeys') as unknown as Record<string, unknown>;
      const { status, json } = await service.call('POST', '/passkeys/send', { body: { recipients, subject, message } });
      assert.equal(status, 200);
      const record = (await service.call('GET', `/requests/${json.requestId}`)).json;
      assert.equal(record.customerRef, 'cust-0102-mei');
      assert.match(record.sessionRef, /^[A-Za-z0-9_@-]{8,64}$/);
    });
    it('takes a passkeys send for a customer who has none: one is set up then', async () => {
      const body = { ...sendBody('passkeys'), phoneNumber: '+12025550101', customerRef: 'cust-0101-jordan' };
      assert.equal((await service.call('POST', '/passkeys/send', { body })).status, 200);
    });

    it('refuses a passkeys send that leads to no customer', async () => {
      const body = { recipients: [{ email: 'nobody@example.com', name: 'Nobody' }], subject: 'Sign in', message: '47' };
      assertProblem(await service.call('POST', '/passkeys/send', { body }), 422, 'invalid_request', 'recipients.0.email');
    });
  });
});
