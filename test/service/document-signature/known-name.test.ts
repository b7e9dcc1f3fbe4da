import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canBeOne } from '../../../src/service/document-signature/known-name.ts';
import { hiddenFields } from '../../support/device.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

describe('two names', () => {
  for (const [one, other, agree] of [
    ['Mei Tanaka', 'Mei Tanaka', true],
    ['mei tanaka', 'MEI TANAKA', true],
    ['Tanaka, Mei', 'Mei Tanaka', true],
    ['Ines Duarte', 'Inês Duarte', true],
    ['Ine\u0302s Duarte', 'Inês Duarte', true],
    ['Mei', 'Mei Tanaka', true],
    ['M. Tanaka', 'Mei Tanaka', true],
    ['Mei T.', 'Mei Tanaka', true],
    ['Mei Sakura Tanaka', 'Mei Tanaka', true],
    ['M. S. Tanaka', 'Mei Tanaka', true],
    ['S. Tanaka', 'Mei Tanaka', false],
    ['Mai Tanaka', 'Mei Tanaka', false],
    ['Mei Tanakas', 'Mei Tanaka', false],
    ['Jordan Collins', 'Avery Collins', false],
    ['Mei Mei', 'Mei Tanaka', false],
    ['Марта Иванова', 'Марта Иванова', true],
    ['Марта Иванова', 'Анна Иванова', false],
    ['—', 'Mei Tanaka', true],
  ] as const) {
    for (const [left, right] of [
      [one, other],
      [other, one],
    ] as const)
      it(`“${left}” and “${right}” ${agree ? 'can' : 'cannot'} be one person’s`, () => assert.equal(canBeOne(left, right), agree));
  }
});

describe('the known name of a signer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-names-'));
  const optional = '5d0c0000-0000-4000-8000-000000000003';
  const contract = '5d0c0000-0000-4000-8000-000000000002';
  let service: TestService;
  before(async () => {
    const catalogueFile = ownCatalogue(folder, ({ documents }) => {
      const owner = documents[2].variables[0];
      Object.assign(owner, { prefill: 'customer.name', required: false });
    });
    service = await startTestService({ catalogueFile });
  });
  after(async () => {
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  const details = { installationAddress: '12 Orchard Lane', plan: 'Fibre 500', startDate: '2026-12-05', months: '12' };
  const start = async (change: object = {}) => {
    const { status, json } = await service.call('POST', '/document-signature/send', {
      body: { ...sendBody('document-signature'), ...change },
    });
    assert.equal(status, 200, JSON.stringify(json));
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const signs = async (link: string, fields: Record<string, string>, page?: string) => {
    const hidden = hiddenFields(page ?? (await service.open('GET', link)).text);
    return service.open('POST', link, { body: new URLSearchParams({ ...hidden, decision: 'accept', consent: 'on', ...fields }) });
  };
  const lastFacts = async (requestId: string) => (await service.call('GET', `/requests/${requestId}/audit`)).json.entries.at(-1).detail;

  it('takes another name only after a warning that names both, and keeps what else was entered', async () => {
    const { requestId, link } = await start();
    const drawn = '320.170_20.30-60.70-90.20';
    const warned = await signs(link, { name: 'Jordan Collins', drawn });
    assert.equal(warned.status, 422);
    assert.match(warned.text, /You signed as “Jordan Collins”, but this request is for “Mei Tanaka”/);
    assert.match(warned.text, new RegExp(`value="Jordan Collins"[\\s\\S]*value="${drawn}"`));
    assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404);
    assert.equal((await signs(link, { name: 'Jordan Collins' }, warned.text)).status, 200);
    assert.equal((await service.call('GET', `/results/${requestId}`)).json.status, 'success');
    const facts = await lastFacts(requestId);
    assert.equal(facts.otherName, 'signature');
    assert.doesNotMatch(JSON.stringify(facts), /Jordan|Mei/);
  });

  it('warns again of a third name', async () => {
    const { link } = await start();
    const { text } = await signs(link, { name: 'Jordan Collins' });
    const again = await signs(link, { name: 'Avery Collins' }, text);
    assert.equal(again.status, 422);
    assert.match(again.text, /You signed as “Avery Collins”/);
  });

  it('does not warn if the name is theirs, however it is written', async () => {
    const { requestId, link } = await start();
    const { status, text } = await service.open('GET', link);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /in the name of|name="warned"/);
    assert.equal((await signs(link, { name: 'TANAKA, mei' })).status, 200);
    assert.equal((await lastFacts(requestId)).otherName, undefined);
  });

  it('causes no warning for a test number that signs automatically', async () => {
    const { json } = await service.call('POST', '/document-signature/send', { body: sendBody('document-signature', '0110') });
    assert.ok(json.requestId);
  });

  it('fills its variable if a send leaves that out', async () => {
    for (const [documentId, variables] of [
      [contract, details],
      [contract, { ...details, customerName: ' ' }],
      [optional, { visitDate: '2026-12-05', panels: '4' }],
    ] as const) {
      const { link } = await start({ documentId, variables });
      const { text } = await service.open('GET', link);
      assert.match(text, /(?<!<mark>)Mei Tanaka/);
      assert.doesNotMatch(text, /in the name of/);
    }
  });

  it('is overridden by the name in a send; the page warns from the start if they differ', async () => {
    const { requestId, link } = await start({ documentId: contract, variables: { ...details, customerName: 'Jordan Collins' } });
    const { text } = await service.open('GET', link);
    assert.match(text, /<mark>Jordan Collins<\/mark>/);
    assert.match(text, /role="note">This document is in the name of “Jordan Collins”, but we know you as “Mei Tanaka”/);
    const warned = await signs(link, { name: 'Mei Tanaka' });
    assert.match(warned.text, /You signed as “Mei Tanaka”, but this request is for “Jordan Collins”/);
    assert.equal((await signs(link, { name: 'Mei Tanaka' }, warned.text)).status, 200);
    assert.equal((await lastFacts(requestId)).otherName, 'document, signature');
  });

  it('is optional in a send, as the bootstrap shows', async () => {
    const { json } = await service.call('GET', '/document-signature/bootstrap?phoneNumber=%2B12025550102');
    const blank = (id: string, name: string) =>
      json.documents.find((one: { id: string }) => one.id === id).variables.find((one: { name: string }) => one.name === name);
    assert.deepEqual(blank(contract, 'customerName'), {
      name: 'customerName',
      label: 'Name',
      type: 'text',
      required: false,
      maxLength: 80,
      prefill: 'customer.name',
    });
    assert.deepEqual(blank(contract, 'months'), { name: 'months', label: 'Months', type: 'number', required: true });
  });
});
