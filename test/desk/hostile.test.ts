import assert from 'node:assert/strict';
import type { WebSocketRoute } from 'playwright-core';
import type { Options, Panel } from '../../src/desk/customers.ts';
import type { RunningRow } from '../../src/desk/running.ts';
import type { DeskFrame } from '../../src/desk/sockets/protocol.ts';
import type { ChatEvent, Row, TimelineEntry } from '../../src/desk/view.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { newUlid, signInAtDesk } from '../support/desk.ts';
import { type HostilePage, openHostilePage, waysOut } from '../support/hostile-page.ts';
import { payloads } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

// The page as it is, with a server in between that puts every text of strangers into every place that has one.
/** Left out where customers' words are shown: they could read as others. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
const texts = payloads.map(({ text }) => text);
const id = newUlid();
const at = Date.now() - 60_000;
const hostile = (index: number) => texts[index % texts.length] ?? '';

/** An event of every kind for each text. */
const events: ChatEvent[] = texts
  .flatMap((text): object[] => [
    { type: 'message', message: { id: 'm', text, files: [{ name: text, url: 'https://localhost/file' }] }, verified: true },
    { type: 'said', message: { id: 's', text, files: [] }, agent: text },
    { type: 'joined', agent: text, from: text, note: text },
    { type: 'waited', lines: [{ from: 'customer', text, at }] },
    { type: 'started', flow: text, agent: text },
    { type: 'bot', lines: [text] },
    { type: 'flow', flow: text, status: text },
    { type: 'outcome', app: text, status: text },
    { type: 'ended', ending: 'finished', by: 'agent', wrapUp: text },
  ])
  .map((event, index) => ({ ...event, number: index + 2, at }) as ChatEvent);
const asked: ChatEvent = {
  ...{ number: 1, at, type: 'requested', reason: 'asked', note: hostile(3), flow: { name: hostile(4), reason: hostile(5) } },
  lines: texts.map((text) => ({ from: 'customer' as const, text, at })),
};
const colleagues = texts.map((name, index) => ({ id: `${index}`, name, role: 'agent' as const, away: index % 2 === 0 }));
const row = (text: string, index: number): Row => ({
  ...{ id: index === 0 ? id : newUlid(), state: 'accepted', reason: text, app: text, language: 'en', phone: text },
  ...{ createdAt: at, acceptedAt: at, badge: { state: 'none' }, last: 1 },
  agent: index === 0 ? { id: 'me', name: text } : { id: `${index}`, name: text },
});
const panel: Panel = {
  badge: { state: 'verified', method: hostile(7), at, until: Date.now() + 600_000 },
  customer: { name: hostile(2), phone: hostile(8), ref: hostile(9) },
  timeline: texts.map(
    (text, index) => ({ id: `${index}`, app: text, subject: text, at, steps: {}, status: text, agent: text }) as TimelineEntry,
  ),
};
const options: Options = {
  customers: texts.map((name, index) => ({ id: `${index}`, name })),
  choices: texts.map((text, index) => ({
    ...{ id: `choice-${index}`, title: text, detail: text },
    blanks: [{ name: 'a', label: text, required: true, choices: texts, value: text }],
  })),
};
const running = texts.map((text, index) => ({
  ...{ id: `running-${index}`, channel: text, language: 'en', app: text, flow: text, phone: text, waitsFor: text },
  ...{ since: at, badge: { state: 'none' as const } },
})) as unknown as RunningRow[];
const hours = [{ at, asked: 1, taken: 1 }];
const numbers = { waiting: 1, longest: 1, taken: 1, firstResponse: { median: 1, slow: 1, count: 1 }, conversations: 1, verified: 1, hours };
const answers: Readonly<Record<string, unknown>> = {
  flows: texts.map((text) => ({ flow: text, title: text, description: text, asks: [{ name: text, type: 'text', choices: texts }] })),
  options,
  overview: {
    ...numbers,
    outcomes: texts.map((text) => ({ app: text, status: text, count: 1 })),
    wrapUps: texts.map((code) => ({ code, count: 1 })),
  },
  accesses: texts.map((text, index) => ({ id: `${index}`, action: text, subject: text, person: text, role: text, address: text, at })),
  sessions: texts.map((text, index) => ({ id: `${index}`, person: text, subject: text, role: text, address: text, begunAt: at })),
  invite: '/desk/sign-in/x',
};

