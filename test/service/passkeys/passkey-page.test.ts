import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violationsOf } from '../../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../../support/browser.ts';
import { declineOn } from '../../support/decline.ts';
import { newestCode } from '../../support/passkey-page.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { type Ending, sendBody } from '../../support/sends.ts';
import { startServiceProxy } from '../../support/service-proxy.ts';
import { until } from '../../support/until.ts';
import { type VirtualAuthenticator, withAuthenticator } from '../../support/virtual-authenticator.ts';

const confirmed = 'You confirmed that it is you';
const phone = { viewport: { width: 390, height: 844 }, locale: 'en-US', isMobile: true, hasTouch: true };

interface Device {
  readonly page: Page;
  readonly authenticator: VirtualAuthenticator;
}

describe('the passkeys page on a phone', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let service: TestService;
  const open: { close(): Promise<void>; complaints: string[] }[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    service = await startTestService({ limits: { resendCooldownsMs: [0] } });
  });
  afterEach(async () => {
    for (const { close, complaints } of open.splice(0)) {
      await close();
      assert.deepEqual(complaints, []);
    }
    await service.close();
  });

  const takeUp = async (options: BrowserContextOptions = {}): Promise<Device> => {
    const { page, context, complaints } = await browser.page({ ...phone, ...options });
    open.push({ close: () => context.close(), complaints });
    return { page, authenticator: await withAuthenticator(page) };
  };
  const send = async (ending: Ending = '0102') => {
    const { json } = await service.call('POST', '/passkeys/send', { body: sendBody('passkeys', ending) });
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const proveHere = async (page: Page) => {
    await press(page, 'Send me a code');
    await heading(page, 'Enter your code');
    await page.getByLabel('Six-digit code').fill(await newestCode(service));
    await press(page, 'Check the code');
    await heading(page, 'Create your passkey');
  };
  const enrol = async ({ page }: Device, ending: Ending = '0102') => {
    const { requestId, link } = await send(ending);
    await page.goto(link);
    await proveHere(page);
    await press(page, 'Create a passkey');
    await heading(page, 'Your passkey is ready');
    await press(page, 'Use my passkey');
    await heading(page, confirmed);
    return requestId;
  };
  const result = async (id: string) => (await service.call('GET', `/results/${id}`)).json;
  const events = async (id: string) =>
    ((await service.call('GET', `/requests/${id}`)).json.events as { type: string }[]).map(({ type }) => type);
  const gaveUp = async (id: string) => (await events(id)).filter((type) => type === 'webauthn.timeout_or_cancelled').length;

  it('creates a passkey after a code to the phone, has the customer confirm with it, and the next time too', async () => {
    const device = await takeUp();
    const first = await enrol(device);
    assert.equal((await result(first)).action, 'authentication');
    assert.equal((await device.authenticator.credentials()).length, 1);

    const { requestId, link } = await send();
    await device.page.goto(link);
    await press(device.page, 'Use my passkey');
    await heading(device.page, confirmed);
    assert.equal((await result(requestId)).action, 'authentication');
    assert.deepEqual(await events(requestId), ['task.sent', 'task.bootstrapped', 'task.started', 'biometrics.consent', 'task.succeeded']);
  });

  it('can be used with the keyboard alone', async () => {
    const device = await takeUp({ isMobile: false, hasTouch: false });
    await enrol(device);
    const { requestId, link } = await send();
    await device.page.goto(link);
    await device.page.keyboard.press('Tab');
    await device.page.keyboard.press('Enter');
    await heading(device.page, confirmed);
    assert.equal((await result(requestId)).status, 'success');
  });

  it('lets the customer stop, reports it, and lets them try again', async () => {
    const device = await takeUp();
    await enrol(device);
    await device.authenticator.answers(false);
    const { requestId, link } = await send();
    await device.page.goto(link);
    await press(device.page, 'Use my passkey');
    await device.page.getByText('Your device is asking you now.').waitFor();
    await shoot(device.page, 'passkeys-waiting');
    await press(device.page, 'Stop');
    await device.page.getByText('That was cancelled, took too long').waitFor();
    await shoot(device.page, 'passkeys-stopped');
    assert.equal(await gaveUp(requestId), 1);
    await device.authenticator.answers(true);
    await press(device.page, 'Use my passkey');
    await heading(device.page, confirmed);
    assert.equal((await result(requestId)).status, 'success');
  });

  it('does the same after a timeout', async () => {
    await service.close();
    service = await startTestService({ limits: { passkeys: { ceremonyMs: 1500, ceremonies: 10, proofMs: 600_000 } } });
    const device = await takeUp();
    await enrol(device);
    await device.authenticator.answers(false);
    const { requestId, link } = await send();
    await device.page.goto(link);
    await press(device.page, 'Use my passkey');
    await device.page.getByText('That was cancelled, took too long').waitFor();
    await until(async () => (await gaveUp(requestId)) === 1);
    assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404, 'the request goes on');
  });

  it('does the same on a device without a passkey, and creates one there', async () => {
    await enrol(await takeUp());
    const another = await takeUp();
    const { requestId, link } = await send();
    await another.page.goto(link);
    await press(another.page, 'Use my passkey');
    await another.page.getByText('you have no passkey here').waitFor();
    assert.equal(await gaveUp(requestId), 1);
    await press(another.page, 'I have no passkey on this device');
    await another.page.getByRole('button', { name: 'Use a passkey from another device' }).waitFor();
    await shoot(another.page, 'passkeys-another-device');
    await proveHere(another.page);
    await press(another.page, 'Create a passkey');
    await press(another.page, 'Use my passkey');
    await heading(another.page, confirmed);
    assert.equal((await result(requestId)).action, 'authentication');
  });

  it('refuses the passkey of another customer', async () => {
    const device = await takeUp();
    await enrol(await takeUp(), '0102');
    await enrol(device, '0101');
    const { requestId, link } = await send('0102');
    await device.page.goto(link);
    await press(device.page, 'Use my passkey');
    await device.page.getByText('belongs to somebody else').waitFor();
    await shoot(device.page, 'passkeys-stranger');
    assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404);
  });

  it('fails for good if a passkey turns out to exist twice', async () => {
    const [device, copy] = [await takeUp(), await takeUp()];
    await enrol(device);
    const [credential] = await device.authenticator.credentials();
    assert.ok(credential);
    await copy.authenticator.add(credential);
    const first = await send();
    await device.page.goto(first.link);
    await press(device.page, 'Use my passkey');
    await heading(device.page, confirmed);
    const second = await send();
    await copy.page.goto(second.link);
    await press(copy.page, 'Use my passkey');
    await heading(copy.page, 'Not confirmed');
    await shoot(copy.page, 'passkeys-cloned');
    assert.equal((await result(second.requestId)).status, 'failure');
    const third = await send();
    await device.page.goto(third.link);
    await heading(device.page, 'Set up a passkey');
  });

  it('refuses an answer made for another origin', async () => {
    const device = await takeUp();
    await enrol(device);
    const proxy = await startServiceProxy(service.running.port);
    try {
      const { requestId, link } = await send();
      const elsewhere = new URL(link);
      elsewhere.port = new URL(proxy.baseUrl).port;
      await device.page.goto(elsewhere.href);
      await press(device.page, 'Use my passkey');
      await device.page.getByText('could not be verified').waitFor();
      assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404);
      // Under another name the browser itself refuses.
      elsewhere.hostname = '127.0.0.1';
      await device.page.goto(elsewhere.href);
      await press(device.page, 'Use my passkey');
      await device.page.getByText('Passkeys cannot be used here').waitFor();
    } finally {
      await proxy.close();
    }
  });

  it('says so if the device already has a passkey', async () => {
    const device = await takeUp();
    await enrol(device);
    const { link } = await send();
    await device.page.goto(link);
    await press(device.page, 'I have no passkey on this device');
    await proveHere(device.page);
    await press(device.page, 'Create a passkey');
    await device.page.getByText('You already have a passkey on this device').waitFor();
    await press(device.page, 'Back');
    await press(device.page, 'Use my passkey');
    await heading(device.page, confirmed);
  });

  it('says so in a browser that has no passkeys', async () => {
    await enrol(await takeUp());
    const { page } = await takeUp();
    await page.addInitScript(() => {
      // biome-ignore lint/suspicious/noExplicitAny: a browser's own global is taken away
      (window as any).PublicKeyCredential = undefined;
    });
    await page.goto((await send()).link);
    await press(page, 'Use my passkey');
    await page.getByText('Passkeys cannot be used here').waitFor();
  });

  it('says what it needs if scripts are off, and can still be declined', async () => {
    await enrol(await takeUp());
    const { requestId, link } = await send();
    const { page, context, complaints } = await browser.page({ ...phone, javaScriptEnabled: false });
    open.push({ close: () => context.close(), complaints });
    await page.goto(link);
    // The browser under test shows no noscript when scripts are switched off from outside.
    assert.match(await page.content(), /<noscript><p class="error">A passkey needs JavaScript/);
    assert.equal(await page.getByRole('button', { name: 'Use my passkey' }).isDisabled(), true);
    await declineOn(page);
    await heading(page, 'Declined');
    assert.equal((await result(requestId)).status, 'failure');
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no serious accessibility fault at any step (${colorScheme})`, async () => {
      const { page } = await takeUp({ colorScheme });
      const look = async (name: string) => {
        assert.deepEqual(await violationsOf(page), [], name);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name} is too wide`);
        await shoot(page, `passkeys-${name}-${colorScheme}`);
      };
      await page.goto((await send()).link);
      await look('set-up');
      await press(page, 'Send me a code');
      await heading(page, 'Enter your code');
      await look('code');
      const field = page.getByLabel('Six-digit code');
      assert.deepEqual([await field.getAttribute('autocomplete'), await field.getAttribute('inputmode')], ['one-time-code', 'numeric']);
      await field.fill('12');
      await press(page, 'Check the code');
      await page.getByRole('alert').waitFor();
      await look('wrong-code');
      await field.fill(await newestCode(service));
      await press(page, 'Check the code');
      await heading(page, 'Create your passkey');
      await look('make');
      await press(page, 'Create a passkey');
      await heading(page, 'Your passkey is ready');
      await look('ready');
      await press(page, 'Use my passkey');
      await heading(page, confirmed);
      await look('done');
      await page.goto((await send()).link);
      await look('sign-in');
    });
  }

  it('weighs less than 60 KB', async () => {
    const { page } = await takeUp();
    const session = await page.context().newCDPSession(page);
    let bytes = 0;
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto((await send()).link, { waitUntil: 'networkidle' });
    assert.ok(bytes > 3000 && bytes < 60_000, `${bytes} bytes`);
  });
});
