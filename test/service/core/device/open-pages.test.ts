import assert from 'node:assert/strict';
import { violationsOf } from '../../../support/accessibility.ts';
import { launchBrowser, type TestBrowser } from '../../../support/browser.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { makeTestTime } from '../../../support/test-time.ts';
import { until } from '../../../support/until.ts';

describe('a device page that stays open', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let service: TestService;
  before(async () => {
    browser = await launchBrowser();
    service = await startTestService({ limits: { resendCooldownsMs: [0] } });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const send = async (body: object = shortForm()) => {
    const { json } = await service.call('POST', `/${'productId' in body ? 'payments' : 'e-form'}/send`, { body });
    return { id: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const withdraw = (id: string) => service.call('POST', `/requests/${id}/cancel`);

  it('replaces the form with the news that its request was withdrawn, also for screen readers', async () => {
    const { id, link } = await send();
    const { page, context, complaints } = await browser.page({ locale: 'en-US', viewport: { width: 390, height: 844 } });
    await page.goto(link);
    const loads: string[] = [];
    page.on('framenavigated', (frame) => loads.push(frame.url()));
    await withdraw(id);
    const told = page.locator('[aria-live=assertive]');
    await told.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
    assert.match((await told.textContent()) ?? '', /was withdrawn/);
    assert.equal(await page.locator('form').count(), 0);
    assert.match(await page.title(), /^This link does not work any more/);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual([loads, complaints], [[], []]);
    await context.close();
  });

  it('stops asking once it knows, or while it is hidden, and asks at once when it is shown again', async () => {
    const { id, link } = await send();
    const { page, context } = await browser.page({ locale: 'en-US' });
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/state') && asked.push(request.url()));
    await page.clock.install();
    await page.goto(link);
    await until(() => asked.length === 1);
    const turn = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await page.clock.runFor(3100);
    await until(() => asked.length === 2);
    await turn('hidden');
    await page.clock.runFor(120_000);
    assert.equal(asked.length, 2);
    await withdraw(id);
    await turn('visible');
    await page.locator('[aria-live=assertive]').getByText('was withdrawn').waitFor();
    await page.clock.runFor(120_000);
    assert.equal(asked.length, 3);
    await context.close();
  });

  it('asks less and less often if the service does not answer', async () => {
    const { link } = await send();
    const { page, context } = await browser.page({ locale: 'en-US' });
    let asked = 0;
    let refused = 0;
    await page.clock.install();
    await page.route('**/state', (route) => {
      asked += 1;
      return route.abort();
    });
    const failed = () => until(() => refused === asked);
    page.on('requestfailed', () => {
      refused += 1;
    });
    await page.goto(link);
    await until(() => asked === 1);
    await failed();
    for (const seconds of [6, 12, 24, 30, 30]) {
      const before = asked;
      await page.clock.runFor(seconds * 1000 - 500);
      assert.equal(asked, before, `before ${seconds} seconds`);
      await page.clock.runFor(600);
      await until(() => asked === before + 1);
      await failed();
      // The page has heard of it, too.
      await page.evaluate(() => new Promise((resolve) => Promise.resolve().then(() => resolve(true))));
    }
    await context.close();
  });

  it('continues to the end of its own answer, whatever it asked meanwhile', async () => {
    const { link } = await send();
    const { page, context } = await browser.page({ locale: 'en-US' });
    await page.goto(link);
    await page.getByLabel('Very good').check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Your answers were sent' }).waitFor();
    await context.close();
  });

  describe('learns why it ended,', () => {
    const stateOf = async (link: string, language = 'en') =>
      (await service.open('GET', `${link}/state`, { headers: { 'accept-language': language } })).json;

    it('nothing while it can be answered', async () => {
      const { link } = await send();
      assert.deepEqual(await stateOf(link), { open: true });
    });

    it('when it was answered elsewhere, in the words of the device', async () => {
      const { link } = await send();
      await service.open('POST', link, { body: new URLSearchParams(shortAnswer) });
      assert.match((await stateOf(link)).paragraphs[0], /on another device/);
      assert.match((await stateOf(link, 'es')).paragraphs[0], /en otro dispositivo/);
    });

    it('when its message was sent again, until that one is answered too', async () => {
      const { id, link } = await send();
      assert.equal((await service.call('POST', `/requests/${id}/resend`)).status, 200);
      assert.deepEqual(await stateOf(link), {
        open: false,
        title: 'There is a newer message',
        paragraphs: ['This link belongs to an older message. Open the link in the newest one.'],
      });
      assert.equal((await service.open('GET', link)).status, 410);
      assert.equal((await service.open('POST', link, { body: new URLSearchParams(shortAnswer) })).status, 410);
      const newest = (await service.outbox())[0]?.link ?? '';
      assert.deepEqual(await stateOf(newest), { open: true });
      await service.open('POST', newest, { body: new URLSearchParams(shortAnswer) });
      assert.equal((await stateOf(link)).title, 'This is already done');
    });

    it('as its page does when it is loaded again', async () => {
      const { id, link } = await send(sendBody('payments'));
      await withdraw(id);
      const [said] = (await stateOf(link)).paragraphs;
      assert.ok((await service.open('GET', link)).text.includes(said));
    });

    it('when it has expired', async () => {
      const { clock, alarm, advance } = makeTestTime();
      const late = await startTestService({ clock, alarm });
      const settle = () => late.running.settled();
      try {
        await late.call('POST', '/e-form/send', { body: shortForm() });
        const link = (await late.outbox())[0]?.link ?? '';
        await advance(30 * 60_000 - 1, settle);
        assert.deepEqual((await late.open('GET', `${link}/state`)).json, { open: true });
        await advance(1, settle);
        assert.match((await late.open('GET', `${link}/state`)).json.paragraphs[0], /request has expired/);
      } finally {
        await late.close();
      }
    });

    it('nothing about an unknown link', async () => {
      const { json, status } = await service.open('GET', '/r/unknown-unknown-unknown/state');
      assert.equal(status, 200);
      assert.match(json.paragraphs[0], /may have been used/);
    });
  });
});