const serve = (socket: WebSocketRoute) => {
  const send = (frame: DeskFrame) => socket.send(JSON.stringify(frame));
  socket.onMessage((data) => {
    const { ref, type } = JSON.parse(String(data));
    if (type === 'watch') {
      send({ type: 'happened', id, events: [asked, ...events] });
      send({ type: 'panel', id, panel });
    }
    if (type === 'running') send({ type: 'running', all: true, gone: [], rows: running });
    if (ref !== undefined) send({ type: 'answer', ref, value: answers[type] ?? {} });
  });
  const me = { id: 'me', name: hostile(6), role: 'supervisor' as const, away: false };
  send({ type: 'welcome', me, now: Date.now(), rows: texts.map(row), colleagues });
};

describe('untrusted texts at the desk', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  let whole: Whole;
  let screen: HostilePage;
  before(async () => {
    browser = await launchBrowser();
    whole = await startWhole({ settings: { HANDOFF: 'desk' } });
    screen = await openHostilePage(browser, { locale: 'en-US', viewport: { width: 1440, height: 900 } });
    await screen.page.routeWebSocket(/\/desk\/socket$/, serve);
    const link = new URL(whole.bot().links.desk ?? '');
    const [name = '', value = ''] = (await signInAtDesk(link.href, { id: 'me@example.com', name: 'Me', role: 'supervisor' })).split('=');
    await screen.page.context().addCookies([{ name, value, domain: 'localhost', path: '/desk' }]);
    await screen.page.goto(new URL('/desk', link).href);
    await screen.page
      .locator('.queue .row')
      .nth(texts.length - 1)
      .waitFor({ state: 'attached' });
  });
  after(async () => {
    await screen.close();
    await browser.close();
    await whole.close();
  });

  /** Elements and attributes that only a text could have made. */
  const made = 'script:not([nonce]), iframe, object, embed, base, img, video, audio, math, [onerror], [onload], [onclick], [style*="url"]';
  const harmless = async () => {
    const { page } = screen;
    assert.deepEqual(await page.locator(`#desk :is(${made})`).evaluateAll((found) => found.map(({ outerHTML }) => outerHTML)), []);
    assert.deepEqual(
      (await waysOut(page)).filter((way) => way !== 'a href=https://localhost/file'),
      [],
    );
    assert.deepEqual(screen.harm, []);
  };
  const shown = (selector: string) => screen.page.locator(selector).evaluateAll((found) => found.map(({ textContent }) => textContent));
  const reads = async (selector: string, expected: readonly string[] = texts) => {
    const all = await shown(selector);
    for (const text of expected)
      assert.ok(
        all.some((one) => one?.replace(reordering, '').includes(text.replace(reordering, ''))),
        `${selector} does not show ${JSON.stringify(text)}`,
      );
  };

  it('are shown as text in the list, and in a conversation with every kind of event', async () => {
    await screen.page.locator(`[data-id="${id}"]`).click();
    await until(async () => (await screen.page.locator('.said li').count()) > events.length, 'every event', 30_000);
    await reads('.queue .row');
    for (const place of [
      '.bubble.customer .text',
      '.bubble.agent .text',
      '.bubble.bot .text',
      '.bubble.agent .by',
      '.bubble.colleague',
      '.happening',
    ])
      await reads(place);
    await reads('.said a');
    await reads('.timeline li');
    await reads('.panel', [hostile(2), hostile(8), hostile(9)]);
    await harmless();
  });

  const dialogs: [string, string, () => Promise<unknown>][] = [
    ['what can be sent', 'dialog .choice', () => screen.page.locator('#start').click()],
    ['colleagues', 'dialog .choice', () => screen.page.locator('.talk-head .acts button').first().click()],
  ];
  for (const [what, place, open] of dialogs) {
    it(`are read as they were written among ${what}`, async () => {
      await open();
      await until(async () => (await screen.page.locator(place).count()) >= texts.length, what);
      await reads(place);
      const choice = screen.page.getByRole('radio').last();
      await choice.check();
      await harmless();
      await screen.page.keyboard.press('Escape');
    });
  }

  it('are read as they were written in quick answers and among the chats of the bot', async () => {
    await screen.page.locator('#write').focus();
    await screen.page.keyboard.press('/');
    await reads('.canned li', [hostile(6)]);
    await screen.page.keyboard.press('Escape');
    await screen.page.locator('.around button').first().click();
    await screen.page
      .locator('.row.running')
      .nth(texts.length - 1)
      .waitFor({ state: 'attached' });
    await reads('.row.running');
    await harmless();
  });

  for (const [tab, place] of [
    ['Overview', '.overview td, .overview th'],
    ['Access log', '.overview td'],
    ['Signed in', '.overview th'],
  ] as const) {
    it(`are read as they were written in the supervisor’s ${tab}`, async () => {
      await screen.page.getByRole('button', { name: tab, exact: true }).first().click();
      await until(async () => (await screen.page.locator(place).count()) >= texts.length, tab);
      await reads(place);
      await harmless();
    });
  }
});
