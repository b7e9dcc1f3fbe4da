import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownCatalogue } from '../../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody, shortForm } from '../../../support/sends.ts';

const spanish = { 'accept-language': 'es-MX,es;q=0.9' };

describe("the customer's language", function () {
  this.timeout(30_000);
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const bootstrap = async (app: 'document-signature' | 'payments', headers = {}) =>
    (await service.call('POST', `/${app}/bootstrap`, { body: { phoneNumber: '+12025550102' }, headers })).json;
  const send = async (body: object, headers: Record<string, string> = {}) => {
    const app = 'productId' in body ? 'payments' : 'documentId' in body ? 'document-signature' : 'e-form';
    const { json, status } = await service.call('POST', `/${app}/send`, { body, headers });
    assert.equal(status, 200, JSON.stringify(json));
    const [message] = await service.outbox();
    return { id: json.requestId as string, text: message?.text ?? '', link: message?.link ?? '' };
  };
  const page = async (link: string, language: string) =>
    (await service.open('GET', link, { headers: { 'accept-language': language } })).text;

  for (const [header, title] of [
    ['es', 'Abono de recarga'],
    ['es-MX,en;q=0.5', 'Abono de recarga'],
    ['en', 'Charging pass'],
    ['en,es', 'Charging pass'],
    ['fr', 'Pass de recharge'],
    ['ar-EG', 'بطاقة شحن'],
    ['pt', 'Charging pass'],
    ['*', 'Charging pass'],
    [undefined, 'Charging pass'],
  ] as const) {
    it(`has products called “${title}” for ${header ?? 'a call that names none'}`, async () => {
      const { products } = await bootstrap('payments', header === undefined ? {} : { 'accept-language': header });
      assert.equal(products.find(({ id }: { id: string }) => id === 'ev-charging-pass').title, title);
    });
  }

  it('has documents called by their titles in it, and their blanks', async () => {
    const { documents } = await bootstrap('document-signature', spanish);
    assert.deepEqual(
      documents[0].variables.map(({ label }: { label: string }) => label),
      ['Titular de la cuenta', 'Últimas cuatro cifras de la cuenta', 'Límite mensual', 'Primer cobro'],
    );
    const titles = documents.map(({ title }: { title: string }) => title);
    assert.deepEqual(titles, ['Orden de domiciliación', 'Contrato de fibra', 'Consentimiento para paneles solares']);
  });

  it('is that of the message and of what is paid, where the account knows it, whatever the chat speaks', async () => {
    const { text, id } = await send(sendBody('payments', '0112'), { 'accept-language': 'en' });
    assert.match(text, /Abono de recarga/);
    assert.doesNotMatch(text, /please/);
    await service.call('POST', `/requests/${id}/cancel`);
  });

  it('is that of the chat if the account does not know it', async () => {
    assert.match((await send(sendBody('payments'), spanish)).text, /Abono de recarga/);
    assert.match((await send(sendBody('payments'), { 'accept-language': 'en' })).text, /please.*Charging pass/s);
    assert.match((await send(sendBody('payments'))).text, /please.*Charging pass/s);
  });

  it('is that of a passcode’s message, too', async () => {
    await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode'), headers: spanish });
    assert.match((await service.outbox())[0]?.text ?? '', /su código/);
  });

  it('is marked on texts that a device shows in another language', async () => {
    const { link } = await send(sendBody('payments'), spanish);
    const shown = await page(link, 'en');
    assert.match(shown, /<html lang="en"/);
    assert.match(shown, /lang="es"[^>]*><strong>Abono de recarga/);
  });

  it('is that of a document and of its filled-in values', async () => {
    const { link } = await send(sendBody('document-signature'), spanish);
    const shown = await page(link, 'en');
    assert.match(shown, /lang="es"[^>]*data-unread/);
    assert.match(shown, /Orden de domiciliación/);
    assert.match(shown, /<mark>150,50 US\$<\/mark>|<mark>150,50\s*(?:US)?\$<\/mark>|<mark>USD\s*150,50<\/mark>/);
    assert.match(shown, /<mark>5 de diciembre de 2026<\/mark>/);
  });

  it('is that of a form, with the values that the account knows', async () => {
    const { link, id } = await send(shortForm(), spanish);
    const shown = await page(link, 'es');
    for (const words of ['Su opinión', '¿Qué tal fue su último contacto con nosotros?', 'Muy bien', 'Pueden llamarme por este asunto']) {
      assert.ok(shown.includes(words), words);
    }
    await service.open('POST', link, { body: new URLSearchParams({ decision: 'accept', 'a.rating': 'very-good' }) });
    const { data } = (await service.call('GET', `/results/${id}`)).json;
    assert.equal(data.find(({ key }: { key: string }) => key === 'rating').value, 'very-good');
  });

  it('is the catalogue’s if neither names one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-language-'));
    const catalogueFile = ownCatalogue(folder, (catalogue) => {
      catalogue.language = 'es-MX';
      for (const product of catalogue.products) product.texts = {};
    });
    const other = await startTestService({ catalogueFile });
    try {
      await other.call('POST', '/payments/send', { body: sendBody('payments') });
      assert.doesNotMatch((await other.outbox())[0]?.text ?? 'please', /please/);
    } finally {
      await other.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('does not turn a repeated send with the same key into another request', async () => {
    const headers = { 'idempotency-key': 'one-in-two-languages' };
    const body = sendBody('payments');
    const first = await service.call('POST', '/payments/send', { body, headers: { ...headers, 'accept-language': 'es' } });
    const second = await service.call('POST', '/payments/send', { body, headers });
    assert.deepEqual(second.json, first.json);
  });
});
