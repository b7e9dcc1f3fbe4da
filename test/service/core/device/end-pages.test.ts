import assert from 'node:assert/strict';
import { languages } from '../../../../src/platform/text/languages.ts';
import { makeServiceTexts } from '../../../../src/service/core/texts.ts';
import { makeAuthenticator } from '../../../support/authenticator.ts';
import { openPasskeyPage } from '../../../support/passkey-page.ts';
import { type Paying, startPaying } from '../../../support/paying.ts';
import type { Reply } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';

type Paged = 'document-signature' | 'e-form' | 'passkeys' | 'payments';

describe('the page at the end of a request', () => {
  const texts = makeServiceTexts();
  let paying: Paying;
  before(async () => {
    paying = await startPaying();
  });
  after(() => paying.close());

  const send = async (app: Paged) => {
    const body = app === 'e-form' ? shortForm() : sendBody(app);
    const { json } = await paying.service.call('POST', `/${app}/send`, { body });
    return { requestId: json.requestId as string, link: (await paying.service.outbox())[0]?.link ?? '' };
  };
  const complete: Record<Paged, () => Promise<{ link: string; reply: Reply }>> = {
    'document-signature': async () => {
      const { link } = await send('document-signature');
      return { link, reply: await paying.press(link, { name: 'Mei Tanaka', consent: 'on' }) };
    },
    'e-form': async () => {
      const { link } = await send('e-form');
      return { link, reply: await paying.press(link, shortAnswer) };
    },
    passkeys: async () => {
      const { link } = await send('passkeys');
      const [page, device] = [openPasskeyPage(paying.service, link), makeAuthenticator(`http://localhost:${paying.service.running.port}`)];
      await page.enrol(device);
      return { link, reply: await page.authenticate(device) };
    },
    payments: async () => {
      const { link, requestId } = await send('payments');
      await paying.press(link);
      const { id, back } = paying.checkoutOf(requestId);
      paying.connector.pay(id);
      return { link, reply: await paying.service.open('GET', back) };
    },
  };
  const decline = async (app: Paged) => {
    const { link } = await send(app);
    return { link, reply: await paying.press(link, { decision: 'decline' }) };
  };
  /** The heading, what it was about, and what follows, as that browser reads it in a language. */
  const read = async ({ link, reply }: { link: string; reply: Reply }, language: string) => {
    const cookie = [reply.headers['set-cookie'] ?? []].flat()[0]?.split(';')[0] ?? '';
    const { status, text } = await paying.service.open('GET', link, { headers: { cookie, 'accept-language': language } });
    assert.equal(status, 200);
    const [, title, about, said] = /<h1>([^<]+)<\/h1><p class="about">([^<]+)<\/p><p>([^<]+)<\/p>/.exec(text) ?? assert.fail(text);
    return { title, about, said };
  };

  const name = 'Brightwater Energy';
  const done: [Paged, string, string][] = [
    ['payments', 'You paid €59.90', `${name} · Charging pass`],
    ['document-signature', 'You signed “Direct debit mandate”', name],
    ['e-form', 'Your answers were sent', `${name} · Feedback`],
    ['passkeys', 'You confirmed that it is you', name],
  ];
  for (const [app, title, about] of done) {
    it(`says what was done, and with whom: ${app}`, async () => {
      const end = await complete[app]();
      assert.match(end.reply.text, new RegExp(`<h1>${title}</h1>`), 'at once, too');
      assert.deepEqual(await read(end, 'en'), { title, about, said: texts('en').t('done.text') });
      const titles = await Promise.all(languages.map(async (language) => (await read(end, language)).title));
      assert.equal(new Set(titles).size, languages.length, titles.join(' | '));
    });
  }

  const not: [Paged, string, string][] = [
    ['payments', 'You have not been charged.', `${name} · Charging pass`],
    ['document-signature', 'You have not signed anything.', name],
    ['e-form', 'No answers were sent.', `${name} · Feedback`],
    ['passkeys', 'You have not confirmed that it is you.', name],
  ];
  for (const [app, said, about] of not) {
    it(`says what was not done if the customer declined: ${app}`, async () => {
      const end = await decline(app);
      assert.match(end.reply.text, new RegExp(said.replaceAll('.', '\\.')), 'at once, too');
      assert.deepEqual(await read(end, 'en'), { title: 'Declined', about, said });
      const told = await Promise.all(languages.map(async (language) => (await read(end, language)).said));
      assert.equal(new Set(told).size, languages.length, told.join(' | '));
    });
  }

  it('sends nobody back to the chat for a link while a newer message has one', async () => {
    const { link, requestId } = await send('e-form');
    await paying.advance(60_000);
    assert.equal((await paying.service.call('POST', `/requests/${requestId}/resend`)).status, 200);
    const { text } = await paying.service.open('GET', link);
    assert.match(text, /Open the link in the newest one\./);
    assert.doesNotMatch(text, /Go back to your chat/);
  });
});
