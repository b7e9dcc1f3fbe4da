import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { fetch } from 'undici';
import { hidden } from '../../src/platform/text/possible-codes.ts';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { say, startPage, waitingCard } from '../support/chat-page.ts';
import type { Bot } from '../support/direct-line.ts';
import { itSample } from '../support/tier.ts';
import { until } from '../support/until.ts';

/** Whoever has this address can open the document. */
const secretUrl = 'https://service.example/documents/01KAH5Z0V8Q2J9XW3N4M5P6R7S-abc-Zm9v';
const [waiting] = waitingCard(3).attachments;
const opens = { type: 'Action.OpenUrl', title: 'Open the signed document', url: secretUrl };
const outcome = {
  type: 'message',
  summary: 'Payment received.',
  attachments: [{ ...waiting, content: { ...waiting?.content, actions: [opens] } }],
  channelData: {
    'webchat:fallback-text': `Payment received.\nAmount: €120.00\nOpen the signed document: ${secretUrl}`,
    interaction: { app: 'payments', requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S', status: 'success' },
  },
};

/** Asks for words of the customer's own, as a document does, and says what else a chat may hold. */
const bot: Bot = async ({ conversation, id, text = '', type }, connector) => {
  const post = (activity: object) => connector.post(conversation.id, { type: 'message', ...activity }, id);
  if (type === 'conversationUpdate') await post({ text: 'Hello.' });
  if (type !== 'message') return;
  if (text === 'wait') await post(waitingCard(1));
  else if (text === 'pay') await post(outcome);
  else if (text === 'person') await post({ text: 'I am here.\nHow can I help?', channelData: { agent: { name: 'Ana' } } });
  else if (text.startsWith('my name')) await post({ text: 'Noted.', channelData: { answersSecret: true } });
  else await post({ text: `Heard ${text.length}` });
};

describe('a conversation that the customer saves', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let site: Awaited<ReturnType<typeof startPage>>;
  before(async () => {
    browser = await launchBrowser();
    site = await startPage({ bot, theme: { name: 'Violet Bank' } });
  });
  after(async () => {
    await browser.close();
    await site.close();
  });

  const talked = async (locale: string, ...words: readonly string[]) => {
    const opened = await browser.page({ locale, timezoneId: 'Europe/Berlin' });
    const { page } = opened;
    await page.addInitScript('window.print = () => { window.printed = (window.printed ?? 0) + 1; }');
    await page.goto(site.url);
    const bubbles = page.locator('.webchat__basic-transcript__activity .webchat__bubble__content');
    for (const [index, text] of words.entries()) {
      await bubbles.nth(index * 2).waitFor();
      await say(page, text);
    }
    await bubbles.nth(words.length * 2).waitFor();
    return opened;
  };
  const asks = async (page: Page, [more, save] = ['Options', 'Save this conversation']) => {
    await page.getByRole('button', { name: more as string }).click();
    await page.getByRole('button', { name: save as string }).click();
    return page.getByRole('dialog', { name: save as string });
  };

  it('is a file of all messages, without codes, card numbers, form answers and addresses of documents', async () => {
    const { page, complaints, context } = await talked(
      'en-US',
      'wait',
      'my name is Zebra',
      'code 483 920',
      '4111 1111 1111 1111',
      'person',
      'pay',
    );
    const dialog = await asks(page);
    assert.deepEqual(await violationsOf(page), []);
    await shoot(page, 'record-question');
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
    assert.match(download.suggestedFilename(), /^chat-\d{4}-\d\d-\d\d\.html$/);
    const file = await readFile(await download.path(), 'utf8');
    await dialog.waitFor({ state: 'hidden' });
    // The milliseconds of a time may have the same digits.
    assert.doesNotMatch(file.replaceAll(/ datetime="[^"]+"/g, ''), /Zebra|483|4111.?1111|<script|<link|src=|documents\//i);
    assert.match(file, /default-src 'none'/);

    await page.goto('about:blank');
    await page.setContent(file);
    assert.equal(await page.title(), 'Violet Bank');
    const said = await page
      .locator('section')
      .evaluateAll((all) =>
        all.map((one) => [...one.children].map(({ textContent }) => (textContent ?? '').replace(/\d+:\d\d\s[AP]M/, 'T'))),
      );
    assert.deepEqual(said, [
      ['Violet Bank T', 'Hello.'],
      ['You T', 'wait'],
      ['Violet Bank T', 'Payment request, step 1'],
      ['You T', hidden],
      ['Violet Bank T', 'Noted.'],
      ['You T', `code ${hidden}`],
      ['Violet Bank T', 'Heard 12'],
      ['You T', '•••• •••• •••• ••••'],
      ['Violet Bank T', 'Heard 19'],
      ['You T', 'person'],
      ['Ana T', 'I am here.', 'How can I help?'],
      ['You T', 'pay'],
      ['Violet Bank T', 'Payment received.', 'Amount: €120.00'],
    ]);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  for (const [locale, dir, names, print] of [
    ['en-US', 'ltr', ['Options', 'Save this conversation'], 'Print'],
    ['ar-EG', 'rtl', ['خيارات', 'حفظ هذه المحادثة'], 'طباعة'],
  ] as const)
    itSample(dir === 'rtl')(`is printed alone, in its language and direction: ${locale}`, async () => {
      const { page, complaints, context } = await talked(locale, 'hi', 'pay');
      await page.setViewportSize({ width: 720, height: 900 });
      const dialog = await asks(page, [...names]);
      await dialog.getByRole('button', { name: print }).click();
      await until(() => page.evaluate('window.printed === 1'), 'the print');
      await dialog.waitFor({ state: 'hidden' });
      assert.equal(await page.locator('#record').isVisible(), false);
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.locator('#record').isVisible(), true);
      for (const other of ['body > header', 'main']) assert.equal(await page.locator(other).isVisible(), false, other);
      assert.equal(await page.locator('#record').evaluate((record) => getComputedStyle(record).direction), dir);
      assert.match((await page.locator('#record').textContent()) ?? '', /€120\.00/);
      await shoot(page, `record-print-${locale}`);
      assert.deepEqual(complaints, []);
      await context.close();
    });

  it('cannot be saved while the server does not answer, but can afterwards', async () => {
    const { page, context } = await talked('en-US', 'hi');
    await page.route('**/chat/record', (route) => route.abort());
    const dialog = await asks(page);
    await dialog.getByRole('button', { name: 'Print' }).click();
    await dialog.getByRole('alert').waitFor();
    assert.equal(await page.evaluate('window.printed'), undefined);
    await page.unroute('**/chat/record');
    await dialog.getByRole('button', { name: 'Print' }).click();
    await until(() => page.evaluate('window.printed === 1'), 'the print');
    await context.close();
  });

  const ask = async (body: unknown, headers: Record<string, string> = {}) => {
    const { token } = await site.directLine.issueToken();
    return fetch(`${site.url}chat/record`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', authorization: `Bearer ${token}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  };

  it('has parts hidden by the server only, and is not available to other sites', async () => {
    const answer = await ask({ said: ['my code is 48-39-20', 'fine'] });
    assert.deepEqual(await answer.json(), { said: [`my code is ${hidden}`, 'fine'] });
    assert.equal((await ask({ said: [] }, { 'sec-fetch-site': 'cross-site' })).status, 403);
    for (const wrong of [{}, { said: 'x' }, { said: [1] }, { said: Array(1001).fill('') }]) assert.equal((await ask(wrong)).status, 422);
    assert.equal((await ask({ said: Array(1000).fill('') })).status, 200);
  });

  it('is for those who have a chat, a few times a minute, and says so before anything is read', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer x.y.z', `Bearer ${'a'.repeat(5000)}`])
      assert.equal((await ask('{', { authorization })).status, 401, authorization.slice(0, 20));
    const statuses = new Set<number>();
    await until(async () => statuses.add((await ask('{')).status).has(429), 'too many of them');
    assert.deepEqual([...statuses], [400, 429]);
  });
});
