import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violationsOf } from '../../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../../support/browser.ts';
import { declineOn } from '../../support/decline.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

const phone = { viewport: { width: 390, height: 844 }, locale: 'en-US', isMobile: true, hasTouch: true };
const forms = {
  address: '6f1c0000-0000-4000-8000-000000000001',
  account: '6f1c0000-0000-4000-8000-000000000002',
  feedback: '6f1c0000-0000-4000-8000-000000000003',
};
const hostile = '<img src=x onerror=alert(1)> **{{name}}** [a](https://evil.example)';

/** Answers in every way that a form may ask, in words that are markup or separators elsewhere. */
const everything = [
  { type: 'Input.Text', id: 'name', label: hostile, isRequired: true, errorMessage: 'Your name, please.' },
  { type: 'Input.Text', id: 'email', label: 'E-mail', style: 'email' },
  { type: 'Input.Text', id: 'plate', label: 'Plate', regex: '[A-Z]{2}\\d{2}' },
  { type: 'Input.Number', id: 'age', label: 'Age', min: 18, max: 99 },
  { type: 'Input.Number', id: 'rooms', label: 'Rooms', min: 1 },
  { type: 'Input.Date', id: 'day', label: 'Day', min: '2026-01-01' },
  { type: 'Input.Time', id: 'time', label: 'Time' },
  { type: 'Input.Toggle', id: 'agreed', label: 'Consent', title: hostile, isRequired: true },
  { type: 'Input.Toggle', id: 'news', label: 'News', title: 'Send me news' },
  { type: 'Input.ChoiceSet', id: 'plan', label: 'Plan', choices: [{ title: 'One, two', value: 'one,two' }] },
  {
    type: 'Input.ChoiceSet',
    id: 'extras',
    label: 'Extras',
    isMultiSelect: true,
    style: 'expanded',
    choices: ['a,b', 'c', 'd,'].map((value) => ({ title: `Extra ${value}`, value })),
  },
];

