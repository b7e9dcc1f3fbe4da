import assert from 'node:assert/strict';
import { type AppId, appIds, auditTrail } from '../../../../src/contract/index.ts';
import { makeLog } from '../../../../src/platform/log.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { openMailServer } from '../../../support/mail-server.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { everythingIn } from '../../../support/service-database.ts';

const returnable: readonly AppId[] = ['document-signature', 'payments', 'e-form'];

onEachDatabase('the link of a request, returned to the account', (startTestService) => {
  let service: TestService;
  const lines: string[] = [];
  const log = makeLog('debug', { write: (line) => void lines.push(line) });
  const asking = { 'return-link': 'true' };

  const send = (app: AppId, headers: Record<string, string> = asking, body: object = sendBody(app)) =>
    service.call('POST', `/${app}/send`, { body, headers });
  const actions = async (id: string) => {
    const { entries, intact } = auditTrail.parse((await service.call('GET', `/requests/${id}/audit`)).json);
    assert.ok(intact);
    return entries.map(({ actor, action }) => `${actor.replace(/:.*/, '')} ${action}`);
  };

  describe('if the operator allows it', () => {
    before(async () => {
      service = await startTestService({ log, limits: { resendCooldownsMs: [0] } });
    });
    after(() => service.close());

    for (const app of appIds) {
      const may = returnable.includes(app);
      it(`is ${may ? 'the one of the message, and the audit trail says who got it' : 'never that of a mailbox, and no code'} (${app})`, async () => {
        const { status, json } = await send(app);
        assert.equal(status, 200, JSON.stringify(json));
        const [message] = await service.outbox();
        assert.equal(json.link, may ? message?.link : undefined);
        const [accepted, next] = await actions(json.requestId);
        assert.deepEqual([accepted, next === 'account link.returned'], ['account request.accepted', may]);
        assert.deepEqual(Object.keys(json), Object.keys({ ...(await send(app, {})).json, ...(may && { link: '' }) }));
      });
    }

    for (const [what, headers] of [
      ['was not asked for', {}],
      ['was declined', { 'return-link': 'false' }],
      ['was asked for with nothing', { 'return-link': '' }],
    ] as const)
      it(`is missing if it ${what}`, async () => {
        const { json } = await send('payments', headers);
        assert.deepEqual(Object.keys(json), ['requestId', 'wsToken']);
        assert.ok(!(await actions(json.requestId)).includes('account link.returned'));
      });

    for (const value of ['yes', '1', 'TRUE', 'true, true'])
      it(`is refused with 400, and nothing is sent, if it is requested with ${value}`, async () => {
        const before = (await service.outbox()).length;
        const { status, json } = await send('payments', { 'return-link': value });
        assert.deepEqual([status, json.code], [400, 'malformed']);
        assert.equal((await service.outbox()).length, before);
      });

    it('is returned once: a repeat under the same key gives the same answer without it', async () => {
      const headers = { ...asking, 'idempotency-key': '01ARZ3NDEKTSV4RRFFQ69G5FAV' };
      const { link, ...first } = (await send('payments', headers)).json;
      assert.match(link, /\/r\/[\w-]{22,}$/);
      const before = (await service.outbox()).length;
      assert.deepEqual((await send('payments', headers)).json, first);
      assert.equal((await service.outbox()).length, before);
    });

    it('cannot be requested afterwards for a send without it', async () => {
      const key = { 'idempotency-key': '01ARZ3NDEKTSV4RRFFQ69G5FAW' };
      const first = await send('payments', key);
      assert.equal((await send('payments', { ...asking, ...key })).text, first.text);
      assert.ok(!(await actions(first.json.requestId)).includes('account link.returned'));
    });

    it('opens the page once, like the message, and is void once that is sent again', async () => {
      const { json } = await send('e-form', asking, shortForm());
      assert.equal((await service.open('GET', json.link)).status, 200);
      const again = await service.call('POST', `/requests/${json.requestId}/resend`, { headers: asking });
      assert.equal(again.status, 200);
      assert.ok(!('link' in again.json));
      assert.equal((await service.open('GET', json.link)).status, 410);

      const { json: second } = await send('e-form', asking, shortForm());
      const post = () => service.open('POST', second.link, { body: new URLSearchParams(shortAnswer) });
      assert.deepEqual([(await post()).status, (await post()).status], [200, 410]);
      assert.equal((await service.call('GET', `/results/${second.requestId}`)).json.status, 'success');
    });

    it('is in no log, and not in plain text in the database', async () => {
      const { json } = await send('payments', { ...asking, 'idempotency-key': '01ARZ3NDEKTSV4RRFFQ69G5FAX' });
      await service.outbox();
      const token = new URL(json.link).pathname.slice(3);
      assert.ok(lines.length > 20);
      assert.ok(!lines.join('').includes(token));
      assert.ok(!(await everythingIn(service)).includes(token));
    });
  });

  const operators: [string, Parameters<typeof startTestService>[0], boolean][] = [
    ['in demo mode, whose messages stay here', {}, true],
    ['in demo mode, where it was switched off', { returnsLinks: false }, false],
    ['in production', { demo: false }, false],
    ['in production, where it was switched on', { demo: false, returnsLinks: true }, true],
  ];
  for (const [what, options, allowed] of operators)
    it(`is ${allowed ? 'given' : 'not given, whoever asks,'} ${what}`, async () => {
      const delivery = { deliver: async () => ({ accepted: true as const }) };
      service = await startTestService({ ...options, ...(options?.demo === false && { delivery }) });
      try {
        const { status, json } = await send('payments');
        assert.equal(status, 200);
        assert.equal('link' in json, allowed);
        assert.equal((await actions(json.requestId)).includes('account link.returned'), allowed);
      } finally {
        await service.close();
      }
    });

  it('is not given in demo mode once messages are really sent', async () => {
    const mail = await openMailServer();
    service = await startTestService({ ways: { mail: { url: mail.url, from: 'Brightwater <no-reply@example.com>' } } });
    try {
      const { json } = await send('payments');
      assert.ok(!('link' in json));
    } finally {
      await service.close();
      await mail.close();
    }
  });
});
