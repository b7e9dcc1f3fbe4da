import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsOf } from '../../../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser, type TestPage } from '../../../support/browser.ts';
import { declineOn } from '../../../support/decline.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { until } from '../../../support/until.ts';

const phone = { viewport: { width: 390, height: 844 }, locale: 'en-US', isMobile: true, hasTouch: true };
const forms = { address: '6f1c0000-0000-4000-8000-000000000001', sealed: '6f1c0000-0000-4000-8000-000000000002' };
const offline = 'You are offline. Nothing was sent, and everything you entered is kept.';
const unreachable = 'We cannot be reached right now. Nothing was sent. Please try again in a moment.';

describe('a customer’s input on a device page', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let service: TestService;
  let opened: TestPage;
  before(async () => {
    browser = await launchBrowser();
    service = await startTestService();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    await opened.context.close();
    assert.deepEqual(opened.complaints, []);
  });

  const send = async (app: 'document-signature' | 'e-form' | 'passkeys', change: object = {}) => {
    const { json } = await service.call('POST', `/${app}/send`, { body: { ...sendBody(app), ...change } });
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const visit = async (link: string) => {
    opened = await browser.page(phone);
    await opened.page.goto(link);
    return opened.page;
  };
  const card = (page: Page) => page.locator('.ac-adaptiveCard').waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage }));
  /** A page forgets as its script runs, which may be after its heading is there. */
  const forgotten = (page: Page) => until(async () => !/Progress/.test(await kept(page)), 'the draft to be gone');
  const status = async (id: string) => (await service.call('GET', `/results/${id}`)).status;

  const fillAddress = async (page: Page) => {
    await card(page);
    await page.getByLabel('Street and number').fill('5 Progress Street');
    await page.getByLabel('Moving date').fill('2026-12-01');
  };
  const showsAddress = async (page: Page) => {
    await card(page);
    assert.equal(await page.getByLabel('Street and number').inputValue(), '5 Progress Street');
    assert.equal(await page.getByLabel('Moving date').inputValue(), '2026-12-01');
  };

  it('is there again after a reload and after the way back, in a form of every kind', async () => {
    for (const formId of [forms.address, forms.sealed]) {
      const page = await visit((await send('e-form', { formId })).link);
      await card(page);
      const controls = page.locator('.ac-adaptiveCard').locator('input, select, textarea');
      for (const control of await controls.all()) {
        const type = await control.evaluate((one: HTMLInputElement) => (one.tagName === 'SELECT' ? 'select' : one.type));
        if (type === 'checkbox' || type === 'radio') await control.check();
        else if (type === 'select') await control.selectOption({ index: 1 });
        else if (type === 'date') await control.fill('2026-12-01');
        else if (type === 'time') await control.fill('10:30');
        else if (type === 'number') await control.fill('3');
        else await control.fill('a b@c');
      }
      const values = () =>
        controls.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value + String((one as HTMLInputElement).checked)));
      const before = await values();
      assert.ok(before.length > 2);
      await page.reload();
      await card(page);
      assert.deepEqual(await values(), before);
      await page.goto('about:blank');
      await page.goBack();
      await card(page);
      assert.deepEqual(await values(), before);
      if (formId === forms.address) await opened.context.close();
    }
  });

  it('includes the name and drawing of a signature, but never the consent', async () => {
    const page = await visit((await send('document-signature')).link);
    await page.getByLabel('Your full name').fill('Mei Tanaka');
    const box = (await page.locator('#pad').boundingBox()) ?? assert.fail();
    await page.locator('#pad').scrollIntoViewIfNeeded();
    const at = (await page.locator('#pad').boundingBox()) ?? box;
    await page.mouse.move(at.x + 30, at.y + 60);
    await page.mouse.down();
    for (let step = 0; step < 20; step += 1) await page.mouse.move(at.x + 30 + step * 8, at.y + 60 + 20 * Math.sin(step));
    await page.mouse.up();
    await page.getByLabel('I have read this document').check();
    const drawn = await page.locator('input[name=drawn]').inputValue();
    assert.ok(drawn.length > 20);
    await page.reload();
    assert.equal(await page.getByLabel('Your full name').inputValue(), 'Mei Tanaka');
    assert.equal(await page.locator('input[name=drawn]').inputValue(), drawn);
    assert.equal(await page.getByLabel('I have read this document').isChecked(), false);
  });

  it('is kept for this tab and request only, until the request ends', async () => {
    const { requestId, link } = await send('e-form', { formId: forms.address });
    const page = await visit(link);
    await fillAddress(page);
    assert.match(await kept(page), /5 Progress Street/);
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage })), /Progress/);
    const other = await opened.context.newPage();
    await other.goto(link);
    await card(other);
    assert.equal(await other.getByLabel('Street and number').inputValue(), '');
    await other.close();
    await page.goto((await send('e-form', { formId: forms.address })).link);
    await card(page);
    assert.equal(await page.getByLabel('Street and number').inputValue(), '');
    await page.goto(link);
    await showsAddress(page);
    await declineOn(page);
    await heading(page, 'Declined');
    await forgotten(page);
    assert.equal(await status(requestId), 200);
  });

  it('goes when the request ends elsewhere while its page is open', async () => {
    const { requestId, link } = await send('e-form', { formId: forms.address });
    const page = await visit(link);
    await fillAddress(page);
    await service.call('POST', `/requests/${requestId}/cancel`);
    await heading(page, 'This link does not work any more');
    await forgotten(page);
  });

  it('never includes a code', async () => {
    const page = await visit((await send('passkeys')).link);
    await press(page, 'Send me a code');
    await page.getByLabel('Six-digit code').fill('135790');
    assert.doesNotMatch(await kept(page), /135790/);
    await page.reload();
    assert.doesNotMatch(await page.content(), /135790/);
  });

  it('stays if it is sent offline, with a message beside the button, and can be sent again', async () => {
    const { requestId, link } = await send('e-form', { formId: forms.address });
    const page = await visit(link);
    await fillAddress(page);
    await page.getByLabel('Postal code').fill('20001');
    await page.getByLabel('Town').fill('Washington');
    await page.getByLabel('Kind of home').selectOption('House');
    await opened.context.setOffline(true);
    await press(page, 'Send');
    await page.getByRole('alert').getByText(offline).waitFor();
    await page.getByRole('alert').scrollIntoViewIfNeeded();
    await shoot(page, 'device-offline');
    assert.deepEqual(await violationsOf(page), []);
    await showsAddress(page);
    await page.getByLabel('Street and number').fill('6 Progress Street');
    await opened.context.setOffline(false);
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await press(page, 'Send');
    await heading(page, 'Your answers were sent');
    const { data } = (await service.call('GET', `/results/${requestId}`)).json as { data: { value: unknown }[] };
    assert.ok(
      data.some(({ value }) => value === '6 Progress Street'),
      JSON.stringify(data),
    );
    await forgotten(page);
  });

  it('stays if the service is unreachable, and one press finally sends it', async () => {
    const { requestId, link } = await send('document-signature');
    const page = await visit(link);
    await page.getByLabel('Your full name').fill('Mei Tanaka');
    await page.getByLabel('I have read this document').check();
    await page.route('**/state', (route) => route.abort());
    await press(page, 'Sign');
    await page.getByRole('alert').getByText(unreachable).waitFor();
    assert.equal(await status(requestId), 404);
    await page.unroute('**/state');
    await press(page, 'Sign');
    await page.getByRole('heading', { name: /^You signed “/ }).waitFor();
    assert.equal(await status(requestId), 200);
  });

  describe('of a sealed form', () => {
    const fillSealed = async (page: Page) => {
      await card(page);
      await page.getByLabel('Full name').fill('Mei Tanaka');
      await page.getByLabel('Date of birth').fill('1987-06-05');
      await page.getByLabel('Number of your identity card').fill('X-1');
      await page.getByLabel('Monthly income').fill('4321.5');
    };
    const alert = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor();
    type Away = (page: Page) => Promise<unknown>;
    const away: [string, string, Away, Away][] = [
      ['offline', offline, () => opened.context.setOffline(true), () => opened.context.setOffline(false)],
      ['while the service is away', unreachable, (page) => page.route('**/*', (route) => route.abort()), (page) => page.unrouteAll()],
      [
        'without what encrypts',
        unreachable,
        (page) => page.route('**/assets/jose*/**', (route) => route.abort()),
        (page) => page.unrouteAll(),
      ],
    ];
    for (const [how, said, leave, comeBack] of away) {
      // Once it is there, it is not asked for again.
      const times = how === 'without what encrypts' ? ['before it was drawn'] : ['before it was drawn', 'afterwards'];
      for (const when of times) {
        it(`stays if it is sent ${how}, ${when}, and one press finally sends it`, async () => {
          const { requestId, link } = await send('e-form', { formId: forms.sealed });
          opened = await browser.page(phone);
          const { page } = opened;
          if (when === 'before it was drawn') await page.route('**/assets/jose*/**', (route) => route.abort());
          await page.goto(link);
          await fillSealed(page);
          await leave(page);
          for (let times = 0; times < 2; times += 1) {
            await press(page, 'Send');
            await alert(page, said);
            assert.equal(await page.getByLabel('Full name').inputValue(), 'Mei Tanaka');
            assert.equal(await page.getByText('This form cannot be shown here').count(), 0);
          }
          await page.unrouteAll();
          await comeBack(page);
          await press(page, 'Send');
          await heading(page, 'Your answers were sent');
          assert.equal(await status(requestId), 200);
        });
      }
    }

    it('is sent once by two presses', async () => {
      const { requestId, link } = await send('e-form', { formId: forms.sealed });
      const page = await visit(link);
      const posts: string[] = [];
      page.on('request', (request) => void (request.method() === 'POST' && request.isNavigationRequest() && posts.push(request.url())));
      await fillSealed(page);
      const asked: (() => Promise<void>)[] = [];
      await page.route('**/state', (route) => new Promise<void>(() => asked.push(() => route.continue())));
      await press(page, 'Send');
      await until(() => asked.length > 0, 'whether the service can be reached');
      await press(page, 'Send');
      for (const goOn of asked) await goOn();
      await heading(page, 'Your answers were sent');
      assert.equal(posts.length, 1);
      assert.equal(await status(requestId), 200);
    });

    it('is drawn as soon as what draws it can be loaded, and says until then why it is not', async () => {
      opened = await browser.page(phone);
      const { page } = opened;
      await page.route('**/assets/adaptivecards*', (route) => route.abort());
      await page.goto((await send('e-form', { formId: forms.sealed })).link);
      await page.getByText(unreachable).waitFor();
      await page.unrouteAll();
      await card(page);
      assert.equal(await page.getByText(unreachable).count(), 0);
    });
  });

  it('gets a correct message if a passkey was to be used offline', async () => {
    const { link } = await send('passkeys', { phoneNumber: '+12025550101', customerRef: 'cust-0101-avery' });
    const page = await visit(link);
    await opened.context.setOffline(true);
    await press(page, 'Send me a code');
    await page.getByRole('alert').getByText(offline).waitFor();
    await opened.context.setOffline(false);
    await press(page, 'Send me a code');
    await heading(page, 'Enter your code');
  });
});
