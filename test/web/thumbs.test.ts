import assert from 'node:assert/strict';
import { thumbsBelow } from '../../dialogs/turn/rating.ts';
import { texts } from '../../src/web/texts.ts';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { startPage, waitingCard } from '../support/chat-page.ts';
import { itSample } from '../support/tier.ts';
import { until } from '../support/until.ts';

const id = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';

describe('thumbs below an outcome', function () {
  this.timeout(60_000);
  let browser: TestBrowser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const locale of ['en-US', 'ar-EG'])
    itSample(locale === 'en-US')(`stand there though more was said since, and tell what was pressed last: ${locale}`, async () => {
      const site = await startPage({
        bot: async ({ conversation, type }, connector) => {
          if (type !== 'conversationUpdate') return;
          await connector.post(conversation.id, { ...waitingCard(3), ...thumbsBelow({ channel: { thumbs: 'entity' } }, id) });
          await connector.post(conversation.id, { type: 'message', text: 'What would you like to do?' });
        },
      });
      const { page, complaints, context } = await browser.page({ locale });
      await page.goto(site.url);
      await page.getByText('What would you like to do?').first().waitFor();
      const buttons = page.locator('.webchat__thumb-button');
      await buttons.nth(1).waitFor();
      assert.equal(await buttons.count(), 2);
      // What is rated is written beside them.
      const label = await buttons
        .locator('xpath=..')
        .first()
        .evaluate((row) => getComputedStyle(row, '::before').content);
      assert.equal(label, JSON.stringify(texts[locale === 'ar-EG' ? 'ar' : 'en'].rating));
      assert.deepEqual(await violationsOf(page), []);
      await shoot(page, `thumbs-${locale}`);
      const told = () =>
        site.turns.filter(({ name }) => name === 'webchat:activity-status/feedback').map(({ entities }) => entities?.[0]?.['@id']);
      await buttons.nth(0).press('Enter');
      await until(() => told().length === 1, 'the first press');
      await buttons.nth(1).click();
      await until(() => told().length === 2, 'the second press');
      assert.deepEqual(told(), [`urn:countersign:outcome:${id}:like`, `urn:countersign:outcome:${id}:dislike`]);
      assert.deepEqual(complaints, []);
      await context.close();
      await site.close();
    });
});
