import assert from 'node:assert/strict';
import { hiddenFields } from '../../support/device.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import type { Reply, TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

type Paged = 'document-signature' | 'e-form' | 'passkeys' | 'payments';

onEachDatabase('what a customer answers on a page', (startTestService) => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const start = async (app: Paged = 'payments', change: object = {}) => {
    const { status, json } = await service.call('POST', `/${app}/send`, { body: { ...sendBody(app), ...change } });
    assert.equal(status, 200, JSON.stringify(json));
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, link: message?.link ?? '' };
  };
  const post = (link: string, fields: Record<string, string>) => service.open('POST', link, { body: new URLSearchParams(fields) });
  const events = async (id: string) =>
    ((await service.call('GET', `/requests/${id}`)).json.events as { type: string }[]).map(({ type }) => type);
  const result = (id: string) => service.call('GET', `/results/${id}`);

  describe('to sign a document', () => {
    const begin = async () => {
      const { requestId, link } = await start('document-signature');
      const page = (await service.open('GET', link)).text;
      return { requestId, link, page, hidden: hiddenFields(page) };
    };
    const signed = { decision: 'accept', consent: 'on', name: 'Mei Tanaka' };

    it('shows it filled in', async () => {
      const { page } = await begin();
      for (const shown of ['Direct debit mandate', 'Mei Tanaka', '$150.50', 'December 5, 2026', '0042'])
        assert.ok(page.includes(shown), shown);
    });

    const refused: [string, Record<string, string>, number][] = [
      ['nothing', { consent: '', name: '' }, 2],
      ['no name', { name: '' }, 1],
      ['a name of spaces', { name: '   ' }, 1],
      ['a name that cannot be printed', { name: '田中 \u{1F600}' }, 1],
      ['a name that is too long', { name: 'x'.repeat(121) }, 1],
      ['no consent', { consent: '' }, 1],
      ['a drawing that is none', { drawn: '<svg onload=alert(1)>' }, 1],
      ['a dot for a drawing', { drawn: '300.150_10.10' }, 1],
      ['a drawing that leaves its box', { drawn: '300.150_10.10-400.20' }, 1],
      ['a drawing that is too large', { drawn: `300.150_${'10.10-'.repeat(4500)}200.20` }, 1],
    ];
    for (const [what, fields, wrong] of refused) {
      it(`refuses ${what}, and takes the rest afterwards`, async () => {
        const { requestId, link, hidden } = await begin();
        const reply = await post(link, { ...hidden, ...signed, ...fields });
        assert.equal(reply.status, 422);
        assert.equal(reply.text.match(/class="error"/g)?.length, wrong);
        assert.equal((await result(requestId)).status, 404);
        assert.equal((await post(link, { ...hidden, ...signed })).status, 200);
        assert.equal((await result(requestId)).json.title, 'Direct debit mandate');
      });
    }

    for (const [what, shown] of [
      ['another text', 'f'.repeat(64)],
      ['no text', ''],
    ] as const) {
      it(`refuses a signature under ${what}`, async () => {
        const { requestId, link } = await begin();
        const reply = await post(link, { ...signed, shown });
        assert.equal(reply.status, 422);
        assert.match(reply.text, /was out of date/);
        assert.equal((await result(requestId)).status, 404);
      });
    }
  });

  describe('to fill in a form', () => {
    const address = {
      decision: 'accept',
      'a.street': '1 Main Street',
      'a.postalCode': '20012',
      'a.city': 'Washington',
      'a.movingDate': '2026-12-01',
      'a.home': 'flat',
    };

    it('reads the answers with their types, without unanswered questions', async () => {
      const { requestId, link } = await start('e-form');
      const more = { 'a.readingTime': '09:30', 'a.people': '2', 'a.keepContract': 'on', 'a.unknown': 'x' };
      assert.equal((await post(link, { ...address, ...more })).status, 200);
      const { data, zeroKnowledge } = (await result(requestId)).json;
      assert.equal(zeroKnowledge, false);
      assert.deepEqual(data, [
        { type: 'text', key: 'street', value: '1 Main Street' },
        { type: 'text', key: 'postalCode', value: '20012' },
        { type: 'text', key: 'city', value: 'Washington' },
        { type: 'date', key: 'movingDate', value: '2026-12-01' },
        { type: 'time', key: 'readingTime', value: '09:30' },
        { type: 'number', key: 'people', value: 2 },
        { type: 'choice', key: 'home', value: 'flat' },
        { type: 'toggle', key: 'keepContract', value: true },
      ]);
    });

    it('says which fields may be left out, and of no other', async () => {
      const { link } = await start('e-form');
      const labels = [...(await service.open('GET', link)).text.matchAll(/<label for="[^"]*">([\s\S]*?)<\/label>/g)].map(([, text = '']) =>
        text.replace(/<[^>]*>/g, '').trim(),
      );
      const said = (label: string) => labels.filter((one) => one.startsWith(label)).map((one) => /\(optional\)$/.test(one));
      assert.deepEqual([said('Street'), said('Town'), said('People')], [[false], [false], [true]], labels.join(' | '));
    });

    it('takes several choices', async () => {
      const { requestId, link } = await start('e-form', { formId: '6f1c0000-0000-4000-8000-000000000003' });
      await post(link, { decision: 'accept', 'a.rating': 'good', 'a.topics.0': 'on', 'a.topics.3': 'on', 'a.topics.9': 'on' });
      const { data } = (await result(requestId)).json;
      assert.deepEqual(data[1], { type: 'choices', key: 'topics', value: ['bill', 'other'] });
    });

    const wrong: [string, Record<string, string>][] = [
      ['a missing answer', { 'a.street': ' ' }],
      ['a text that is too long', { 'a.postalCode': 'x'.repeat(13) }],
      ['a day that does not exist', { 'a.movingDate': '2026-02-30' }],
      ['a day before the first', { 'a.movingDate': '2025-12-31' }],
      ['a time that does not exist', { 'a.readingTime': '25:00' }],
      ['a number in words', { 'a.people': 'two' }],
      ['a number that is too small', { 'a.people': '0' }],
      ['a number that is too large', { 'a.people': '21' }],
      ['a number without end', { 'a.people': '1e999' }],
      ['a choice that is none', { 'a.home': 'castle' }],
    ];
    for (const [what, change] of wrong) {
      it(`shows what is wrong with ${what}, and keeps the other answers`, async () => {
        const { requestId, link } = await start('e-form');
        const { status, text } = await post(link, { ...address, ...change });
        assert.equal(status, 422);
        assert.equal(text.match(/class="error"/g)?.length, 1);
        assert.ok(text.includes('value="Washington"'));
        assert.match(text, /role="alert"/);
        assert.equal((await result(requestId)).status, 404);
        assert.deepEqual(await events(requestId), ['task.sent', 'task.bootstrapped', 'task.started']);
      });
    }
  });

  describe('with hostile texts', () => {
    const payloads = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' autofocus onfocus='alert(1)",
      '{{name}}%{1}`',
      '&lt;b&gt;',
    ];
    let hostile: TestService;
    after(() => hostile?.close());

    it('shows them as they are written, wherever they come from', async () => {
      for (const payload of payloads) {
        const file = ownCatalogue(service.dataDir, (catalogue) => {
          catalogue.account.name = payload;
          catalogue.products[0].title = payload;
          catalogue.products[0].description = payload;
          catalogue.customers[2].name = payload;
          // Without a pattern, a blank takes nothing that looks like an address.
          catalogue.documents[0].variables[0].pattern = '.*';
          catalogue.forms[2].title = payload;
          catalogue.forms[2].body[0].label = payload;
          catalogue.forms[2].body[0].choices[0].title = payload;
        });
        await hostile?.close();
        hostile = await startTestService({ catalogueFile: file });
        const pages: Reply[] = [];
        const sends: [string, object][] = [
          ['payments', { productId: 'energy-bill-november' }],
          ['e-form', { formId: '6f1c0000-0000-4000-8000-000000000003' }],
          ['passkeys', { subject: payload, message: payload, recipients: [{ email: 'mei.tanaka@example.com', name: payload }] }],
          ['document-signature', { variables: { accountHolder: payload, accountEnding: '1', monthlyLimit: '1' } }],
        ];
        for (const [app, change] of sends) {
          const { status } = await hostile.call('POST', `/${app}/send`, { body: { ...sendBody(app as Paged), ...change } });
          assert.equal(status, 200);
          const [message] = await hostile.outbox();
          pages.push(await hostile.open('GET', message?.link ?? ''));
          pages.push(
            await hostile.open('POST', message?.link ?? '', {
              body: new URLSearchParams({ decision: 'accept', name: payload, 'a.comment': payload }),
            }),
          );
        }
        pages.push(await hostile.open('GET', '/outbox'));
        for (const { text } of pages) {
          assert.doesNotMatch(text, /<script>|<img|onfocus='|<b>(?!\d)/);
        }
      }
    });
  });
});
