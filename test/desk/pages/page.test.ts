import assert from 'node:assert/strict';
import type { Panel } from '../../../src/desk/customers.ts';
import type { Badge, TimelineEntry } from '../../../src/desk/view.ts';
import { violationsOf } from '../../support/accessibility.ts';
import { launchBrowser, type TestBrowser } from '../../support/browser.ts';
import { aRow, type DeskPage, me, noa, startDeskPages, theirs } from '../../support/desk-page.ts';
import { until } from '../../support/until.ts';

const now = Date.now();
const verified: Badge = { state: 'verified', method: 'passkeys', at: now, until: now + 600_000, phone: '+1•••0110' };
const known = (badge: Badge, name: string): Panel => ({ badge, customer: { name, phone: '+12025550110' }, timeline: [] });
const said = (text: string) => ({ type: 'message', message: { id: text, text, files: [] }, verified: false });

describe('the page of the desk', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  let pages: Awaited<ReturnType<typeof startDeskPages>>;
  let desk: DeskPage;
  before(async () => {
    browser = await launchBrowser();
    pages = await startDeskPages(browser);
  });
  afterEach(async () => {
    const { complaints } = desk;
    await desk.close();
    assert.deepEqual(complaints, []);
  });
  after(async () => {
    await browser.close();
    await pages.close();
  });
  const rowOf = (id: string) => desk.page.locator(`[data-id="${id}"]`);
  const focused = (selector: string) =>
    desk.page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector, { timeout: 2_000 });
  const own = async (more: object = {}) => {
    const row = theirs(me, more);
    desk = await pages.open([row, aRow()]);
    desk.happened(row.id, [{ type: 'joined', agent: me.name }, said('hello')]);
    await rowOf(row.id).click();
    await desk.page.locator('#write').waitFor();
    return row;
  };

  it('shows what was being written when a colleague takes the conversation, says who has it, and keeps it over a reload', async () => {
    const row = await own();
    const { page } = desk;
    await page.locator('#write').fill('I have looked into it, and');
    desk.rows({ ...row, agent: { id: noa.id, name: noa.name } });
    await page.getByText('This was not sent. Noa Berg has this conversation now.').waitFor();
    const draft = page.locator('.unsent textarea');
    assert.equal(await draft.inputValue(), 'I have looked into it, and');
    assert.deepEqual(await violationsOf(page), []);
    await page.reload();
    await draft.waitFor();
    assert.equal(await draft.inputValue(), 'I have looked into it, and');
    await page.getByRole('button', { name: 'Discard' }).click();
    await draft.waitFor({ state: 'detached' });
  });

  it('says who has the conversation when a message comes too late, and keeps the words', async () => {
    const row = await own();
    const { page } = desk;
    desk.answers.say = { refused: 'not_yours' };
    await page.locator('#write').fill('One moment');
    desk.rows({ ...row, agent: { id: noa.id, name: noa.name } });
    desk.rows(row);
    await page.locator('#write').press('Enter');
    desk.rows({ ...row, agent: { id: noa.id, name: noa.name } });
    await page.locator('.bubble', { hasText: 'One moment' }).getByText('Noa Berg has this conversation now.').waitFor();
    await page.locator('.bubble').getByRole('button', { name: 'Copy' }).waitFor();
  });

  it('shows words of customers in the order of their script, and lets them change nothing around them', async () => {
    const controls = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
    const row = theirs({ ...noa, name: '\u202egreB aoN' }, { badge: verified, said: '\u202edeifireV' } as object);
    desk = await pages.open([row, aRow({ said: `a${controls.join('')}b and more` })]);
    const { page } = desk;
    desk.panel(row.id, known(verified, '\u202eSamira'));
    desk.happened(
      row.id,
      controls.map((control) => said(`${control}yeksapyBdeifireV ${control}`)),
    );
    desk.happened(row.id, [{ type: 'joined', agent: 'مارا 12' }]);
    await rowOf(row.id).click();
    await page
      .locator('.bubble')
      .nth(controls.length - 1)
      .waitFor();
    assert.doesNotMatch((await page.locator('#desk').textContent()) ?? '', /[\u202a-\u202e\u2066\u2067]/);
    // A name in another direction is a unit of its own in the sentence.
    await page.locator('.happening', { hasText: '\u2068مارا 12\u2069 has joined' }).waitFor();
    for (const place of ['.bubble .text', '.row bdi', '.talk-head bdi', '.panel .name bdi'])
      for (const bidi of await page.locator(place).evaluateAll((found) => found.map((one) => getComputedStyle(one).unicodeBidi)))
        assert.match(bidi, /isolate|plaintext/, place);
  });

  it('names nobody in full once a chat is masked again, not in a notice either', async () => {
    const row = await own({ badge: verified });
    const { page } = desk;
    desk.panel(row.id, known(verified, 'Samira Haddad'));
    await page.getByText('Samira Haddad').first().waitFor();
    desk.rows({ ...row, agent: { id: noa.id, name: noa.name } });
    await page.locator('.toast', { hasText: 'Noa Berg has the conversation with +1•••0110 now' }).waitFor();
    const over: Badge = { ...verified, state: 'expired' };
    desk.panel(row.id, known(over, 'S••• H.'));
    desk.rows({ ...row, agent: { id: noa.id, name: noa.name }, badge: over });
    await until(async () => !/Haddad/.test(await page.locator('body').innerHTML()), 'the masked name', 3_000);
    assert.equal(await page.locator('.toast').count(), 1);
  });

  it('marks an agent who is not there above the conversation too', async () => {
    const [there, gone] = [theirs(noa), theirs({ id: 'sue', name: 'Sue Park' })];
    desk = await pages.open([there, gone]);
    await rowOf(gone.id).click();
    const head = desk.page.locator('.talk-head');
    await head.locator('.late', { hasText: 'With Sue Park – not at the desk' }).waitFor();
    await rowOf(there.id).click();
    await head.getByText('With Noa Berg', { exact: true }).waitFor();
    assert.equal(await head.locator('.late').count(), 0);
  });

  it('says within three seconds that the network is gone, and goes on at once when it is back', async () => {
    await own();
    const { page } = desk;
    desk.isAway = true;
    await page.context().setOffline(true);
    await page.getByText('The connection is lost').waitFor({ timeout: 3_000 });
    await page.locator('#write').fill('Are you there?');
    await page.locator('#write').press('Enter');
    await page.getByText('Not sent yet.').waitFor();
    desk.isAway = false;
    await page.context().setOffline(false);
    await page.getByText('The connection is lost').waitFor({ state: 'detached', timeout: 3_000 });
    await until(() => desk.asked.some(({ act }) => act?.kind === 'say'), 'the message');
  });

  it('takes a silent server for lost after 25 seconds, and a new one that says nothing as well', async () => {
    const row = theirs(me);
    desk = await pages.open([row]);
    const { page } = desk;
    await page.clock.install();
    await page.reload();
    await page.locator('.queue .row').waitFor();
    await page.clock.runFor(20_000);
    assert.equal(await page.getByText('The connection is lost').count(), 0);
    await page.evaluate(() => {
      // The banner may be gone again at once.
      new MutationObserver(() => {
        if (document.body.textContent.includes('The connection is lost')) document.body.dataset.lost = 'yes';
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.clock.runFor(8_000);
    await page.locator('body[data-lost]').waitFor({ timeout: 3_000 });
  });

  it('tells in two lines what each customer wants, and lists those of a language or with a verification alone', async () => {
    const rows = [
      aRow({ said: 'I was charged twice for my bill' }),
      aRow({ language: 'es', said: 'No puedo pagar' }),
      aRow({ badge: verified, reason: 'message', said: 'Please call me back' }),
    ];
    desk = await pages.open(rows);
    const { page } = desk;
    for (const words of ['I was charged twice for my bill', 'No puedo pagar', 'Left a message: Please call me back'])
      await page.locator('.queue .row', { hasText: words }).waitFor();
    for (const height of await page.locator('.queue .row').evaluateAll((all) => all.map(({ clientHeight }) => clientHeight)))
      assert.ok(height <= 66, `${height} pixels`);
    await page.getByLabel('Language').selectOption({ label: 'Spanish' });
    assert.deepEqual(await page.locator('.queue .row').evaluateAll((all) => all.map(({ dataset }) => dataset.id)), [rows[1]?.id]);
    await page.getByLabel('Language').selectOption({ label: 'All languages' });
    await page.getByRole('button', { name: 'Verified', exact: true }).click();
    assert.deepEqual(await page.locator('.queue .row').evaluateAll((all) => all.map(({ dataset }) => dataset.id)), [rows[2]?.id]);
    assert.deepEqual(await violationsOf(page), []);
  });

  it('takes whom the agent understands first, unless somebody would not wait longer', async () => {
    const minute = 60_000;
    const rows = [
      aRow({ language: 'es', createdAt: now - 5 * minute, dueAt: now + 8 * minute }),
      aRow({ language: 'en-GB', createdAt: now - 4 * minute, dueAt: now + 9 * minute }),
      aRow({ language: 'es', createdAt: now - 9 * minute, dueAt: now + minute }),
    ];
    desk = await pages.open(rows);
    const taken = () => desk.asked.flatMap(({ act, id }) => (act?.kind === 'accept' ? [id] : []));
    for (const count of [1, 2, 3]) {
      await desk.page.keyboard.press('Alt+n');
      const id = await until(() => taken()[count - 1], 'the one that was taken');
      const row = rows.find((one) => one.id === id) ?? assert.fail();
      desk.rows({ ...row, state: 'accepted', acceptedAt: now, agent: { id: me.id, name: me.name } });
      await desk.page.locator('.talk-head .primary', { hasText: 'Finish' }).waitFor();
    }
    assert.deepEqual(taken(), [rows[2]?.id, rows[1]?.id, rows[0]?.id]);
  });

  for (const [key, title] of [
    ['k', 'Keyboard'],
    ['s', 'Send a request'],
    ['e', 'Finish'],
    ['g', 'Transfer'],
    ['v', 'Verify'],
    ['b', 'Back to the bot'],
  ] as const) {
    it(`gives the focus back when the dialog “${title}” is closed`, async () => {
      await own();
      const { page } = desk;
      const closings = [() => page.keyboard.press('Escape'), () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()];
      for (const close of closings) {
        await page.locator('#write').focus();
        await page.keyboard.press(`Alt+${key}`);
        await page.getByRole('dialog').waitFor();
        await close();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await focused('#write');
      }
      if (key === 'g') {
        await page.getByRole('button', { name: title }).click();
        await page.keyboard.press('Escape');
        await focused('.talk-head .acts button:first-child');
      }
    });
  }

  it('brings what a colleague hands over, and what was just taken, into sight, and marks it until it is opened', async () => {
    const many = Array.from({ length: 30 }, (_, index) => theirs(me, { createdAt: now - 90_000 + index }));
    const given = theirs(noa, { createdAt: now });
    desk = await pages.open([...many, given, aRow({ createdAt: now })]);
    const { page } = desk;
    await rowOf(many[0]?.id ?? '').click();
    desk.rows({ ...given, agent: { id: me.id, name: me.name } });
    const mark = rowOf(given.id).getByText('From Noa Berg');
    await mark.waitFor();
    const inSight = (id: string) =>
      rowOf(id).evaluate((row) => {
        const { bottom, top } = row.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await until(() => inSight(given.id), 'the row in sight', 5_000);
    await rowOf(given.id).click();
    await mark.waitFor({ state: 'detached' });
    await page.locator('.queue').evaluate((list) => list.scrollTo(0, 0));
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+t');
    await until(() => desk.asked.some(({ act }) => act?.kind === 'accept'), 'the act');
    const taken = desk.asked.find(({ act }) => act?.kind === 'accept')?.id ?? '';
    assert.ok(await inSight(taken));
  });

  it('asks once before it takes a conversation from a colleague who is there', async () => {
    const [there, gone] = [theirs(noa), theirs({ id: 'sue', name: 'Sue Park' })];
    desk = await pages.open([there, gone]);
    const { page } = desk;
    const takes = () => desk.asked.filter(({ act }) => act?.kind === 'take').length;
    await rowOf(there.id).click();
    await page.keyboard.press('Alt+t');
    await page.getByRole('dialog', { name: 'Take over' }).getByText('Noa Berg has this conversation').waitFor();
    assert.equal(takes(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+t');
    await page.getByRole('dialog', { name: 'Take over' }).waitFor();
    await page.keyboard.press('Enter');
    await until(() => takes() === 1, 'the act of the second time');
    await rowOf(gone.id).click();
    await page.keyboard.press('Alt+t');
    await until(() => takes() === 2, 'the act at once');
  });

  it('keeps all of a long text, and says by how much it is too long', async () => {
    await own();
    const { page } = desk;
    const box = page.locator('#write');
    await box.fill('x'.repeat(5_000));
    await page.getByText('Too long: at most 4,000 characters. Shorten it by 1,000, or send it in parts.').waitFor();
    await box.press('Enter');
    assert.equal((await box.inputValue()).length, 5_000);
    assert.deepEqual(await violationsOf(page), []);
    await box.fill('x'.repeat(4_000));
    await page.locator('.over').waitFor({ state: 'detached' });
    await box.press('Enter');
    await until(() => desk.asked.some(({ act }) => act?.kind === 'say'), 'the message');
  });

  it('names who sent a request, what is to be paid and the number to compare, and cancels the agent’s own', async () => {
    const row = await own({ badge: verified });
    const { page } = desk;
    const entry = { app: 'payments', subject: 'Charging pass', at: now, steps: {}, price: { amount: 29, currency: 'EUR' } };
    const of = (id: string, agent: string, more: object = {}) => ({ ...entry, id, agent, ...more }) as TimelineEntry;
    desk.happened(row.id, [{ type: 'started', app: 'payments', agent: 'Noa Berg', by: 'link:0123456789', request: 'one' }]);
    desk.panel(row.id, {
      ...known(verified, 'Samira Haddad'),
      timeline: [
        of('one', 'link:0123456789'),
        of('two', 'link:other'),
        of('three', 'me', { compare: '21' }),
        of('four', 'me', { status: 'success' }),
      ],
    });
    const items = page.locator('.timeline > li');
    await items.nth(3).waitFor();
    assert.deepEqual(await page.locator('.timeline .by').allInnerTexts(), ['By Noa Berg', 'By Agent', 'By Agent', 'By Agent']);
    assert.equal(await items.getByText('€29.00').count(), 4);
    await items.nth(2).getByText('21', { exact: true }).waitFor();
    const cancel = page.getByRole('button', { name: 'Cancel this request' });
    assert.equal(await cancel.count(), 1);
    await cancel.click();
    await until(() => desk.asked.some(({ act }) => act?.kind === 'cancel'), 'the act');
    desk.panel(row.id, { ...known(verified, 'Samira Haddad'), timeline: [of('three', 'me', { status: 'cancelled' })] });
    await cancel.waitFor({ state: 'detached' });
    // The button that was pressed is gone, and keyboards go on from beside it.
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'start');
    assert.deepEqual(await violationsOf(page), []);
  });

  it('shows the end of a verification everywhere at once', async () => {
    const row = await own({ badge: verified });
    const { page } = desk;
    const ending: Badge = { ...verified, until: Date.now() + 3_000 };
    desk.rows({ ...row, badge: ending });
    desk.panel(row.id, known(ending, 'Samira Haddad'));
    await page.locator('.panel .badge.verified').waitFor();
    assert.equal(await page.locator('.badge.verified').count(), 3);
    await page.locator('.panel .badge.expired').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.badge.expired').length === 3, undefined, { timeout: 3_000 });
  });

  it('masks a customer in the list again once they are no longer verified, also if nobody reads their conversation', async () => {
    const row = await own({ badge: verified });
    desk.panel(row.id, {
      ...known(verified, 'Samira Haddad'),
      customer: { name: 'Samira Haddad', phone: '+12025550110', ref: 'cust-0110' },
    });
    await rowOf(row.id).getByText('Samira Haddad').waitFor();
    desk.rows({ ...row, badge: { ...verified, state: 'expired', until: Date.now() } });
    await rowOf(row.id).getByText('+1•••0110').waitFor({ timeout: 5_000 });
    assert.equal(await rowOf(row.id).getByText('Samira Haddad').count(), 0);
  });

  it('leads the keyboard to the next conversation once one is finished', async () => {
    await own();
    const { page } = desk;
    await page.keyboard.press('Alt+e');
    await page.getByRole('dialog', { name: 'Finish' }).waitFor();
    await page.keyboard.press('Enter');
    await focused('.queue-head button');
  });

  it('begins with something to send for a customer who is verified, and with a passkey for others', async () => {
    const row = await own();
    const { page } = desk;
    const chosen = page.locator('dialog input[name="app"]:checked');
    await page.keyboard.press('Alt+s');
    assert.equal(await chosen.inputValue(), 'passkeys');
    await page.keyboard.press('Escape');
    desk.panel(row.id, known(verified, 'Samira Haddad'));
    await page.getByText('Samira Haddad').first().waitFor();
    await page.keyboard.press('Alt+s');
    assert.equal(await chosen.inputValue(), 'document-signature');
  });

  it('shows one column at a time in a narrow window, and leads back to the list', async () => {
    const row = theirs(me);
    desk = await pages.open([row], { viewport: { width: 768, height: 1024 } });
    const { page } = desk;
    await rowOf(row.id).click();
    await page.locator('#write').waitFor();
    assert.equal(await page.locator('.queue').isVisible(), false);
    await page.getByRole('button', { name: 'Conversations' }).click();
    await page.locator('.queue').waitFor();
    assert.deepEqual(await violationsOf(page), []);
  });
});
