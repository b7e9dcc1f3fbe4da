import assert from 'node:assert/strict';
import { inParallel } from '../bench/load.ts';
import { type DeskWorld, openDeskWorld } from '../bench/peers/desk.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const agents = 50;
const conversations = 500;

describe(`${agents} agents with ${conversations} conversations`, function () {
  this.timeout(300_000);
  let whole: Whole;
  let world: DeskWorld;
  let browser: TestBrowser;
  before(async () => {
    whole = await startWhole({ settings: { HANDOFF: 'desk' } });
    const base = `http://localhost:${whole.bot().port}`;
    world = await openDeskWorld({ base, deskUrl: whole.bot().links.desk ?? '', agents, conversations, arrived: () => {} });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await world?.close();
    await whole?.close();
  });

  it('bring every message to the other side once, in the order in which it was said', async () => {
    const words = ['first', 'second', 'third'];
    const talking = world.pairs.slice(0, 100);
    const hears = ({ agent, id }: (typeof talking)[number]) =>
      agent.events(id).flatMap((event) => (event.type === 'message' ? [event.message.text] : []));
    await inParallel(talking.length, 25, async (index) => {
      const { answer, customer } = talking[index] as (typeof talking)[number];
      // Both at once, each in their own order.
      await Promise.all([
        (async () => {
          for (const word of words) await customer.say(`c${index} ${word}`);
        })(),
        (async () => {
          for (const word of words) await answer(`a${index} ${word}`);
        })(),
      ]);
    });
    for (const [index, pair] of talking.entries()) {
      await until(() => hears(pair).length >= words.length, 'what the customer said');
      const from = (text: string) => text.startsWith('a');
      await until(() => pair.customer.heard.filter(from).length >= words.length, 'what the agent said');
      assert.deepEqual(
        hears(pair),
        words.map((word) => `c${index} ${word}`),
      );
      assert.deepEqual(
        pair.customer.heard.filter(from),
        words.map((word) => `a${index} ${word}`),
      );
    }
  });

  it('have a page that draws one line for what changes in one', async () => {
    const [first] = world.agents;
    const { value } = (await first?.ask({ type: 'invite' })) ?? {};
    const { page, complaints } = await browser.page({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
    await page.goto(new URL(String(value), `http://localhost:${whole.bot().port}`).href);
    await page.getByLabel('Your name').fill('Mara Lind');
    await page.getByRole('button', { name: /as agent/ }).click();
    await page.locator('.queue .row').first().waitFor();
    await page.waitForFunction(
      (all) => [...document.querySelectorAll('.queue .count')].some(({ textContent }) => textContent === all),
      `${conversations}`,
    );
    await page.evaluate(() => {
      const seen = window as unknown as { changes: number };
      seen.changes = 0;
      new MutationObserver((records) => {
        // Waiting times go on by themselves.
        seen.changes += records.filter(({ target }) => !(target.parentElement ?? (target as Element)).closest('.since')).length;
      }).observe(document.querySelector('.queue') as Element, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    const { agent, customer, id } = world.pairs[0] as (typeof world.pairs)[number];
    await customer.say('this changes nothing in the list');
    await until(() => agent.events(id).some((event) => event.type === 'message' && /changes nothing/.test(event.message.text ?? '')), 'it');
    assert.equal((await agent.act(id, { kind: 'finish', wrapUp: 'solved' })).refused, undefined);
    await page.waitForFunction(
      (all) => [...document.querySelectorAll('.queue .count')].some(({ textContent }) => textContent === all),
      `${conversations - 1}`,
    );
    const changes = await page.evaluate(() => (window as unknown as { changes: number }).changes);
    assert.ok(changes > 0 && changes < 20, `${changes} changes of the list`);
    assert.deepEqual(complaints, []);
  });
});
