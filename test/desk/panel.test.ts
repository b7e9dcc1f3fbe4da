import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser, type TestPage } from '../support/browser.ts';
import { flowsFolder } from '../support/flows.ts';
import { mara, openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

/** The page that shows a conversation, as Chatwoot's dashboard does with its Dashboard Apps. */
const around = (panel: string, conversation: number) => `<!doctype html><html lang="en"><title>Chatwoot</title>
<style>body { margin: 0; display: flex } main { flex: 1 } iframe { width: 420px; height: 860px; border: 0 }</style>
<main><h1>Conversation ${conversation}</h1></main><iframe title="Customer" src="${panel}"></iframe>
<script>
const frame = document.querySelector('iframe');
const tell = (id) => frame.contentWindow.postMessage(JSON.stringify({ event: 'appContext', data: { conversation: { id }, contact: {}, currentAgent: {} } }), '*');
addEventListener('message', ({ data }) => data === 'chatwoot-dashboard-app:fetch-info' && tell(${conversation}));
</script>`;

describe('the panel beside a conversation of Chatwoot', function () {
  this.timeout(120_000);
  let world: World;
  let browser: TestBrowser;
  let agent: TestPage;
  let panel: FrameLocator;
  const bot = () => `http://localhost:${world.whole.bot().port}`;
  const path = '/desk/panel/chatwoot';
  const conversation = () => world.chatwoot().conversations.at(-1)?.id ?? 0;
  /** Opens Chatwoot's page, or the same one of another site, which frames the panel. */
  const frame = async (origin = world.chatwoot().url) => {
    world.chatwoot().page = around(bot() + path, conversation());
    await agent.page.goto(`${origin}/app`);
    panel = agent.page.frameLocator('iframe');
  };
  before(async () => {
    const flow =
      'title: Read a meter\nneeds: { number: text, day: date }\ndo:\n  - ask: text\n    as: reading\n    text: What does it say?\n';
    world = await openWorld('chatwoot', { FLOWS_DIR: flowsFolder('read-meter', flow) });
    browser = await launchBrowser();
    agent = await browser.page({ locale: 'en-US', viewport: { width: 1000, height: 900 } });
    agent.context.setDefaultTimeout(15_000);
    await world.talk.say('agent');
    await until(() => world.requests().length > 0, 'the request');
    await world.accept();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  it('is closed to people who are not signed in, and to foreign codes', async () => {
    assert.equal((await fetch(bot() + path)).status, 401);
    for (const code of ['', 'x', 'A'.repeat(200), 'A'.repeat(2000)]) {
      const answer = await fetch(`${bot()}${path}/session`, { method: 'POST', body: new URLSearchParams({ code }) });
      assert.equal(answer.status, 401, code);
    }
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    const posted = await fetch(`${bot()}${path}/session`, { method: 'POST', headers: elsewhere, body: new URLSearchParams({ code: 'x' }) });
    assert.equal(posted.status, 403);
    const policy = (await fetch(bot() + path)).headers.get('content-security-policy') ?? '';
    assert.match(policy, new RegExp(`frame-ancestors ${world.chatwoot().url}(;|$)`));
    assert.match((await fetch(`${bot()}${path}/enter`)).headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  });

  it('admits somebody who signs in at the desk, in a separate window', async () => {
    const desk = await agent.context.newPage();
    await desk.goto(world.whole.bot().links.desk ?? '');
    await desk.getByLabel('Your name').fill(mara.name);
    await desk.getByLabel('Your e-mail address').fill(mara.id);
    await desk.getByRole('button', { name: /as agent/ }).click();
    await desk.getByRole('navigation', { name: 'Conversations' }).waitFor();

    await frame();
    const [window] = await Promise.all([agent.context.waitForEvent('page'), panel.getByRole('button', { name: 'Sign in' }).click()]);
    await window.getByRole('heading', { name: 'Sign in to the panel' }).waitFor();
    await window.getByRole('button', { name: 'Sign in' }).click();
    await panel.getByText('Not verified').first().waitFor();
    await until(() => window.isClosed(), 'the window is gone');
    // In Chatwoot alone: to every other page this browser is nobody.
    const [cookie] = (await agent.context.cookies()).filter(({ name }) => name === '__Host-desk-panel');
    assert.deepEqual([cookie?.sameSite, cookie?.secure, cookie?.httpOnly, cookie?.partitionKey !== undefined], ['None', true, true, true]);
  });

  it('starts an app for the customer, under the agent’s name, and shows how it goes', async () => {
    await panel.getByRole('button', { name: 'Send a request' }).click();
    const dialog = panel.getByRole('dialog', { name: 'Send a request' });
    await dialog.getByRole('radio', { name: /^Payment/ }).check();
    await dialog
      .getByLabel(/number/i)
      .first()
      .fill('+12025550110');
    await dialog.getByRole('button', { name: 'Find' }).click();
    await dialog.getByRole('radio', { name: /Charging pass/ }).check();
    await shoot(agent.page, 'panel-start');
    await dialog.getByRole('button', { name: /^Send|^Start/ }).click();
    await until(() => world.said().some((said) => /Mara has started this for you/.test(said)), 'what the customer is told');
    await panel.locator('.timeline li', { hasText: 'Charging pass' }).getByText('By mara@example.com').waitFor();
    await panel.locator('.timeline li', { hasText: /done/i }).waitFor();
    await shoot(agent.page, 'panel');
    const notes =
      world
        .chatwoot()
        .conversations.at(-1)
        ?.messages.map(({ content }) => content) ?? [];
    await until(
      () =>
        notes.length > 0 &&
        world
          .chatwoot()
          .conversations.at(-1)
          ?.messages.some(({ content }) => /^payments: success \(asked for by mara@example\.com/.test(content)),
      'the note',
    );
    assert.deepEqual(await violationsOf(agent.page), []);
  });

  it('begins a flow with what it has to be given, and stops it', async () => {
    const notes = () =>
      world
        .chatwoot()
        .conversations.at(-1)
        ?.messages.map(({ content }) => content)
        .join('\n') ?? '';
    await panel.getByRole('button', { name: 'Send a request' }).click();
    const dialog = panel.getByRole('dialog', { name: 'Send a request' });
    await dialog.getByRole('radio', { name: 'Read a meter' }).check();
    await dialog.getByLabel('number').fill('M-17');
    await dialog.getByRole('button', { name: 'Start in the chat' }).click();
    assert.equal(await dialog.count(), 1, 'the day is asked for');
    await dialog.getByLabel('day').fill('2026-11-22');
    assert.deepEqual(await violationsOf(agent.page), []);
    await shoot(agent.page, 'panel-flow');
    await dialog.getByRole('button', { name: 'Start in the chat' }).click();
    await until(() => /Bot: What does it say\?/.test(notes()), 'what the bot asks');
    assert.match(notes(), /read-meter: begun by mara@example\.com\./);
    await panel.getByRole('button', { name: 'Stop it' }).click();
    await until(() => /read-meter: cancelled\./.test(notes()), 'the end');
  });

  it('starts nothing in a colleague’s conversation', async () => {
    const { agents, assign } = world.chatwoot();
    await assign(conversation(), agents[1]);
    await panel.getByText('Assign this conversation to yourself').waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Send a request' }).count(), 0);
  });

  it('says so where a conversation did not come from the chat', async () => {
    await agent.page.evaluate('tell(4711)');
    await panel.getByText('This conversation did not come from the chat.').waitFor();
    assert.deepEqual(agent.complaints, []);
  });

  it('can be framed by no other site', async () => {
    // Another port is another origin.
    const other = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(world.chatwoot().page));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await frame(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    await until(() => agent.complaints.some((complaint) => /frame-ancestors/.test(complaint)), 'the browser’s refusal');
    other.closeAllConnections();
    other.close();
  });

  it('ends with the session at the desk', async () => {
    await frame();
    await panel.locator('.panel, .notice').first().waitFor();
    const desk = agent.context.pages().find((page) => page.url().endsWith('/desk'));
    await desk?.getByRole('button', { name: /Sign out/ }).click();
    await panel.getByRole('button', { name: 'Sign in' }).waitFor({ timeout: 40_000 });
    await shoot(agent.page, 'panel-door');
  });
});
