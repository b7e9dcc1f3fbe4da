import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { usualLimits } from '../../src/directline/index.ts';
import { openStorage } from '../../src/storage/index.ts';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser, type TestPage } from '../support/browser.ts';
import { pageBot, say, startPage, transcript, waitingCard } from '../support/chat-page.ts';
import { itSample } from '../support/tier.ts';
import { until } from '../support/until.ts';

type Site = Awaited<ReturnType<typeof startPage>>;

describe('the chat page', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let site: Site;
  let now = Date.now();
  const opened: TestPage[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    site = await startPage({ clock: { now: () => now } });
  });
  // An open page would try to reach its bot until the end of the file.
  afterEach(async () => {
    const pages = opened.splice(0);
    for (const { context } of pages) await context.close();
    await site.close();
    assert.deepEqual(
      pages.flatMap(({ complaints }) => complaints),
      [],
    );
  });

  const open = async (options?: Parameters<TestBrowser['page']>[0]) => {
    const one = await browser.page(options);
    opened.push(one);
    await one.page.goto(site.url);
    return one;
  };
  const sees = (page: Page, text: string | RegExp) =>
    page.locator('.webchat__basic-transcript__activity').getByText(text).first().waitFor({ timeout: 15_000 });
  const settled = (page: Page) =>
    until(async () => (await page.locator('.webchat__connectivityStatus').getByText(/./).count()) === 0, 'Web Chat to be connected');
  const conversationOf = () => site.turns[0]?.conversation.id ?? '';

  it('opens with a greeting and answers what is typed, by keyboard alone', async () => {
    const { page } = await open();
    await sees(page, 'Hello. What can I do for you?');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'chat');
    await say(page, 'hi there');
    await sees(page, 'Echo (en): hi there');
    assert.deepEqual(await transcript(page), ['Hello. What can I do for you?', 'hi there', 'Echo (en): hi there']);
  });

  for (const [locale, full, anew, begin] of [
    ['en-US', /This conversation is full\. Please start a new one\./, 'New conversation', 'Start a new one'],
    ['es-ES', /Esta conversación está llena\. Empiece otra, por favor\./, 'Nueva conversación', 'Empezar otra'],
  ] as const)
    itSample(locale === 'en-US')(`says that a conversation is full, until a new one is begun: ${locale}`, async () => {
      await site.close();
      site = await startPage({ limits: { ...usualLimits, chat: { bytes: 3000, revisions: 100 } } });
      const { page, complaints } = await open({ locale });
      await sees(page, /Hello|Hola/);
      await say(page, 'x'.repeat(2500));
      await sees(page, /x{2500}/);
      await say(page, 'y'.repeat(2500));
      await page.getByText(full).waitFor();
      await page.getByRole('button', { name: anew }).click();
      await page.getByRole('button', { name: begin }).click();
      await page.getByText(full).waitFor({ state: 'hidden' });
      // What was refused is on the console too.
      complaints.length = 0;
    });

  it('offers the choices of the bot as buttons, and no way to send a file', async () => {
    const { page } = await open();
    await page.getByRole('toolbar').getByRole('button', { name: 'Sign a document' }).click();
    await sees(page, 'Echo (en): Sign a document');
    // It takes no files, which nobody would read.
    assert.equal(await page.locator('input[type=file]').count(), 0);
  });

  it('submits what was filled into a card', async () => {
    const { page } = await open();
    await sees(page, 'Hello');
    await say(page, 'form');
    await page.getByLabel('Full name').last().fill('Ada');
    await page.getByRole('button', { name: 'Send for signature' }).last().click();
    await sees(page, 'Got action=send name=Ada size=f');
  });

  it('changes a card in its place when the bot updates it, and shows it once, also after a reload', async () => {
    const { page } = await open();
    await sees(page, 'Hello');
    await say(page, 'wait');
    await sees(page, 'Payment request sent');
    await say(page, 'status');
    await sees(page, 'Echo (en): status');
    const { chats } = site.storage;
    const id = conversationOf();
    const stored = await chats.page(id, { since: 0, after: 0, limit: 50 });
    const card = stored?.activities.find(({ activity }) => activity.summary === 'Payment request, step 1')?.activity.id ?? '';
    const inPlace = async () => {
      const bubbles = await transcript(page);
      assert.equal(bubbles.length, 5, bubbles.join(' | '));
      assert.match(bubbles[2] ?? '', /^Payment request sent.*✓ Opened.*✓ Started/s);
      assert.equal(bubbles[4], 'Echo (en): status');
    };
    const announced = page.locator('#changes').getByText('Payment request, step 3');
    const readOut = announced.waitFor({ state: 'attached', timeout: 15_000 });
    for (const done of [2, 3]) assert.deepEqual(await site.directLine.connector.update(id, card, waitingCard(done)), { id: card });
    await sees(page, '✓ Started');
    await readOut;
    await inPlace();
    await page.reload();
    await sees(page, 'Echo (en): status');
    await inPlace();
  });

  it('removes what the bot removes, even while it is still being sent', async () => {
    await site.close();
    site = await startPage({
      bot: async (activity, connector) => {
        if (activity.text === '123456') await connector.remove(activity.conversation.id, activity.id ?? '');
        await pageBot({ ...activity, text: 'received' }, connector);
      },
    });
    const { page } = await open();
    await sees(page, 'Hello');
    await say(page, '123456');
    await sees(page, 'Echo (en): received');
    await until(async () => (await page.getByText('Sending').count()) === 0, 'the sending to be over');
    assert.deepEqual(await transcript(page), ['Hello. What can I do for you?', 'Echo (en): received']);
    await page.reload();
    await sees(page, 'Echo (en): received');
    assert.deepEqual(await transcript(page), ['Hello. What can I do for you?', 'Echo (en): received']);
  });

  it('continues the conversation after a reload, and also hours later', async () => {
    const { page } = await open();
    await sees(page, 'Hello');
    await say(page, 'one');
    await sees(page, 'Echo (en): one');
    for (const hours of [0, 3]) {
      now += hours * 3_600_000;
      await page.reload();
      await sees(page, 'Echo (en): one');
      assert.deepEqual(await transcript(page), ['Hello. What can I do for you?', 'one', 'Echo (en): one']);
    }
    await say(page, 'two');
    await sees(page, 'Echo (en): two');
    assert.equal(site.turns.filter(({ type }) => type === 'conversationUpdate').length, 1);
    assert.equal(new Set(site.turns.map(({ conversation }) => conversation.id)).size, 1);
  });

  it('stays open over a restart of the bot: what happened meanwhile arrives, and the chat goes on', async () => {
    const storage = await openStorage(undefined);
    await site.close();
    site = await startPage({ storage });
    try {
      const { page } = await open();
      await sees(page, 'Hello');
      await say(page, 'before');
      await sees(page, 'Echo (en): before');
      const id = conversationOf();
      const { port } = site;
      await site.close();
      await page.getByText('The connection is lost').waitFor();
      assert.deepEqual(await violationsOf(page), []);
      await shoot(page, 'chat-reconnecting');
      site = await startPage({ storage, port });
      await site.directLine.connector.post(id, { type: 'message', text: 'Your payment went through' });
      await sees(page, 'Your payment went through');
      await page.getByText('The connection is lost').waitFor({ state: 'hidden' });
      await say(page, 'after');
      await sees(page, 'Echo (en): after');
      assert.deepEqual(await transcript(page), [
        'Hello. What can I do for you?',
        'before',
        'Echo (en): before',
        'Your payment went through',
        'after',
        'Echo (en): after',
      ]);
    } finally {
      await site.close();
      await storage.close();
      site = await startPage();
    }
  });

  it('renews its token automatically while it stays open', async () => {
    const one = await browser.page();
    opened.push(one);
    const { page, context } = one;
    await context.clock.install();
    await page.goto(site.url);
    await sees(page, 'Hello');
    const refreshed = page.waitForResponse(/\/tokens\/refresh$/);
    await context.clock.fastForward('16:00');
    assert.equal((await refreshed).status(), 200);
    await say(page, 'still here');
    await sees(page, 'Echo (en): still here');
  });

  it('starts a new conversation only when asked to', async () => {
    const { page } = await open();
    await sees(page, 'Hello');
    await say(page, 'old');
    await sees(page, 'Echo (en): old');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('button', { name: 'Stay here' }).click();
    assert.equal((await transcript(page)).length, 3);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('button', { name: 'Start a new one' }).click();
    await until(async () => (await transcript(page)).join() === 'Hello. What can I do for you?', 'the old conversation to go');
    await say(page, 'new');
    await sees(page, 'Echo (en): new');
    assert.equal(new Set(site.turns.map(({ conversation }) => conversation.id)).size, 2);
  });

  it('speaks the language of the browser, with its region, and the one that is chosen from then on', async () => {
    const { page } = await open({ locale: 'es-MX' });
    await sees(page, 'Hola. ¿En qué puedo ayudarle?');
    await say(page, 'hola');
    await sees(page, 'Echo (es-MX): hola');
    assert.equal(await page.evaluate('document.documentElement.lang'), 'es');
    await page.getByRole('button', { name: 'Nueva conversación' }).waitFor();
    await page.getByLabel('Idioma').selectOption('English');
    await page.getByRole('button', { name: 'New conversation' }).waitFor();
    await page.getByPlaceholder('Type your message').waitFor();
    await say(page, 'hi');
    await sees(page, 'Echo (en): hi');
    await page.reload();
    await page.getByRole('button', { name: 'New conversation' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
  });

  for (const [name, options] of [
    ['narrow', { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true }],
    ['light', { viewport: { width: 1100, height: 820 } }],
    ['dark', { viewport: { width: 1100, height: 820 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, locale: 'es-ES' }],
  ] as const) {
    itSample(name === 'narrow')(`looks right and passes axe: ${name}`, async () => {
      const { page } = await open(options);
      await sees(page, /Hello|Hola/);
      await settled(page);
      await shoot(page, `chat-${name}-greeting`);
      await say(page, 'form');
      await sees(page, 'Send for signature');
      await say(page, 'wait');
      await sees(page, 'Payment request sent');
      await say(page, 'What happens now?');
      await sees(page, 'Echo (');
      await until(async () => (await page.locator('[aria-live] input').count()) === 0, 'what is read out to be gone');
      await shoot(page, `chat-${name}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), options.viewport.width);
      assert.deepEqual(await violationsOf(page), []);
    });
  }
});
