import assert from 'node:assert/strict';
import { PDF } from '@libpdf/core';
import { type Paying, startPaying } from '../../support/paying.ts';
import { readSignature } from '../../support/pdf-signature.ts';
import { statement } from '../../support/service-database.ts';

const day = 24 * 60 * 60 * 1000;

describe('the receipt of a payment', function () {
  this.timeout(60_000);
  let paying: Paying;
  before(async () => {
    paying = await startPaying();
  });
  after(() => paying.close());

  const receiptIn = (page: string) => /href="[^"]*(\/receipts\/[^"]+)"/.exec(page)?.[1];
  /** Pays, and answers what the customer comes back to. */
  const pay = async () => {
    const { requestId, link } = await paying.send();
    await paying.press(link);
    const { id, back } = paying.checkoutOf(requestId);
    paying.connector.pay(id);
    return { requestId, link, back, page: (await paying.service.open('GET', back)).text };
  };
  const download = async (path: string, language = 'en') => {
    const response = await fetch(paying.service.running.baseUrl + path, { headers: { 'accept-language': language } });
    return { status: response.status, headers: response.headers, file: Buffer.from(await response.arrayBuffer()) };
  };
  const textOf = async (file: Buffer) => {
    const pdf = await PDF.load(file);
    return pdf
      .getPages()
      .map((page) => page.extractText().text)
      .join('\n');
  };

  it('is offered on the return page, sealed, with the amount, the payer and the time', async () => {
    const { requestId, page } = await pay();
    const { status, headers, file } = await download(receiptIn(page) ?? '');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/pdf');
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="?Receipt - Charging pass\.pdf/);
    const { valid, whole } = await readSignature(file);
    assert.deepEqual({ valid, whole }, { valid: true, whole: true });
    const text = await textOf(file);
    const { transactionId } = (await paying.service.call('GET', `/results/${requestId}`)).json;
    for (const part of ['Receipt', 'Brightwater Energy', 'Mei Tanaka', 'Charging pass', '€59.90', transactionId, requestId]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.ok(!text.includes('+1202'), text);
  });

  it('is in the language of the device', async () => {
    const { page } = await pay();
    const { file } = await download(receiptIn(page) ?? '', 'es');
    assert.match(await textOf(file), /Recibo.*Pagado por.*59,90/s);
  });

  it('is for the customer alone: neither the result nor the record names its address', async () => {
    const { requestId } = await pay();
    for (const path of [`/results/${requestId}`, `/requests/${requestId}`]) {
      assert.ok(!(await paying.service.call('GET', path)).text.includes(`/receipts/${requestId}`), path);
    }
  });

  it('is available for the day that its page names, and not a moment longer', async () => {
    const { page } = await pay();
    const path = receiptIn(page) ?? '';
    await paying.advance(day - 1);
    assert.equal((await download(path)).status, 200);
    await paying.advance(1);
    assert.equal((await download(path)).status, 404);
  });

  it('is neither offered nor created without a payment', async () => {
    const { requestId, link } = await paying.send();
    await paying.press(link);
    const { back } = paying.checkoutOf(requestId);
    assert.equal(receiptIn((await paying.service.open('GET', back)).text), undefined);
    // The way back and the receipt are tickets of two kinds.
    assert.equal((await download(back.replace('/checkout/', '/receipts/'))).status, 404);
    assert.equal((await download('/receipts/x')).status, 404);
  });

  it('is gone once its customer was erased', async () => {
    const { requestId, page } = await pay();
    await statement(paying.service, "update requests set customer_ref = '' where id = ?", requestId);
    assert.equal((await download(receiptIn(page) ?? '')).status, 404);
  });
});
