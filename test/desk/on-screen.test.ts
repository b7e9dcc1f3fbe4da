import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser, type TestPage } from '../support/browser.ts';
import { type ChatScreen, chatScreen } from '../support/chat-screen.ts';
import { mouse } from '../support/hands.ts';
import { startWhole, type Whole } from '../support/whole.ts';

/** Signs somebody in by a link, by keyboard alone. */
const enterDesk = async (page: Page, link: string, name: string, email: string, role: RegExp) => {
  await page.goto(link);
  await page.getByLabel('Your name').focus();
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(email);
  await page.getByRole('button', { name: role }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
};

describe('the desk and a customer side by side', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  let whole: Whole;
  let agent: TestPage;
  let customer: TestPage;
  let chat: ChatScreen;
  before(async () => {
    browser = await launchBrowser();
    whole = await startWhole({ settings: { HANDOFF: 'desk' }, turnRate: { points: 1000, seconds: 1 } });
    agent = await browser.page({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
    customer = await browser.page({ locale: 'en-US', viewport: { width: 500, height: 900 } });
    await enterDesk(agent.page, whole.bot().links.desk ?? '', 'Mara Lind', 'mara@example.com', /as supervisor/);
    await customer.page.goto(whole.bot().chatUrl);
    chat = chatScreen(customer.page, mouse);
    await chat.sees(/How can I help you\?/);
  });
  after(async () => {
    await browser.close();
    await whole.close();
  });

  it('can be worked by keyboard alone from the list to the wrap-up code, with the customer seeing every step', async () => {
    const { page } = agent;
    const { keyboard } = page;
    for (const [text, sees] of [
      ['passkeys', /phone number/],
      ['+12025550110', /\S••• \S\./],
      ['yes', /You are verified/],
    ] as [string, RegExp][]) {
      await chat.say(text);
      await chat.sees(sees);
    }
    await chat.say('can I talk to a person <b>please</b><img src=x onerror=alert(1)>');
    await chat.sees(/asked for a member of our team/);
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByText('Asked for a person').waitFor();
    await list.getByText('Verified', { exact: true }).waitFor();
    assert.match(await page.title(), /^\(1\) /);

    await keyboard.press('Alt+n');
    await chat.sees(/Mara Lind has joined/);
    const box = page.getByRole('textbox', { name: 'Write to the customer' });
    await box.waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'write');
    await keyboard.type('Hello, I am Mara.');
    await keyboard.press('Enter');
    await chat.sees(/Hello, I am Mara\./);
    assert.equal(await page.locator('.bubble.agent', { hasText: 'Hello, I am Mara.' }).count(), 1);
    // The chat's page tells that its customer writes once somebody is there.
    await customer.page.getByRole('textbox', { name: /message/i }).pressSequentially('My', { delay: 20 });
    await page.getByText('The customer is writing…').waitFor();
    await customer.page.getByRole('textbox', { name: /message/i }).fill('');
    await chat.say('My bill, please');
    await page.locator('.bubble.customer', { hasText: 'My bill, please' }).waitFor();
    await page.locator('#announcements', { hasText: 'Customer: My bill, please' }).waitFor({ state: 'attached' });
    // What a customer types is text, whatever it looks like.
    assert.equal(await page.locator('.said img, .said b').count(), 0);

    const panel = page.getByRole('complementary', { name: 'Customer' });
    await panel.getByText('Samira Haddad').waitFor();
    await panel.getByText(/^Verified, 14:\d\d left$/).waitFor();
    assert.deepEqual(await violationsOf(page), []);

    await keyboard.press('Alt+s');
    const dialog = page.getByRole('dialog', { name: 'Send a request' });
    await dialog.waitFor();
    await keyboard.press('ArrowDown');
    await dialog.getByText('Charging pass').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await dialog.getByRole('radio', { name: /Charging pass/ }).focus();
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await chat.sees(/Mara Lind has started this for you/);
    await page.locator('.happening', { hasText: 'Payment: done' }).waitFor();
    await panel.locator('.timeline li', { hasText: 'Charging pass' }).getByText('By Mara Lind').waitFor();
    await chat.sees(/Payment received/);

    await keyboard.press('Alt+e');
    const finish = page.getByRole('dialog', { name: 'Finish' });
    await finish.waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.locator('.happening', { hasText: 'Finished as “Needs follow-up”' }).waitFor();
    await chat.sees(/has left this chat/);
    await list.getByText('You have no conversation.').waitFor();

    await page.getByRole('button', { name: 'Overview', exact: true }).click();
    await page.getByRole('table', { name: 'Outcomes by app' }).getByText('Payment').waitFor();
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.overview canvas');
      const { data } = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return data.some((value) => value > 0);
    });
    await shoot(page, 'desk-overview');
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual([...agent.complaints, ...customer.complaints], []);
  });

  it('shows the chats with the bot, and lets an agent join one', async () => {
    const { page } = agent;
    await page.getByRole('button', { name: 'Desk', exact: true }).click();
    await chat.say('payments');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    assert.equal(await list.getByText('Answering a question').count(), 0, 'nothing is shown before somebody asks');
    await list.getByRole('button', { name: 'With the bot' }).click();
    await list.getByRole('button', { name: /Answering a question · Payment/ }).click();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Join this chat' }).click();
    await chat.sees(/Mara Lind has joined this chat to help you, and can read what was said here/);
    await page.locator('.happening', { hasText: 'Taken from the bot' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'write');
    await page.keyboard.press('Alt+e');
    await page.getByRole('dialog', { name: 'Finish' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.happening', { hasText: 'Finished as “Solved”' }).waitFor();
    await list.getByRole('button', { name: 'With the bot' }).click();
  });

  it('keeps what was written while the connection was away, and shows it once', async () => {
    const { page } = agent;
    await page.getByRole('button', { name: 'Desk', exact: true }).click();
    await chat.say('agent');
    await chat.sees(/asked for a member of our team/, 2);
    await page.keyboard.press('Alt+n');
    const box = page.getByRole('textbox', { name: 'Write to the customer' });
    await box.fill('First');
    await box.press('Enter');
    await chat.sees(/^First$/m);
    await whole.stopBot();
    await page.getByText('The connection is lost').waitFor();
    for (const text of ['Second', 'Third']) {
      await box.fill(text);
      await box.press('Enter');
    }
    assert.equal(await page.getByText('Not sent yet.').count(), 2);
    await whole.startBot();
    await page.getByText('The connection is lost').waitFor({ state: 'detached' });
    await chat.sees(/^Third$/m);
    await page.getByText('Not sent yet.').first().waitFor({ state: 'detached' });
    assert.deepEqual(await page.locator('.bubble.agent .text').allInnerTexts(), ['First', 'Second', 'Third']);
  });

  it('keeps drafts when the page is reloaded, and shows what waits for an answer', async () => {
    const { page } = agent;
    const list = page.getByRole('navigation', { name: 'Conversations' });
    const box = page.getByRole('textbox', { name: 'Write to the customer' });
    await box.press('Alt+e');
    await page.getByRole('dialog', { name: 'Finish' }).waitFor();
    await page.keyboard.press('Enter');
    await list.getByText('You have no conversation.').waitFor();
    await chat.say('agent');
    await chat.sees(/asked for a member of our team/, 3);
    await chat.say('nobody here yet?');
    // One that is looked at is taken by a key, and what was said meanwhile is there.
    await list.getByRole('button', { name: /Asked for a person/ }).click();
    await page.locator('.bubble.customer', { hasText: 'nobody here yet?' }).waitFor();
    await page.getByText('Take it to write.').waitFor();
    await page.getByRole('button', { name: 'Nobody is available' }).click();
    await page.getByRole('dialog', { name: 'Nobody is available' }).getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Alt+t');
    await box.waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'write');
    await page.getByRole('button', { name: 'Step away' }).click();
    await chat.say('are you there?');
    await list.getByText('are you there?').waitFor();
    await box.fill('I am, and I will');
    await list.getByText('Draft').waitFor();
    await page.reload();
    await box.waitFor();
    assert.equal(await box.inputValue(), 'I am, and I will');
    assert.equal(await page.locator('.bubble.customer', { hasText: 'are you there?' }).count(), 1);
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'I am back' }).click();
    // Letters right after a key that leads to the box arrive in it.
    await page.locator('.said').focus();
    await page.keyboard.press('Alt+w');
    await page.keyboard.press('End');
    await page.keyboard.type(' look.');
    assert.equal(await box.inputValue(), 'I am, and I will look.');
    await box.press('Enter');
    await list.getByText('You: I am, and I will look.').waitFor();
  });

  it('keeps the position of a reader further up, and says that there is more', async () => {
    const { page } = agent;
    for (let line = 0; line < 5; line += 1) await chat.say(`line ${line}\n${'and on it goes\n'.repeat(12)}`);
    await page.locator('.bubble.customer', { hasText: 'line 4' }).waitFor();
    const said = page.locator('.said');
    const fromEnd = () => said.evaluate(({ clientHeight, scrollHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop);
    assert.ok((await fromEnd()) < 2, 'what was said last is in sight');
    await said.evaluate((box) => {
      box.scrollTop = 10;
    });
    await customer.page.getByRole('textbox', { name: /message/i }).pressSequentially('More', { delay: 20 });
    await page.getByText('The customer is writing…').waitFor();
    await customer.page.keyboard.press('Enter');
    const more = page.getByRole('button', { name: 'New below' });
    await more.waitFor();
    assert.equal(await said.evaluate(({ scrollTop }) => scrollTop), 10);
    await more.click();
    await more.waitFor({ state: 'detached' });
    assert.ok((await fromEnd()) < 2);
  });

  it('notifies the agent whose conversation was taken over, and not the one who took it', async () => {
    const { page } = agent;
    await page.getByRole('button', { name: 'Overview', exact: true }).click();
    await page.getByRole('button', { name: 'Signed in' }).click();
    await page.getByRole('button', { name: 'Make a sign-in link' }).click();
    const path = (await page.locator('.invite code').textContent()) ?? '';
    const other = await browser.page({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
    await enterDesk(other.page, new URL(path, whole.bot().chatUrl).href, 'Noa Berg', 'noa@example.com', /as agent/);
    await page.getByRole('button', { name: 'Desk', exact: true }).click();
    await other.page.locator('.queue .row').first().click();
    await other.page.getByText('You are reading along.').waitFor();
    await other.page.keyboard.press('Alt+t');
    await other.page.keyboard.press('Enter');
    await other.page.waitForFunction(() => document.activeElement?.id === 'write');
    await page.locator('.toast', { hasText: /^Noa Berg has the conversation with .+ now$/ }).waitFor();
    assert.equal(await other.page.locator('.toast').count(), 0);
    await other.context.close();
  });

  it('loads less than 120 KB', async () => {
    const { page, context } = await browser.page({ locale: 'en-US' });
    await context.addCookies(await agent.context.cookies());
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(`${whole.bot().chatUrl}desk`);
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    assert.ok(bytes > 10_000 && bytes < 120_000, `${bytes} bytes`);
    await context.close();
  });
});