describe('the page of a form, in a browser', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let service: TestService;
  let folder: string;
  const open: { close(): Promise<void>; complaints: string[] }[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-forms-'));
    browser = await launchBrowser();
    const catalogueFile = ownCatalogue(folder, (catalogue) => {
      catalogue.forms[0].body = everything;
      catalogue.forms[0].texts = {};
      catalogue.forms[0].sample = {};
    });
    service = await startTestService({ catalogueFile });
  });
  after(async () => {
    await browser.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const { close, complaints } of open.splice(0)) {
      await close();
      assert.deepEqual(complaints, []);
    }
  });

  const send = async (formId: string) => {
    const { json } = await service.call('POST', '/e-form/send', { body: { ...sendBody('e-form'), formId } });
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const visit = async (link: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) => {
    const { page, context, complaints } = await browser.page({ ...phone, ...options });
    open.push({ close: () => context.close(), complaints });
    await prepare?.(page);
    await page.goto(link);
    return page;
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const done = (page: Page) => page.getByRole('heading', { name: 'Your answers were sent' }).waitFor();
  const card = (page: Page) => page.locator('.ac-adaptiveCard').waitFor();
  const data = async (id: string) => (await service.call('GET', `/results/${id}`)).json.data;

  it('reads every kind of answer with its type', async () => {
    const { requestId, link } = await send(forms.address);
    const page = await visit(link);
    await card(page);
    await page.getByLabel('<img src=x onerror=alert(1)> **').first().fill(' Mei ');
    await page.getByLabel('E-mail').fill('mei@example.com');
    await page.getByLabel('Plate').fill('AB12');
    await page.getByLabel('Age').fill('42');
    await page.getByLabel('Day').fill('2026-12-01');
    await page.getByLabel('Time').fill('09:30');
    await page.getByLabel(hostile).nth(1).check();
    await page.getByLabel('Plan').selectOption('One, two');
    await page.getByLabel('Extra a,b').check();
    await page.getByLabel('Extra d,').check();
    await press(page, 'Send');
    await done(page);
    assert.deepEqual(await data(requestId), [
      { type: 'text', key: 'name', value: 'Mei' },
      { type: 'text', key: 'email', value: 'mei@example.com' },
      { type: 'text', key: 'plate', value: 'AB12' },
      { type: 'number', key: 'age', value: 42 },
      { type: 'date', key: 'day', value: '2026-12-01' },
      { type: 'time', key: 'time', value: '09:30' },
      { type: 'toggle', key: 'agreed', value: true },
      { type: 'toggle', key: 'news', value: false },
      { type: 'choice', key: 'plan', value: 'one,two' },
      { type: 'choices', key: 'extras', value: ['a,b', 'd,'] },
    ]);
  });

  it('shows errors at their fields before anything is sent', async () => {
    const { requestId, link } = await send(forms.address);
    const page = await visit(link);
    await card(page);
    await page.getByLabel('Age').fill('12');
    await page.getByLabel('Plate').fill('nothing');
    await press(page, 'Send');
    await page.getByText('Your name, please.').waitFor();
    await page.getByText('Please enter a number. 18 or more, please. 99 or less, please.').waitFor();
    await page.getByText('This is not in the expected format.').waitFor();
    await page.getByText('Please answer this.').waitFor();
    const focused = await page.evaluate(() => document.activeElement?.closest('[id^=field-]')?.id);
    assert.equal(focused, 'field-a-name');
    assert.equal(await page.getByText('Rooms').count(), 1, 'an open number is not too small');
    await shoot(page, 'form-wrong');
    assert.deepEqual(await violationsOf(page), []);
    const { json } = await service.call('GET', `/requests/${requestId}`);
    assert.equal(json.state, 'pending');
  });

  it('keeps the input if the server finds an error that the page did not', async () => {
    const { requestId, link } = await send(forms.address);
    const page = await visit(link);
    await card(page);
    await page.getByLabel('<img').first().fill('Mei');
    await page.getByLabel('E-mail').fill('mei@example.c');
    await page.getByLabel('Rooms').fill('3');
    await page.getByLabel(hostile).nth(1).check();
    await page.getByLabel('Extra c').check();
    await press(page, 'Send');
    const summary = page.getByRole('alert');
    await summary.waitFor();
    await card(page);
    await page.getByText('Please enter an e-mail address.', { exact: true }).waitFor();
    await summary.getByRole('link', { name: 'E-mail' }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-a-email');
    assert.equal(await page.getByLabel('<img').first().inputValue(), 'Mei');
    assert.equal(await page.getByLabel('Rooms').inputValue(), '3');
    assert.equal(await page.getByLabel('Extra c').isChecked(), true);
    await page.getByLabel('E-mail').fill('mei@example.com');
    await press(page, 'Send');
    await done(page);
    assert.equal((await data(requestId)).length, 6);
  });

  it('shows the texts of form designers unchanged', async () => {
    const page = await visit((await send(forms.address)).link);
    await card(page);
    assert.equal(await page.getByText(hostile, { exact: false }).count(), 2);
    assert.equal(await page.locator('main img, main a').count(), 0);
  });

  it('can be filled in and sent with the keyboard alone', async () => {
    const { requestId, link } = await send(forms.feedback);
    const page = await visit(link, { isMobile: false, hasTouch: false });
    await card(page);
    const stops: string[] = [];
    const tab = async () => {
      await page.keyboard.press('Tab');
      stops.push(await page.evaluate(() => (document.activeElement as HTMLElement).tagName.toLowerCase()));
    };
    await tab();
    await page.keyboard.press('Space');
    while (stops.at(-1) !== 'textarea') await tab();
    await page.keyboard.type('All well');
    while (stops.at(-1) !== 'button') await tab();
    await page.keyboard.press('Enter');
    await done(page);
    assert.deepEqual(stops, ['input', 'input', 'input', 'input', 'input', 'textarea', 'input', 'button']);
    const [rating] = await data(requestId);
    assert.deepEqual(rating, { type: 'choice', key: 'rating', value: 'very-good' });
  });

  it('keeps its plain fields if the library cannot be loaded', async () => {
    const { requestId, link } = await send(forms.feedback);
    const page = await visit(link, {}, (page) => page.route('**/assets/adaptivecards*', (route) => route.abort()));
    await page.getByLabel('Good', { exact: true }).check();
    await press(page, 'Send');
    await done(page);
    assert.deepEqual((await data(requestId))[0], { type: 'choice', key: 'rating', value: 'good' });
  });

  it('can be declined', async () => {
    const { requestId, link } = await send(forms.feedback);
    const page = await visit(link);
    await card(page);
    await declineOn(page);
    await page.getByRole('heading', { name: 'Declined' }).waitFor();
    assert.equal((await service.call('GET', `/results/${requestId}`)).json.status, 'failure');
  });

  it('reports that a zero-knowledge form cannot be encrypted, and asks nothing', async () => {
    const blind = await visit((await send(forms.account)).link, { javaScriptEnabled: false });
    assert.match(await blind.content(), /<noscript><p class="error">This form needs JavaScript/);
    const old = await visit((await send(forms.account)).link, {}, (page) =>
      page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined })),
    );
    await old.getByText('This form cannot be shown here').waitFor();
    for (const page of [blind, old]) {
      assert.equal(await page.locator('input, textarea, select').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true);
      await declineOn(page);
      await page.getByRole('heading', { name: 'Declined' }).waitFor();
    }
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no serious accessibility fault (${colorScheme})`, async () => {
      for (const [name, id] of Object.entries(forms)) {
        const page = await visit((await send(id)).link, { colorScheme });
        await card(page);
        assert.deepEqual(await violationsOf(page), [], name);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name} is too wide`);
        await shoot(page, `form-${name}-${colorScheme}`);
      }
    });
  }

  it('weighs less than 60 KB before its library, which only forms load', async () => {
    const weigh = async (link: string) => {
      const loaded = new Map<string, number>();
      const page = await visit('about:blank');
      const session = await page.context().newCDPSession(page);
      const addresses = new Map<string, string>();
      await session.send('Network.enable');
      session.on('Network.requestWillBeSent', ({ requestId, request }) => addresses.set(requestId, request.url));
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
        loaded.set(addresses.get(requestId) ?? '', encodedDataLength),
      );
      await page.goto(link, { waitUntil: 'networkidle' });
      const libraries = [...loaded.keys()].filter((address) => /adaptivecards|jose/.test(address));
      const first = [...loaded].filter(([address]) => !libraries.includes(address)).reduce((sum, [, bytes]) => sum + bytes, 0);
      return { libraries, first };
    };
    const form = await weigh((await send(forms.account)).link);
    assert.ok(form.first > 3000 && form.first < 60_000, `${form.first} bytes`);
    assert.ok(
      form.libraries.some((address) => /jose/.test(address)),
      'what encrypts is there before the network may be lost',
    );
    await service.call('POST', '/payments/send', { body: sendBody('payments') });
    const payment = await weigh((await service.outbox())[0]?.link ?? '');
    assert.deepEqual(payment.libraries, []);
  });
});
