import assert from 'node:assert/strict';
import { hiddenFields } from '../../../support/device.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { startPaying } from '../../../support/paying.ts';
import type { Reply, Sending, TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

const hour = 60 * 60_000;
const gone = /This link does not work any more/;

/** What a browser keeps of an answer, as it sends it back. */
const kept = ({ headers }: Reply) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; ');

onEachDatabase('a link opened again after it was answered', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  before(async () => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm });
  });
  after(() => service.close());

  const send = async (app: 'document-signature' | 'e-form') => {
    const body = app === 'e-form' ? shortForm() : sendBody(app);
    assert.equal((await service.call('POST', `/${app}/send`, { body })).status, 200);
    return (await service.outbox())[0]?.link ?? '';
  };
  const post = (link: string, fields: Record<string, string>, sending: Sending = {}) =>
    service.open('POST', link, { body: new URLSearchParams(fields), ...sending });
  const again = (link: string, cookie = '') => service.open('GET', link, { headers: { cookie } });
  const sign = async () => {
    const link = await send('document-signature');
    const { text } = await service.open('GET', link);
    const signed = await post(link, { ...hiddenFields(text), decision: 'accept', name: 'Mei Tanaka', consent: 'on' });
    assert.match(signed.text, /You signed “Direct debit mandate”/);
    return { link, signed };
  };

  it('leads the browser that signed to its document again', async () => {
    const { link, signed } = await sign();
    const { status, text } = await again(link, `other=1; ${kept(signed)}`);
    assert.equal(status, 200);
    assert.match(text, /Download the signed document/);
    const [, path = ''] = /href="[^"]*(\/documents\/[^"]+)"/.exec(text) ?? [];
    assert.equal((await service.open('GET', path)).headers['content-type'], 'application/pdf');
  });

  it('shows any other browser that it is finished, and nothing else', async () => {
    const { link } = await sign();
    const { link: other, signed: elsewhere } = await sign();
    const forged = kept(elsewhere).replace(/=.*/, `=${'0'.repeat(26)}-zzzzzz-${'A'.repeat(43)}`);
    for (const cookie of ['', kept(elsewhere), forged]) {
      const { status, text } = await again(link, cookie);
      assert.equal(status, 410);
      assert.match(text, /This is already done/);
      assert.doesNotMatch(text, /Mei|Tanaka|mandate|documents\//);
    }
    assert.equal((await again(other, forged)).status, 410);
  });

  it('answers a repeated post of a form the same way, and ends nothing twice', async () => {
    const link = await send('e-form');
    const first = await post(link, shortAnswer);
    const second = await post(link, { decision: 'decline' }, { headers: { cookie: kept(first) } });
    assert.equal(second.status, 200);
    assert.match(second.text, /<h1>Your answers were sent<\/h1>/);
  });

  it('tells the browser that declined that it was declined', async () => {
    const link = await send('e-form');
    const declined = await post(link, { decision: 'decline' });
    assert.match((await again(link, kept(declined))).text, /<h1>Declined<\/h1>/);
    assert.match((await again(link)).text, gone);
  });

  it('makes the open page of that browser reload, and tells other browsers why it ended', async () => {
    const { link, signed } = await sign();
    const state = (cookie: string) => service.open('GET', `${link}/state`, { headers: { cookie } });
    assert.deepEqual((await state(kept(signed))).json, { open: false, again: true });
    assert.match((await state('')).text, /"open":false,"title":"This is already done"/);
  });

  it('does so for a day, and not a moment longer', async () => {
    const { link, signed } = await sign();
    await time.advance(24 * hour - 1, () => service.running.settled());
    assert.equal((await again(link, kept(signed))).status, 200);
    await time.advance(1, () => service.running.settled());
    assert.equal((await again(link, kept(signed))).status, 410);
  });

  it('says below the download until when it can be had, and its address is valid until then', async () => {
    const { link, signed } = await sign();
    const end = new Date(time.clock.now() + 24 * hour).toISOString();
    const below = new RegExp(`href="[^"]*(/documents/[^"]+)"[\\s\\S]*Available until <time datetime="${end}" data-until>`);
    const [, path = ''] = below.exec(signed.text) ?? assert.fail(signed.text);
    await time.advance(hour, () => service.running.settled());
    const later = await again(link, kept(signed));
    assert.match(later.text, below, 'coming back does not put it off');
    await time.advance(23 * hour - 1, () => service.running.settled());
    assert.equal((await service.open('GET', path)).status, 200);
    assert.equal((await again(link, kept(later))).status, 200);
    await time.advance(1, () => service.running.settled());
    assert.equal((await service.open('GET', path)).status, 404);
    assert.equal((await again(link, kept(later))).status, 410);
  });

  it('recognises the browser by a cookie that no script or other site can use, and that is sent with links only', async () => {
    const { signed } = await sign();
    const [cookie = '', ...more] = [signed.headers['set-cookie'] ?? []].flat();
    assert.deepEqual(more, []);
    assert.match(cookie, /^countersign-done-[0-9A-Z]{26}=[\w-]+; Path=\/r; HttpOnly; SameSite=Lax; Max-Age=86400$/);
    const secure = await startTestService({ publicUrl: 'https://service.example' });
    try {
      await secure.call('POST', '/e-form/send', { body: shortForm() });
      const path = new URL((await secure.outbox())[0]?.link ?? '').pathname;
      const headers = { host: 'service.example' };
      const answered = await secure.open('POST', path, { body: new URLSearchParams(shortAnswer), headers });
      assert.match(
        String(answered.headers['set-cookie']),
        /^__Secure-countersign-done-\w+=[\w-]+; Path=\/r; Secure; HttpOnly; SameSite=Lax;/,
      );
    } finally {
      await secure.close();
    }
  });

  it('leads the browser that went to pay, or came back paid, to its receipt', async () => {
    const paying = await startPaying({}, startTestService);
    try {
      const { requestId, link } = await paying.send();
      const pressed = await paying.press(link);
      const { id, back } = paying.checkoutOf(requestId);
      assert.match((await paying.service.open('GET', link, { headers: { cookie: kept(pressed) } })).text, /Pay €59\.90/);
      paying.connector.pay(id);
      const returned = await paying.service.open('GET', back);
      for (const reply of [pressed, returned]) {
        const { status, text } = await paying.service.open('GET', link, { headers: { cookie: kept(reply) } });
        assert.equal(status, 200);
        assert.match(text, /Download the receipt/);
      }
      const stranger = await paying.service.open('GET', link);
      assert.equal(stranger.status, 410);
      assert.match(stranger.text, /This is already done/);
    } finally {
      await paying.close();
    }
  });
});
